// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"
#include "backlash/geometry/pose2.h"
#include "backlash/geometry/quaternion.h"

/// Poses as users give them, in the plane (the x-y plane of space) or in space.
namespace backlash {

/// Where a frame B lies in a frame A: X_AB.
struct Pose {
  Vec3 p = Vec3::Zero();         ///< p_AB, origin of B in A [m]
  Vec3 rotation = Vec3::Zero();  ///< of B's axes against A's: axis × angle [rad]; may count turns
};

/// What lies in the plane.
inline Vec3 in_space(const Vec2& v) { return {v.x(), v.y(), 0}; }
inline Vec2 in_plane(const Vec3& v) { return v.head<2>(); }
inline Pose planar_pose(const Vec2& p, double angle) { return {in_space(p), {0, 0, angle}}; }

/// `v` rotated by a rotation vector [rad]; exact in the plane.
Vec3 rotated(const Vec3& rotation, const Vec3& v);
Vec2 rotated(double angle, const Vec2& v);

/// p_AQ = X_AB p_BQ.
Vec3 operator*(const Pose& X_AB, const Vec3& p_BQ);

/// X_AC = X_AB X_BC. In the plane angles add up, and so count turns.
Pose operator*(const Pose& X_AB, const Pose& X_BC);

/// Of a pose in the plane.
inline Pose2 pose2(const Pose& X) {
  const double angle = X.rotation.z();
  return {std::cos(angle), std::sin(angle), X.p.x(), X.p.y()};
}

}  // namespace backlash
