// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/kernel/twist.h"

namespace backlash {

/// The inertia of rigid bodies about a reference point (theory 6.6).
template <class S>
struct RigidInertia {
  typename S::Inertia angular = S::no_inertia();  ///< about the reference [kg m²]
  typename S::Vec first_moment = S::Vec::Zero();  ///< mass × (reference → centre of mass) [kg m]
  double mass = 0;                                ///< [kg]
};

/// Of a body with this inertia about its centre of mass, which lies at `com` from the reference.
template <class S>
RigidInertia<S> rigid_inertia(double mass, const typename S::Inertia& inertia,
                              const typename S::Vec& com) {
  return {inertia + mass * S::square(com), mass * com, mass};
}

/// The same in the world's axes, of a body that is turned there as X says.
template <class S>
RigidInertia<S> turned(const typename S::Pose& X, const RigidInertia<S>& I) {
  return {S::turned(X, I.angular), X.direction(I.first_moment), I.mass};
}

/// Adds an inertia about a reference that lies at r from the sum's.
template <class S>
void add_shifted(const RigidInertia<S>& I, const typename S::Vec& r, RigidInertia<S>& sum) {
  sum.angular += I.angular + S::mixed_square(r, 2 * I.first_moment + I.mass * r);
  sum.first_moment += I.first_moment + I.mass * r;
  sum.mass += I.mass;
}

/// Momentum, or the force that goes with an acceleration.
template <class S>
Wrench<S> operator*(const RigidInertia<S>& I, const Twist<S>& V) {
  return {I.angular * V.angular + S::cross(I.first_moment, V.linear),
          I.mass * V.linear + S::cross(V.angular, I.first_moment)};
}

/// The same for a motion that only rotates, or only translates.
template <class S>
Wrench<S> rotated(const RigidInertia<S>& I, const typename S::Angular& omega) {
  return {I.angular * omega, S::cross(omega, I.first_moment)};
}
template <class S>
Wrench<S> translated(const RigidInertia<S>& I, const typename S::Vec& v) {
  return {S::cross(I.first_moment, v), I.mass * v};
}

/// The force of inertia while u̇ = 0, of a body with the acceleration A and the angular velocity ω
/// (theory 6.5). In the plane A.angular is zero then.
template <class S>
Wrench<S> inertia_force(const RigidInertia<S>& I, const Twist<S>& A,
                        const typename S::Angular& omega) {
  Wrench<S> F{S::cross(A.linear, I.first_moment),
              S::centrifugal(omega, I.first_moment) - I.mass * A.linear};
  if constexpr (S::rotations > 1) {
    F.angular -= I.angular * A.angular + S::cross(omega, I.angular * omega);
    F.linear -= S::cross(A.angular, I.first_moment);
  }
  return F;
}

}  // namespace backlash
