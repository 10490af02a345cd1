// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/arc.h"

#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/shape_features.h"
#include "backlash/geometry/shapes/circle.h"
#include "backlash/geometry/shapes/ring.h"

namespace backlash {
namespace {

constexpr double half_turn = std::numbers::pi;

double half_span(const Arc& s) { return 0.5 * (s.to - s.from); }
Vec2 point_of(const Arc& s, double angle) { return s.centre + s.radius * unit_vector(angle); }

/// A cap, with its chord: from the radius at its end to the normal of the chord.
Corner cap_end(const Arc& s, double end, double sense) {
  const double half = 0.5 * (half_turn - half_span(s));
  return {point_of(s, end), 0, cone(unit_vector(end + sense * half), half + cone_tolerance)};
}

/// The round part, then the ends.
ShapeFeatures features_of_cap(const Arc& s) {
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  const std::vector<Corner> c{{s.centre, s.radius, cone(middle, half_span(s))},
                              cap_end(s, s.from, -1),
                              cap_end(s, s.to, 1)};
  const ConvexArc outline{s.centre, s.radius, c[0].normals, {c[1], c[2]}, ArcEnds::touched};
  ConvexArc open_outline = outline;
  open_outline.answer = ArcEnds::open;
  return {.corners = c,
          .outline = shared_outline(outline),
          .round = shared_outline(RoundCorners{{open_outline}}),
          .bound = round_bound(s.centre, s.radius)};
}

/// A hollow that does not answer for its ends: they are corners of their own.
ShapeFeatures features_of_hollow(const Arc& s) {
  const double half = half_turn / 4 + cone_tolerance;  // from the normal to the tangent
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  const Vec2 first = point_of(s, s.from), last = point_of(s, s.to);
  return {.corners = {{first, 0, cone(unit_vector(s.from + 1.25 * half_turn), half)},
                      {last, 0, cone(unit_vector(s.to + 0.75 * half_turn), half)}},
          .faces = shared_outline(
              ConcaveArc{s.centre, s.radius, cone(middle, half_span(s)), {first, last}}),
          .bound = round_bound(s.centre, 2 * s.radius)};
}

}  // namespace

ShapeKeys<Arc> Arc::keys() {
  const auto number = [](std::string_view name, double Arc::*member, NumberRange range,
                         std::string_view unit, std::string_view meaning) {
    return ShapeKey<Arc>{.name = name,
                         .value = NumberValue<Arc>{member, range, unit},
                         .meaning = meaning,
                         .needed = true};
  };
  const ShapeKeys<Arc> keys{
      {.name = "centre",
       .value = PointValue<Arc>{&Arc::centre},
       .meaning = "the centre",
       .fallback = "[0, 0]"},
      number("radius", &Arc::radius, {NumberRange::Kind::positive}, "m", "the radius"),
      number("from", &Arc::from, {}, "rad", "where it begins"),
      number("to", &Arc::to, {}, "rad", "where it ends, counter-clockwise"),
      {.name = "side",
       .value = ChoiceValue<Arc>{{"outside", "inside"},
                                 [](Arc& s, std::size_t choice) { s.side = ArcSide(choice); }},
       .meaning = "on which side it is touched",
       .fallback = "outside"}};
  return {
      {.name = "arc",
       .value =
           MappingValue<Arc>{.item = "an arc", .description = "Part of a circle.", .keys = keys},
       .meaning = "part of a circle"}};
}

void check(const Arc& s, std::string_view item) {
  check_round(s.centre, s.radius, item);
  require_finite(s.from, fmt::format("{}: from", item));
  require_finite(s.to, fmt::format("{}: to", item));
  if (!(s.from < s.to && s.to <= s.from + full_turn + 1e-12))
    throw InputError(fmt::format(
        "{}: an arc runs counter-clockwise, by one turn at most; it begins at {} rad and "
        "ends at {} rad",
        item, s.from, s.to));
}

/// An arc that goes all the way round is a circle or a ring.
ShapeFeatures features(const Arc& s, const TurnedPose& X) {
  const bool whole = s.to - s.from >= full_turn - 1e-9, outside = s.side == ArcSide::outside;
  if (whole && outside) return features(Circle{s.centre, s.radius}, X);
  if (whole) return features(Ring{s.centre, s.radius}, X);
  const Arc placed{X * s.centre, s.radius, s.from + X.angle, s.to + X.angle, s.side};
  return outside ? features_of_cap(placed) : features_of_hollow(placed);
}

Boundary boundary_of(const Arc& s) {
  Boundary o;
  const int steps = 1 + static_cast<int>(boundary_points_per_turn * (s.to - s.from) / full_turn);
  for (int i = 0; i <= steps; ++i)
    o.points.push_back(s.centre + s.radius * unit_vector(s.from + (s.to - s.from) * i / steps));
  return o;
}

NurbsCurveData<2> curve_of(const Arc& s) {
  NurbsCurveData<2> arc =
      circular_arc(s.centre, s.radius, s.from, std::min(s.to - s.from, full_turn));
  return s.side == ArcSide::outside ? arc : reversed(std::move(arc));
}

}  // namespace backlash
