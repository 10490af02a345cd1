// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Velocities and forces of rigid bodies about reference points, in the world's axes; S is Plane or
/// Space. In the plane what is angular is a number, and cross() is that of the plane.
namespace backlash {

/// A velocity or an acceleration: of the body's rotation, and of its point at the reference.
template <class S>
struct Twist {
  typename S::Angular angular = S::no_rotation();  ///< [rad/s]
  typename S::Vec linear = S::Vec::Zero();         ///< [m/s]
};

/// A moment about the reference point and a force.
template <class S>
struct Wrench {
  typename S::Angular angular = S::no_rotation();  ///< [N m]
  typename S::Vec linear = S::Vec::Zero();         ///< [N]
};

template <class S>
Twist<S> operator+(const Twist<S>& a, const Twist<S>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}

/// The power of a force.
template <class S>
double dot(const Twist<S>& V, const Wrench<S>& F) {
  return S::dot(V.angular, F.angular) + V.linear.dot(F.linear);
}

/// The velocity about a reference that lies at r from the old one (theory 6.1).
template <class S>
Twist<S> shifted(const Twist<S>& V, const typename S::Vec& r) {
  return {V.angular, V.linear + S::cross(V.angular, r)};
}

/// The acceleration, while u̇ = 0, of that point of a body which lies at r from its reference. In
/// the plane no angular velocity changes then.
template <class S>
typename S::Vec acceleration_at(const Twist<S>& A, const typename S::Angular& omega,
                                const typename S::Vec& r) {
  typename S::Vec a = A.linear - S::centrifugal(omega, r);
  if constexpr (S::rotations > 1) a += S::cross(A.angular, r);
  return a;
}

/// Adds a force about a reference that lies at r from the sum's (theory 6.1).
template <class S>
void add_shifted(const Wrench<S>& F, const typename S::Vec& r, Wrench<S>& sum) {
  sum.angular += F.angular + S::cross(r, F.linear);
  sum.linear += F.linear;
}

}  // namespace backlash
