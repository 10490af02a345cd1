// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/circle.h"

#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {

ShapeKeys<Circle> Circle::keys() {
  return {{.name = "circle",
           .value = NumberValue<Circle>{.member = &Circle::radius,
                                        .range = {NumberRange::Kind::positive},
                                        .unit = "m",
                                        .phrase = "radius [m]"},
           .meaning = "a disk, touched from outside"}};
}

void check_round(const Vec2& centre, double radius, std::string_view item) {
  require_finite(centre, fmt::format("{}: centre", item));
  require_positive(radius, fmt::format("{}: radius", item), "m");
}

void check(const Circle& s, std::string_view item) { check_round(s.centre, s.radius, item); }

/// It is one round corner itself.
ShapeFeatures features(const Circle& s, const TurnedPose& X) {
  const ConvexArc disk{.centre = X * s.centre, .radius = s.radius};
  return {.corners = {{disk.centre, s.radius}},
          .outline = shared_outline(disk),
          .round = shared_outline(RoundCorners{{disk}}),
          .bound = round_bound(disk.centre, s.radius)};
}

Boundary boundary_of(const Circle& s) { return round_boundary(s.centre, s.radius); }

AreaProperties area_of(const Circle& s) {
  const double area = std::numbers::pi * s.radius * s.radius;
  return {area, s.centre, area * s.radius * s.radius / 2};
}

}  // namespace backlash
