// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "backlash/geometry/nurbs/nurbs_surface.h"

namespace backlash::test {

/// From −1 to 1 in x and y, material below.
inline NurbsSurfaceData square_plate() {
  return {
      .degree = {1, 1}, .size = {2, 2}, .points = {{-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 1, 0}}};
}

/// Another plate over the edge x = 1 of the first one, edge over edge: at a distance in a direction
/// that slopes up from x, its own edge at an angle to the other.
struct EdgeOverEdge {
  Vec3 below{1, 0.3, 0};  ///< on the edge of the first plate
  Vec3 direction;         ///< from there to the other one
  Pose3 X;                ///< of the other one

  EdgeOverEdge(double slope, double skew, double distance)
      : direction(std::cos(slope), 0, std::sin(slope)) {
    const Vec3 aside = Vec3::UnitY(), third = direction.cross(aside);
    const Vec3 edge = std::cos(skew) * third + std::sin(skew) * aside;
    const Vec3 across = edge.cross(direction);  // with the direction: a frame
    const double tilt = -0.5;
    const Vec3 inward = std::cos(tilt) * direction + std::sin(tilt) * across;
    X.R.col(0) = inward;
    X.R.col(1) = edge;
    X.R.col(2) = inward.cross(edge);
    X.p = below + distance * direction + inward - 0.2 * edge;
  }
};

}  // namespace backlash::test
