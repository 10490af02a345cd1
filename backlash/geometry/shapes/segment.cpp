// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/segment.h"

#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

ShapeBound bound_of(const Wall& o) {  // a square
  const Vec2 along = o.length * o.along, deep = -o.length * o.normal;
  const Vec2 points[] = {o.a, o.a + along, o.a + along + deep, o.a + deep};
  return bound_around(points);
}

}  // namespace

ShapeKeys<Segment> Segment::keys() {
  return {{.name = "segment",
           .value = PointListValue<Segment>{.count = 2,
                                            .phrase = "[[x, y], [x, y]] [m]",
                                            .expected = "two points [x, y]",
                                            .set =
                                                [](Segment& s, std::vector<Vec2> ends) {
                                                  s.a = ends[0];
                                                  s.b = ends[1];
                                                }},
           .meaning = "a wall from a to b, material on the left"}};
}

void check(const Segment& s, std::string_view item) {
  require_finite(s.a, fmt::format("{}: first end", item));
  require_finite(s.b, fmt::format("{}: second end", item));
  if (s.a == s.b) throw InputError(fmt::format("{}: the ends of a segment must differ", item));
}

ShapeFeatures features(const Segment& s, const TurnedPose& X) {
  const Vec2 a = X * s.a, b = X * s.b;
  const double length = (b - a).norm(), half = std::numbers::pi / 4 + cone_tolerance;
  const Vec2 along = (b - a) / length, normal = right_of(along);
  const Wall wall{a, along, normal, length};
  const SharedOutline outline = shared_outline(wall);
  return {.corners = {{a, 0, cone((normal - along).normalized(), half)},
                      {b, 0, cone((normal + along).normalized(), half)}},
          .outline = outline,
          .faces = outline,
          .bound = bound_of(wall)};
}

Boundary boundary_of(const Segment& s) { return {{s.a, s.b}}; }

NurbsCurveData<2> curve_of(const Segment& s) { return line_curve<2>(s.a, s.b); }

}  // namespace backlash
