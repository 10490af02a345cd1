// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/interval_reactions.h"

#include <algorithm>

namespace backlash {

void raise_peaks(const SystemInfo& info, const Vector& reactions, Vector& peak) {
  const auto [force, torque] = reaction_size(info.space);
  for (Eigen::Index j = 0, first = 0; j < info.reacting_joints; ++j, first += force + torque) {
    peak[2 * j] = std::max(peak[2 * j], reactions.segment(first, force).norm());
    peak[2 * j + 1] = std::max(peak[2 * j + 1], reactions.segment(first + force, torque).norm());
  }
}

}  // namespace backlash
