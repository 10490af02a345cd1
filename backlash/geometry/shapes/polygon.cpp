// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/polygon.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

/// Whether the sides a–b and c–d cross or touch.
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double ac = cross(b - a, c - a), ad = cross(b - a, d - a);
  const double ca = cross(d - c, a - c), cb = cross(d - c, b - c);
  if (ac * ad > 0 || ca * cb > 0) return false;
  if (ac != 0 || ad != 0) return true;
  const Vec2 along = b - a;  // all on one line: the intervals overlap
  const double length = along.squaredNorm();
  const double s = (c - a).dot(along), e = (d - a).dot(along);
  return std::max(s, e) >= 0 && std::min(s, e) <= length;
}

Side side_between(const Vec2& a, const Vec2& b) {
  const double length = (b - a).norm();
  const Vec2 along = (b - a) / length;
  return {a, along, right_of(along), length, false, 0};
}

/// The angle by which the polygon turns left from one side to the next.
double angle_to(const Side& s, const Side& next) {
  return std::atan2(cross(s.along, next.along), s.along.dot(next.along));
}

constexpr double straight = 1e-9;  // [rad]

std::vector<Side> sides(const Polygon& s) {
  std::vector<Side> sides;
  const std::size_t n = s.corners.size();
  for (std::size_t i = 0; i < n; ++i)
    sides.push_back(side_between(s.corners[i], s.corners[(i + 1) % n]));
  for (std::size_t i = 0; i < n; ++i)
    sides[i].hollow_end = angle_to(sides[i], sides[(i + 1) % n]) < -straight;
  return sides;
}

/// Numbers the convex pieces of the outline (theory 7.8), and gives how many there are.
int cut_into_pieces(std::vector<Side>& sides) {
  const auto hollow =
      std::find_if(sides.begin(), sides.end(), [](const Side& s) { return s.hollow_end; });
  if (hollow == sides.end()) return 1;
  const std::size_t n = sides.size(), start = static_cast<std::size_t>(hollow - sides.begin()) + 1;
  int piece = 0;
  double turned = 0;
  for (std::size_t k = 0; k < n; ++k) {
    Side& side = sides[(start + k) % n];
    side.piece = piece;
    const double next_turn = angle_to(side, sides[(start + k + 1) % n]);
    turned += next_turn;
    if (!side.hollow_end && turned <= std::numbers::pi + straight) continue;
    ++piece;
    turned = 0;
  }
  return piece;
}

/// Those that stick out.
std::vector<Corner> convex_corners(const std::vector<Side>& all) {
  std::vector<Corner> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Side& before = all[(i + all.size() - 1) % all.size()];
    const double angle = angle_to(before, all[i]);
    if (angle <= straight) continue;
    const Vec2 middle = rotated(0.5 * angle, before.normal);
    out.push_back({all[i].a, 0, cone(middle, 0.5 * angle + cone_tolerance)});
  }
  return out;
}

PolygonOutline polygon_outline(const Polygon& s) {
  PolygonOutline outline;
  outline.sides = sides(s);
  outline.pieces = cut_into_pieces(outline.sides);
  for (const Vec2& corner : s.corners)
    outline.middle += corner / static_cast<double>(s.corners.size());
  for (const Vec2& corner : s.corners)
    outline.size = std::max(outline.size, (corner - outline.middle).norm());
  outline.convex = outline.pieces == 1;
  outline.thickness = least_thickness(outline);
  return outline;
}

}  // namespace

ShapeKeys<Polygon> Polygon::keys() {
  return {{.name = "box",
           .value = SizeValue<Polygon>{[](Polygon& s, double length, double width) {
             s = box(length, width);
           }},
           .meaning = "a rectangle [length, width], its middle at the origin"},
          {.name = "polygon",
           .value = PointListValue<Polygon>{.phrase = "[[x, y], …] [m]",
                                            .expected = "a list of corners [x, y]",
                                            .set =
                                                [](Polygon& s, std::vector<Vec2> corners) {
                                                  s.corners = std::move(corners);
                                                }},
           .meaning = "corners counter-clockwise; it may be concave"}};
}

Polygon box(double length, double width) {
  require_positive(length, "box: length", "m");
  require_positive(width, "box: width", "m");
  const double x = length / 2, y = width / 2;
  return {{{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
}

double doubled_area(const Polygon& polygon) {
  double area = 0;
  const std::vector<Vec2>& c = polygon.corners;
  for (std::size_t i = 0; i < c.size(); ++i) area += cross(c[i], c[(i + 1) % c.size()]);
  return area;
}

void check(const Polygon& s, std::string_view item) {
  constexpr std::size_t most = 10'000;  // whether sides cross is asked of all pairs of them
  if (s.corners.size() > most)
    throw InputError(
        fmt::format("{}: {} corners, at most {} are accepted", item, s.corners.size(), most));
  const std::size_t n = s.corners.size();
  if (n < 3)
    throw InputError(fmt::format("{}: a polygon needs 3 corners or more, has {}", item, n));
  for (std::size_t i = 0; i < n; ++i) {
    require_finite(s.corners[i], fmt::format("{}: corner {}", item, i + 1));
    if (s.corners[i] == s.corners[(i + 1) % n])
      throw InputError(
          fmt::format("{}: corners {} and {} are the same point", item, i + 1, (i + 1) % n + 1));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;  // neighbours
      if (meet(s.corners[i], s.corners[i + 1], s.corners[j], s.corners[(j + 1) % n]))
        throw InputError(
            fmt::format("{}: sides {} and {} of the polygon meet", item, i + 1, j + 1));
    }
  if (!(doubled_area(s) > 0))
    throw InputError(fmt::format("{}: the corners must run counter-clockwise", item));
}

ShapeFeatures features(const Polygon& s, const TurnedPose& X) {
  Polygon placed;
  for (const Vec2& corner : s.corners) placed.corners.push_back(X * corner);
  PolygonOutline sides = polygon_outline(placed);
  std::vector<Corner> corners = convex_corners(sides.sides);
  const SharedOutline outline = shared_outline(std::move(sides));
  return {.corners = std::move(corners),
          .outline = outline,
          .faces = outline,
          .bound = bound_around(placed.corners)};
}

Boundary boundary_of(const Polygon& s) { return {s.corners, true}; }

NurbsCurveData<2> curve_of(const Polygon& s) {
  NurbsCurveData<2> sides{.degree = 1, .points = s.corners, .ends = SplineEnds::closed};
  sides.points.push_back(s.corners.front());
  return sides;
}

Polygon mirrored_of(const Polygon& s) {
  Polygon other;
  for (auto corner = s.corners.rbegin(); corner != s.corners.rend(); ++corner)
    other.corners.push_back(mirrored(*corner));
  return other;
}

/// By triangles from the first corner.
AreaProperties area_of(const Polygon& s) {
  AreaProperties sum;
  const Vec2 origin = s.corners.front();
  double moment = 0;  // about the first corner
  Vec2 first = Vec2::Zero();
  for (std::size_t i = 1; i + 1 < s.corners.size(); ++i) {
    const Vec2 a = s.corners[i] - origin, b = s.corners[i + 1] - origin;
    const double doubled = a.x() * b.y() - a.y() * b.x();
    sum.area += doubled / 2;
    first += doubled / 6 * (a + b);
    moment += doubled / 12 * (a.squaredNorm() + a.dot(b) + b.squaredNorm());
  }
  const Vec2 centre = first / sum.area;
  sum.centre = origin + centre;
  sum.moment = moment - sum.area * centre.squaredNorm();
  return sum;
}

}  // namespace backlash
