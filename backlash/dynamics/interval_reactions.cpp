// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/interval_reactions.h"

namespace backlash {

void raise_peaks(const SystemInfo& info, const Vector& reactions, double t,
                 IntervalReactions& interval) {
  const auto [force, torque] = reaction_size(info.space);
  const auto raise = [&](Eigen::Index i, double size) {
    if (!(size > interval.peak[i])) return;
    interval.peak[i] = size;
    interval.t_peak[i] = t;
  };
  for (Eigen::Index j = 0, first = 0; j < std::ssize(info.reacting_joints);
       ++j, first += force + torque) {
    raise(2 * j, reactions.segment(first, force).norm());
    raise(2 * j + 1, reactions.segment(first + force, torque).norm());
  }
}

}  // namespace backlash
