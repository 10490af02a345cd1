// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"

namespace backlash {

/// Where a planar frame B lies in a frame A: X_AB.
struct PlanarPose {
  Vec2 p = Vec2::Zero();  ///< p_AB, origin of B in A [m]
  double angle = 0;       ///< of B's axes against A's, counter-clockwise [rad]
};

/// `v` turned counter-clockwise by `angle` [rad].
inline Vec2 rotated(double angle, const Vec2& v) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

/// p_AQ = X_AB p_BQ.
inline Vec2 operator*(const PlanarPose& X_AB, const Vec2& p_BQ) {
  return X_AB.p + rotated(X_AB.angle, p_BQ);
}

/// X_AC = X_AB X_BC.
inline PlanarPose operator*(const PlanarPose& X_AB, const PlanarPose& X_BC) {
  return {X_AB * X_BC.p, X_AB.angle + X_BC.angle};
}

}  // namespace backlash
