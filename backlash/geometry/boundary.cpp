// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/boundary.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/plane.h"

namespace backlash {

Boundary round_boundary(const Vec2& centre, double radius) {
  Boundary o{.closed = true};
  for (int i = 0; i < boundary_points_per_turn; ++i)
    o.points.push_back(centre + radius * unit_vector(full_turn * i / boundary_points_per_turn));
  return o;
}

double least_width(const std::vector<Vec2>& points) {
  double least = INFINITY;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 side = points[(i + 1) % points.size()] - points[i];
    if (side.norm() == 0) continue;
    const Vec2 normal = Vec2(-side.y(), side.x()).normalized();
    double low = INFINITY, high = -INFINITY;
    for (const Vec2& p : points) {
      low = std::min(low, normal.dot(p));
      high = std::max(high, normal.dot(p));
    }
    least = std::min(least, high - low);
  }
  return least;
}

}  // namespace backlash
