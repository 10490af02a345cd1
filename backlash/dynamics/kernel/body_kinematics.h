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
  Vec reference = Vec::Zero();                    ///< the joint's point on the body [m]
  Vec com = Vec::Zero();                          ///< from the reference to the centre of mass [m]
  Vec arm = Vec::Zero();                          ///< from the parent's reference to this one [m]
  typename S::Inertia inertia = S::no_inertia();  ///< about the centre of mass [kg m²]
  double angle = 0;  ///< of a joint in space that rotates about an axis [rad]
  std::array<Vec, S::dimension> translations{};  ///< the joint's subspace: axes of both
  std::array<typename S::Angular, S::rotations> rotations{};  ///< kinds, as many as there are
};

template <class S>
inline constexpr Eigen::Index kinematics_size = sizeof(BodyKinematics<S>) / sizeof(double);

template <class S>
const BodyKinematics<S>* bodies_in(const Vector& cache) {
  return reinterpret_cast<const BodyKinematics<S>*>(cache.data());
}

/// S u: what the joint adds to the velocity.
template <class S>
Twist<S> joint_twist(const TreeJoint<S>& joint, const BodyKinematics<S>& here, const double* u) {
  Twist<S> V;
  for (int k = 0; k < joint.translations; ++k) V.linear += u[k] * here.translations[at(k)];
  const int rotations = joint.rotations();
  for (int k = 0; k < rotations; ++k)
    V.angular += u[joint.translations + k] * here.rotations[at(k)];
  return V;
}

/// values += Sᵀ F.
template <class S>
void add_joint_force(const TreeJoint<S>& joint, const BodyKinematics<S>& here, const Wrench<S>& F,
                     double* values) {
  for (int k = 0; k < joint.translations; ++k) values[k] += here.translations[at(k)].dot(F.linear);
  const int rotations = joint.rotations();
  for (int k = 0; k < rotations; ++k)
    values[joint.translations + k] += S::dot(here.rotations[at(k)], F.angular);
}

}  // namespace backlash
