// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/line.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {

ShapeKeys<Line> Line::keys() {
  const ShapeKeys<Line> keys{{.name = "point",
                              .value = PointValue<Line>{&Line::point},
                              .meaning = "a point of the boundary",
                              .fallback = "[0, 0]"},
                             {.name = "normal",
                              .value = DirectionValue<Line>{&Line::normal},
                              .meaning = "direction out of the material",
                              .needed = true}};
  return {
      {.name = "line",
       .value = MappingValue<Line>{.item = "a line", .description = "A half-plane.", .keys = keys},
       .meaning = "a half-plane"}};
}

void check(const Line& s, std::string_view item) {
  require_finite(s.point, fmt::format("{}: point", item));
  require_finite(s.normal, fmt::format("{}: normal", item));
  if (std::abs(s.normal.norm() - 1) > 1e-12)
    throw InputError(
        fmt::format("{}: the normal must be of length 1, is {}", item, s.normal.norm()));
}

ShapeFeatures features(const Line& s, const TurnedPose& X) {
  const HalfPlane o{X * s.point, X.X.direction(s.normal)};
  const SharedOutline outline = shared_outline(o);
  return {.outline = outline,
          .faces = outline,
          .bound = {o.point, {INFINITY, INFINITY}, INFINITY, o.normal}};
}

Boundary boundary_of(const Line& s) { return {.points = {s.point}, .normal = s.normal}; }

}  // namespace backlash
