// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"
#include "backlash/geometry/pose.h"

namespace backlash {

/// A planar pose with its sine and cosine at hand: where a frame B lies in the world.
struct Placement {
  double c = 1, s = 0;  ///< cosine and sine of the angle
  double x = 0, y = 0;  ///< origin [m]

  Vec2 direction(const Vec2& d_B) const {
    return {c * d_B.x() - s * d_B.y(), s * d_B.x() + c * d_B.y()};
  }
  Vec2 point(const Vec2& p_B) const {
    return {x + c * p_B.x() - s * p_B.y(), y + s * p_B.x() + c * p_B.y()};
  }
  /// The other way: a point of the world in B.
  Vec2 local_point(const Vec2& p_W) const {
    const double dx = p_W.x() - x, dy = p_W.y() - y;
    return {c * dx + s * dy, -s * dx + c * dy};
  }
};

inline Placement placement(const PlanarPose& X) {
  return {std::cos(X.angle), std::sin(X.angle), X.p.x(), X.p.y()};
}

}  // namespace backlash
