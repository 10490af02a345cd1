// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/pose.h"

namespace backlash {
namespace {

bool about_z(const Vec3& rotation) { return rotation.x() == 0 && rotation.y() == 0; }

}  // namespace

Vec2 rotated(double angle, const Vec2& v) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

Vec3 rotated(const Vec3& rotation, const Vec3& v) {
  if (!about_z(rotation)) return rotation_matrix(quaternion(rotation)) * v;
  const Vec2 turned = rotated(rotation.z(), in_plane(v));
  return {turned.x(), turned.y(), v.z()};
}

Vec3 operator*(const Pose& X_AB, const Vec3& p_BQ) { return X_AB.p + rotated(X_AB.rotation, p_BQ); }

Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  const bool parallel = about_z(X_AB.rotation) && about_z(X_BC.rotation);
  return {X_AB * X_BC.p,
          parallel ? Vec3(X_AB.rotation + X_BC.rotation)
                   : rotation_vector(quaternion(X_AB.rotation) * quaternion(X_BC.rotation))};
}

}  // namespace backlash
