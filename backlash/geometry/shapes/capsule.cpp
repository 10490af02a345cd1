// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/capsule.h"

#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

/// The flank on the corner's side of the centre line; for one inside that can only have come
/// through the other flank, that (theory 7.9).
Foot foot_on_flank(const Bar& o, const Corner& corner) {
  const double d = cross(corner.p - o.a, o.along);  // to the right of the centre line
  const Vec2 n = d < 0 ? left_of(o.along) : right_of(o.along);
  const double s = std::abs(d) - o.radius, through = -std::abs(d) - o.radius;
  if (s < 0 && !admits(corner, n, s) && admits(corner, -n, through))
    return {corner.p + through * n, -n, through, true};
  return {corner.p - s * n, n, s, touches(corner, n, s)};
}

}  // namespace

ShapeKeys<Capsule> Capsule::keys() {
  const auto point = [](std::string_view name, Vec2 Capsule::*member, std::string_view meaning) {
    return ShapeKey<Capsule>{
        .name = name, .value = PointValue<Capsule>{member}, .meaning = meaning, .needed = true};
  };
  const ShapeKeys<Capsule> keys{
      point("from", &Capsule::a, "centre of the first round end"),
      point("to", &Capsule::b, "centre of the second round end"),
      {.name = "radius",
       .value = NumberValue<Capsule>{&Capsule::radius, {NumberRange::Kind::positive}, "m"},
       .meaning = "of the ends: half its width",
       .needed = true}};
  return {{.name = "capsule",
           .value =
               MappingValue<Capsule>{
                   .item = "a capsule", .description = "A bar with round ends.", .keys = keys},
           .meaning = "a bar with round ends"}};
}

void check(const Capsule& s, std::string_view item) {
  require_finite(s.a, fmt::format("{}: first end", item));
  require_finite(s.b, fmt::format("{}: second end", item));
  require_positive(s.radius, fmt::format("{}: radius", item), "m");
  if (s.a == s.b)
    throw InputError(
        fmt::format("{}: the ends of a capsule must differ; use a circle instead", item));
}

/// (theory 7.23)
Foot foot(const Bar& o, const Corner& corner) {
  const double t = (corner.p - o.a).dot(o.along), tolerance = same_place * o.length;
  if (-tolerance <= t && t <= o.length + tolerance) return foot_on_flank(o, corner);
  const Vec2 end = t < 0 ? o.a : Vec2(o.a + o.length * o.along);
  if (o.answer == ArcEnds::touched)
    return foot(ConvexArc{.centre = end, .radius = o.radius}, corner);
  const double rho = (corner.p - end).norm();
  const Vec2 n = (corner.p - end) / rho;
  return {end - o.radius * n, n, rho + o.radius, false, o.radius};  // the far side of the end
}

/// Two disks with flanks between them.
ShapeFeatures features(const Capsule& s, const TurnedPose& X) {
  const Vec2 a = X * s.a, b = X * s.b;
  const double length = (b - a).norm();
  const Bar whole{a, (b - a) / length, length, s.radius};
  Bar flanks = whole;
  flanks.answer = ArcEnds::open;
  const ConvexArc ends[] = {{.centre = a, .radius = s.radius}, {.centre = b, .radius = s.radius}};
  return {
      .corners = {{a, s.radius}, {b, s.radius}},
      .outline = shared_outline(whole),
      .faces = shared_outline(flanks),
      .round = shared_outline(RoundCorners{{ends[0], ends[1]}}),
      .bound = {whole.middle(), 0.5 * length * whole.along.cwiseAbs() + Vec2::Constant(s.radius),
                0.5 * length + s.radius}};
}

Boundary boundary_of(const Capsule& s) {
  constexpr int steps = boundary_points_per_turn / 2;
  const Vec2 d = s.b - s.a;
  const double right = std::atan2(d.y(), d.x()) - std::numbers::pi / 2;
  Boundary o{.closed = true};
  for (int i = 0; i <= steps; ++i)
    o.points.push_back(s.b + s.radius * unit_vector(right + std::numbers::pi * i / steps));
  for (int i = 0; i <= steps; ++i)
    o.points.push_back(s.a - s.radius * unit_vector(right + std::numbers::pi * i / steps));
  return o;
}

/// A flank, half a circle by two quarters, and the same back.
NurbsCurveData<2> curve_of(const Capsule& s) {
  const Vec2 d = s.radius * (s.b - s.a).normalized(), n = right_of(d), middle = 0.5 * (s.a + s.b);
  const double corner = std::sqrt(0.5);
  return {.degree = 2,
          .points = {s.a + n, middle + n, s.b + n, s.b + n + d, s.b + d, s.b - n + d, s.b - n,
                     middle - n, s.a - n, s.a - n - d, s.a - d, s.a + n - d, s.a + n},
          .weights = {1, 1, 1, corner, 1, corner, 1, 1, 1, corner, 1, corner, 1},
          .knots = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6},
          .ends = SplineEnds::closed};
}

/// A rectangle, and two half disks whose centres lie 4r/3π beyond its ends.
AreaProperties area_of(const Capsule& s) {
  const double length = (s.b - s.a).norm(), r = s.radius;
  const double bar = 2 * r * length, disk = std::numbers::pi * r * r;
  const double half = length / 2, beyond = 4 * r / (3 * std::numbers::pi);
  return {bar + disk, 0.5 * (s.a + s.b),
          bar * (length * length + 4 * r * r) / 12 +
              disk * (r * r / 2 + half * half + 2 * half * beyond)};
}

}  // namespace backlash
