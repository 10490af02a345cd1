// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"

namespace backlash {

/// A unit quaternion: a rotation in space.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  Vec3 vector() const { return {x, y, z}; }
};

/// The rotation b, then a: R(a b) = R(a) R(b).
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Quaternion inverse(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

inline Quaternion normalized(const Quaternion& q) {
  const double f = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {f * q.w, f * q.x, f * q.y, f * q.z};
}

/// The rotation by the rotation vector: axis × angle [rad].
inline Quaternion quaternion(const Vec3& rotation) {
  const double angle = rotation.norm();
  const double f = angle > 1e-4 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return {std::cos(angle / 2), f * rotation.x(), f * rotation.y(), f * rotation.z()};
}

/// The rotation vector of the least angle, at most π [rad].
inline Vec3 rotation_vector(const Quaternion& q) {
  const double sign = q.w < 0 ? -1 : 1, s = q.vector().norm();
  if (s == 0) return Vec3::Zero();
  return sign * 2 * std::atan2(s, std::abs(q.w)) / s * q.vector();
}

/// Of a unit quaternion.
inline Mat3 rotation_matrix(const Quaternion& q) {
  Mat3 R;
  R << 1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y),
      2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x),
      2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y);
  return R;
}

}  // namespace backlash
