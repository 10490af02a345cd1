// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/signal.h"

#include <fmt/format.h>

namespace backlash {

std::string to_string(const Signal& signal) {
  switch (signal.kind) {
    case SignalKind::time:
      return "t";
    case SignalKind::joint_position:
      return fmt::format("{}.q{}", signal.item,
                         signal.coordinate == 0 ? "" : std::to_string(signal.coordinate + 1));
    case SignalKind::joint_velocity:
      return fmt::format("{}.u{}", signal.item,
                         signal.coordinate == 0 ? "" : std::to_string(signal.coordinate + 1));
    case SignalKind::body_x:
      return signal.item + ".x";
    case SignalKind::body_y:
      return signal.item + ".y";
    case SignalKind::body_angle:
      return signal.item + ".angle";
    case SignalKind::body_vx:
      return signal.item + ".vx";
    case SignalKind::body_vy:
      return signal.item + ".vy";
    case SignalKind::body_omega:
      return signal.item + ".omega";
    case SignalKind::state:
    case SignalKind::parameter:
      return signal.item;
    case SignalKind::own_length:
      return "length";
    case SignalKind::own_rate:
      return "rate";
    case SignalKind::contact_gap:
      return signal.item + ".gap";
    case SignalKind::contact_force:
    case SignalKind::joint_force:
      return signal.item + ".force";
    case SignalKind::joint_torque:
      return signal.item + ".torque";
    case SignalKind::joint_load:
      return signal.item + ".load";
  }
  return {};
}

}  // namespace backlash
