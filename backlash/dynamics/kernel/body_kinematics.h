// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/types.h"
#include "backlash/dynamics/kernel/tree_joint.h"

namespace backlash {

/// What the cache holds of each body, in the world's axes.
template <class S>
struct BodyKinematics {
  using Vec = typename S::Vec;
  typename S::Pose X_WB{};
  typename S::Rotation rotation{};
  Vec reference = Vec::Zero();  ///< the joint's point on the body [m]
  Vec arm = Vec::Zero();        ///< from the parent's reference to this one [m]
  RigidInertia<S> inertia{};    ///< about the reference
  double angle = 0;             ///< of a joint in space that rotates about an axis [rad]
  std::array<Vec, S::dimension> translations{};  ///< the joint's subspace: axes of both
  std::array<typename S::Angular, S::rotations> rotations{};  ///< kinds, as many as there are
};

template <class S>
inline constexpr Eigen::Index kinematics_size = sizeof(BodyKinematics<S>) / sizeof(double);

template <class S>
const BodyKinematics<S>* bodies_in(const Vector& cache) {
  return reinterpret_cast<const BodyKinematics<S>*>(cache.data());
}

/// S u: what the joint adds to the velocity. (Here and below the first bound of each loop gives the
/// compiler how few entries there are.)
template <class S>
Twist<S> joint_twist(JointSize joint, const BodyKinematics<S>& here, const double* u) {
  Twist<S> V;
  for (int k = 0; k < S::dimension && k < joint.translations; ++k)
    V.linear += u[k] * here.translations[at(k)];
  for (int k = 0; k < S::rotations && k < joint.rotations; ++k)
    V.angular += u[joint.translations + k] * here.rotations[at(k)];
  return V;
}

/// Sᵀ F: write(k, value) for each dof k of the joint.
template <class S, class Write>
void project_on_joint(JointSize joint, const BodyKinematics<S>& here, const Wrench<S>& F,
                      Write write) {
  for (int k = 0; k < S::dimension && k < joint.translations; ++k)
    write(k, here.translations[at(k)].dot(F.linear));
  for (int k = 0; k < S::rotations && k < joint.rotations; ++k)
    write(joint.translations + k, S::dot(here.rotations[at(k)], F.angular));
}

/// values += Sᵀ F.
template <class S>
void add_joint_force(JointSize joint, const BodyKinematics<S>& here, const Wrench<S>& F,
                     double* values) {
  project_on_joint(joint, here, F, [&](int k, double value) { values[k] += value; });
}

}  // namespace backlash
