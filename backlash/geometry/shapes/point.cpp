// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/point.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {

void check(const Point& s, std::string_view item) {
  require_finite(s.p, fmt::format("{}: point", item));
}

ShapeFeatures features(const Point& s, const TurnedPose& X) {
  const Vec2 p = X * s.p;
  return {.corners = {{p}}, .bound = round_bound(p, 0)};
}

Boundary boundary_of(const Point& s) { return {{s.p}}; }

}  // namespace backlash
