// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plain_vec2.h"
#include "backlash/base/types.h"

namespace backlash {

/// Where a planar frame B lies in the world, with the sine and cosine of its angle at hand.
struct Pose2 {
  double c = 1, s = 0;  ///< cosine and sine of the angle
  double x = 0, y = 0;  ///< origin [m]

  void archive(auto& a) { a(c, s, x, y); }

  PlainVec2 direction(const PlainVec2& d_B) const {
    return {c * d_B.x() - s * d_B.y(), s * d_B.x() + c * d_B.y()};
  }
  PlainVec2 point(const PlainVec2& p_B) const {
    return {x + c * p_B.x() - s * p_B.y(), y + s * p_B.x() + c * p_B.y()};
  }
  /// Directions and points of the world in B.
  PlainVec2 local_direction(const PlainVec2& d_W) const {
    return {c * d_W.x() + s * d_W.y(), -s * d_W.x() + c * d_W.y()};
  }
  PlainVec2 local_point(const PlainVec2& p_W) const {
    const double dx = p_W.x() - x, dy = p_W.y() - y;
    return {c * dx + s * dy, -s * dx + c * dy};
  }

  Vec2 direction(const Vec2& d_B) const { return direction(PlainVec2(d_B)); }
  Vec2 point(const Vec2& p_B) const { return point(PlainVec2(p_B)); }
  Vec2 local_direction(const Vec2& d_W) const { return local_direction(PlainVec2(d_W)); }
  Vec2 local_point(const Vec2& p_W) const { return local_point(PlainVec2(p_W)); }
};

/// X_AC = X_AB X_BC.
inline Pose2 operator*(const Pose2& X_AB, const Pose2& X_BC) {
  const Vec2 p = X_AB.point(Vec2(X_BC.x, X_BC.y));
  return {X_AB.c * X_BC.c - X_AB.s * X_BC.s, X_AB.s * X_BC.c + X_AB.c * X_BC.s, p.x(), p.y()};
}

/// Where a frame B lies in space.
struct Pose3 {
  Mat3 R = Mat3::Identity();  ///< R_WB
  Vec3 p = Vec3::Zero();      ///< origin [m]

  Vec3 direction(const Vec3& d_B) const { return R * d_B; }
  Vec3 point(const Vec3& p_B) const { return p + R * p_B; }
  Vec3 local_direction(const Vec3& d_W) const { return R.transpose() * d_W; }
  Vec3 local_point(const Vec3& p_W) const { return R.transpose() * (p_W - p); }
};

}  // namespace backlash
