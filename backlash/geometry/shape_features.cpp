// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape_features.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "backlash/base/plane.h"

namespace backlash {
namespace {

constexpr double pi = std::numbers::pi;

/// Beyond its normal cone a corner still counts as the one that touches, by this angle [rad]: a box
/// that rests on a side with two corners, deeper on one of them, touches with both (theory 7.4).
constexpr double cone_tolerance = pi / 12;

/// The directions within `half` [rad] of `middle`.
Cone cone(const Vec2& middle, double half) {
  return {middle, half < pi ? std::cos(half) : Cone{}.cosine};
}

/// A pose in the plane with its angle.
struct TurnedPose {
  Pose2 X;
  double angle;  ///< [rad]

  Vec2 operator*(const Vec2& p_S) const { return X.point(p_S); }
};

PlacedShape placed(const Point& s, const TurnedPose& X) { return Point{X * s.p}; }
PlacedShape placed(const Circle& s, const TurnedPose& X) { return Circle{X * s.centre, s.radius}; }
PlacedShape placed(const Ring& s, const TurnedPose& X) { return Ring{X * s.centre, s.radius}; }
PlacedShape placed(const Segment& s, const TurnedPose& X) { return Segment{X * s.a, X * s.b}; }

PlacedShape placed(const Line& s, const TurnedPose& X) {
  return Line{X * s.point, X.X.direction(s.normal)};
}

PlacedShape placed(const Polygon& s, const TurnedPose& X) {
  Polygon p;
  for (const Vec2& corner : s.corners) p.corners.push_back(X * corner);
  return p;
}

PlacedShape placed(const Arc& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  const bool whole = s.to - s.from >= 2 * pi - 1e-9, outside = s.side == ArcSide::outside;
  if (whole && outside) return Circle{centre, s.radius};
  if (whole) return Ring{centre, s.radius};
  const Arc arc{centre, s.radius, s.from + X.angle, s.to + X.angle, s.side};
  if (outside) return OuterArc{arc};
  return InnerArc{arc};
}

PlacedShape placed(const CamProfile& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  return Cam{std::make_shared<const CamCurve>(s), {X.X.c, X.X.s, centre.x(), centre.y()}};
}

double half_span(const Arc& s) { return 0.5 * (s.to - s.from); }
Vec2 point_of(const Arc& s, double angle) { return s.centre + s.radius * unit_vector(angle); }

/// A cap, with its chord: from the radius at its end to the normal of the chord.
Corner cap_end(const OuterArc& s, double end, double sense) {
  const double half = 0.5 * (pi - half_span(s));
  return {point_of(s, end), 0, cone(unit_vector(end + sense * half), half + cone_tolerance)};
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
    if (!side.hollow_end && turned <= pi + straight) continue;
    ++piece;
    turned = 0;
  }
  return piece;
}

}  // namespace

PlacedShape placed(const Shape& shape, const Pose& X_BS) {
  const TurnedPose X{pose2(X_BS), X_BS.rotation.z()};
  return std::visit([&](const auto& s) { return placed(s, X); }, shape);
}

std::vector<Corner> corners(const Point& s) { return {{s.p}}; }
std::vector<Corner> corners(const Circle& s) { return {{s.centre, s.radius}}; }

std::vector<Corner> corners(const Segment& s) {
  const Side side = side_between(s.a, s.b);
  const double half = pi / 4 + cone_tolerance;
  return {{s.a, 0, cone((side.normal - side.along).normalized(), half)},
          {s.b, 0, cone((side.normal + side.along).normalized(), half)}};
}

std::vector<Corner> corners(const Polygon& s) {
  const std::vector<Side> all = sides(s);
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

std::vector<Corner> corners(const OuterArc& s) {
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  return {{s.centre, s.radius, cone(middle, half_span(s))},
          cap_end(s, s.from, -1),
          cap_end(s, s.to, 1)};
}

std::vector<Corner> corners(const InnerArc& s) {
  const double half = pi / 4 + cone_tolerance;  // from the normal to the tangent
  return {{point_of(s, s.from), 0, cone(unit_vector(s.from + 1.25 * pi), half)},
          {point_of(s, s.to), 0, cone(unit_vector(s.to + 0.75 * pi), half)}};
}

HalfPlane outline(const Line& s) { return {s.point, s.normal}; }

Wall outline(const Segment& s) {
  const Side side = side_between(s.a, s.b);
  return {side.a, side.along, side.normal, side.length};
}

ConvexArc outline(const Circle& s) { return {.centre = s.centre, .radius = s.radius}; }

ConvexArc outline(const OuterArc& s, ArcEnds answer) {
  const std::vector<Corner> c = corners(s);
  return {s.centre, s.radius, c[0].normals, {c[1], c[2]}, answer};
}

ConcaveArc outline(const Ring& s) { return {.centre = s.centre, .radius = s.radius}; }

ConcaveArc outline(const InnerArc& s) {
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  return {s.centre, s.radius, cone(middle, half_span(s)), {point_of(s, s.from), point_of(s, s.to)}};
}

std::vector<OutlinePiece> pieces(const Polygon& s) {
  auto outline = std::make_shared<Outline>();
  outline->sides = sides(s);
  const int count = cut_into_pieces(outline->sides);
  for (const Vec2& corner : s.corners)
    outline->middle += corner / static_cast<double>(s.corners.size());
  for (const Vec2& corner : s.corners)
    outline->size = std::max(outline->size, (corner - outline->middle).norm());
  outline->convex = count == 1;
  std::vector<OutlinePiece> out;
  for (int piece = 0; piece < count; ++piece) out.push_back({outline, piece});
  return out;
}

}  // namespace backlash
