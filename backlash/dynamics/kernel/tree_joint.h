// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "backlash/dynamics/kernel/plane.h"
#include "backlash/dynamics/kernel/space.h"

namespace backlash {

/// How a body rotates against its parent.
enum class JointRotation {
  none,
  axis,  ///< about an axis; q: the angle [rad]
  ball   ///< any way; q: S::Rotation as coordinates, u: angular velocity in the parent's axes
};

/// Degrees of freedom of a joint.
struct JointSize {
  int translations = 0, rotations = 0;
};

/// A joint of a tree as a motion subspace that is constant in the parent's axes (theory 6.2): the
/// joint's point J of the body translates along axes, and the body rotates about it. Coordinates:
/// those of the translations [m], then those of the rotation.
template <class S>
struct TreeJoint {
  int translations = 0;
  std::array<typename S::Vec, S::dimension> axes_P{};  ///< of the translations: orthonormal
  JointRotation rotation = JointRotation::none;
  typename S::Angular axis_P = S::axis(S::rotations - 1);  ///< of a rotation about an axis: unit

  int rotations() const {  ///< their degrees of freedom
    if (rotation == JointRotation::none) return 0;
    return rotation == JointRotation::axis ? 1 : S::rotations;
  }
  JointSize size() const { return {translations, rotations()}; }
  int dofs() const { return translations + rotations(); }
  int positions() const {
    return translations + (rotation == JointRotation::ball ? S::ball_positions : rotations());
  }
};

template <class S>
TreeJoint<S> revolute_joint(const typename S::Angular& axis_P = S::axis(S::rotations - 1)) {
  TreeJoint<S> joint;
  joint.rotation = JointRotation::axis;
  joint.axis_P = axis_P;
  return joint;
}

template <class S>
TreeJoint<S> prismatic_joint(const typename S::Vec& axis_P = S::Vec::UnitX()) {
  TreeJoint<S> joint;
  joint.translations = 1;
  joint.axes_P[0] = axis_P;
  return joint;
}

template <class S>
TreeJoint<S> ball_joint() {
  TreeJoint<S> joint;
  joint.rotation = JointRotation::ball;
  return joint;
}

/// Along all axes of the parent, with any rotation.
template <class S>
TreeJoint<S> free_joint() {
  TreeJoint<S> joint = ball_joint<S>();
  joint.translations = S::dimension;
  for (int k = 0; k < S::dimension; ++k) joint.axes_P[static_cast<std::size_t>(k)] = S::unit(k);
  return joint;
}

/// Where J has moved from where q = 0, in the parent's axes [m].
template <class S>
typename S::Vec displacement(const TreeJoint<S>& joint, const double* q) {
  typename S::Vec sum = S::Vec::Zero();
  for (int k = 0; k < joint.translations; ++k)
    sum += q[k] * joint.axes_P[static_cast<std::size_t>(k)];
  return sum;
}

/// How the body has rotated from where q = 0, in the parent's axes.
template <class S>
typename S::Rotation rotation(const TreeJoint<S>& joint, const double* q) {
  const double* own = q + joint.translations;
  if (joint.rotation == JointRotation::axis) return S::about(joint.axis_P, own[0]);
  return joint.rotation == JointRotation::ball ? S::read_ball(own) : typename S::Rotation{};
}

/// q̇ = N(q) u (theory 6.3).
template <class S>
void position_rate(const TreeJoint<S>& joint, const double* q, const double* u, double* rate) {
  const int plain = joint.rotation == JointRotation::ball ? joint.translations : joint.dofs();
  for (int k = 0; k < plain; ++k) rate[k] = u[k];
  if (plain < joint.dofs()) S::ball_rate(q + plain, u + plain, rate + plain);
}

/// The position that q becomes in a time dt with the constant velocity u (theory 6.3).
template <class S>
void advance(const TreeJoint<S>& joint, const double* q, const double* u, double dt, double* end) {
  const int plain = joint.rotation == JointRotation::ball ? joint.translations : joint.dofs();
  for (int k = 0; k < plain; ++k) end[k] = q[k] + dt * u[k];
  if (plain < joint.dofs()) S::advance_ball(q + plain, u + plain, dt, end + plain);
}

}  // namespace backlash
