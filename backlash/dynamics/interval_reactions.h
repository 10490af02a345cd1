// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"

namespace backlash {

/// Components of a joint's reaction.
struct ReactionSize {
  Eigen::Index force = 2, torque = 1;
  Eigen::Index all() const { return force + torque; }
};

/// In the plane (2) or in space (3).
inline ReactionSize reaction_size(int space) {
  return space == 2 ? ReactionSize{2, 1} : ReactionSize{3, 3};
}

/// What the joints did in an interval of time, joint by joint: components of the force, then of the
/// torque, as System::reactions() gives them (theory 6.10).
struct IntervalReactions {
  Vector mean{};    ///< without impacts; of methods that know it, at the end [N, N m]
  Vector peak{};    ///< of each joint the largest force and torque, as means of a step [N, N m]
  Vector t_peak{};  ///< when these were [s]
  Vector impact{};  ///< impulses that impacts gave [N s, N m s]
};

/// Zeros.
inline IntervalReactions no_reactions(const SystemInfo& info) {
  const std::ptrdiff_t joints = std::ssize(info.reacting_joints);
  const Vector none = Vector::Zero(joints * reaction_size(info.space).all());
  const Vector no_peaks = Vector::Zero(2 * joints);
  return {none, no_peaks, no_peaks, none};
}

/// Raises the peaks to the sizes of the reactions at t [s], if those are larger.
void raise_peaks(const SystemInfo& info, const Vector& reactions, double t,
                 IntervalReactions& interval);

}  // namespace backlash
