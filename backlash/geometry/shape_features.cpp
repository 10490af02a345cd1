// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape_features.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>

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

double half_span(const Arc& s) { return 0.5 * (s.to - s.from); }
Vec2 point_of(const Arc& s, double angle) { return s.centre + s.radius * unit_vector(angle); }

/// A cap, with its chord: from the radius at its end to the normal of the chord.
Corner cap_end(const Arc& s, double end, double sense) {
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

HalfPlane outline(const Line& s) { return {s.point, s.normal}; }

Wall outline(const Segment& s) {
  const Side side = side_between(s.a, s.b);
  return {side.a, side.along, side.normal, side.length};
}

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

Outline outline(const Polygon& s) {
  Outline outline;
  outline.sides = sides(s);
  outline.pieces = cut_into_pieces(outline.sides);
  for (const Vec2& corner : s.corners)
    outline.middle += corner / static_cast<double>(s.corners.size());
  for (const Vec2& corner : s.corners)
    outline.size = std::max(outline.size, (corner - outline.middle).norm());
  outline.convex = outline.pieces == 1;
  return outline;
}

ShapeFeatures features_of_cap(const Arc& s) {
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  const std::vector<Corner> c{{s.centre, s.radius, cone(middle, half_span(s))},
                              cap_end(s, s.from, -1),
                              cap_end(s, s.to, 1)};
  const ConvexArc outline{s.centre, s.radius, c[0].normals, {c[1], c[2]}, ArcEnds::touched};
  ConvexArc open_outline = outline;
  open_outline.answer = ArcEnds::open;
  return OuterArcFeatures{c, outline, open_outline};
}

ShapeFeatures features_of_hollow(const Arc& s) {
  const double half = pi / 4 + cone_tolerance;  // from the normal to the tangent
  const Vec2 middle = unit_vector(0.5 * (s.from + s.to));
  return InnerArcFeatures{
      {{point_of(s, s.from), 0, cone(unit_vector(s.from + 1.25 * pi), half)},
       {point_of(s, s.to), 0, cone(unit_vector(s.to + 0.75 * pi), half)}},
      {s.centre, s.radius, cone(middle, half_span(s)), {point_of(s, s.from), point_of(s, s.to)}}};
}

ShapeFeatures features_of_circle(const Vec2& centre, double radius) {
  return CircleFeatures{{{centre, radius}}, {.centre = centre, .radius = radius}};
}
ShapeFeatures features_of_ring(const Vec2& centre, double radius) {
  return RingFeatures{{.centre = centre, .radius = radius}};
}

/// A pose in the plane with its angle.
struct TurnedPose {
  Pose2 X;
  double angle;  ///< [rad]

  Vec2 operator*(const Vec2& p_S) const { return X.point(p_S); }
};

// The features of each kind of shape in a pose.

ShapeFeatures features(const Point& s, const TurnedPose& X) { return PointFeatures{{{X * s.p}}}; }
ShapeFeatures features(const Circle& s, const TurnedPose& X) {
  return features_of_circle(X * s.centre, s.radius);
}
ShapeFeatures features(const Ring& s, const TurnedPose& X) {
  return features_of_ring(X * s.centre, s.radius);
}
ShapeFeatures features(const Segment& s, const TurnedPose& X) {
  const Segment placed{X * s.a, X * s.b};
  return SegmentFeatures{corners(placed), outline(placed)};
}
ShapeFeatures features(const Line& s, const TurnedPose& X) {
  return LineFeatures{outline(Line{X * s.point, X.X.direction(s.normal)})};
}
ShapeFeatures features(const Polygon& s, const TurnedPose& X) {
  Polygon placed;
  for (const Vec2& corner : s.corners) placed.corners.push_back(X * corner);
  return PolygonFeatures{corners(placed), outline(placed)};
}
ShapeFeatures features(const Arc& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  const bool whole = s.to - s.from >= 2 * pi - 1e-9, outside = s.side == ArcSide::outside;
  if (whole && outside) return features_of_circle(centre, s.radius);
  if (whole) return features_of_ring(centre, s.radius);
  const Arc placed{centre, s.radius, s.from + X.angle, s.to + X.angle, s.side};
  return outside ? features_of_cap(placed) : features_of_hollow(placed);
}
ShapeFeatures features(const CamProfile& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  const auto curve = std::make_shared<const CamCurve>(s);
  return CamFeatures{{curve, {X.X.c, X.X.s, centre.x(), centre.y()}}, curve->undercut()};
}

// And what holds each.

ShapeBound circle_around(const Vec2& centre, double radius) {
  return {centre, {radius, radius}, radius};
}

ShapeBound around(std::span<const Vec2> points) {
  Vec2 low = points.front(), high = points.front();
  for (const Vec2& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  ShapeBound bound{0.5 * (low + high), 0.5 * (high - low)};
  for (const Vec2& p : points) bound.radius = std::max(bound.radius, (p - bound.centre).norm());
  return bound;
}

ShapeBound bound(const PointFeatures& f) { return circle_around(f.corners[0].p, 0); }
ShapeBound bound(const CircleFeatures& f) {
  return circle_around(f.outline.centre, f.outline.radius);
}
ShapeBound bound(const RingFeatures& f) { return circle_around(f.outline.centre, INFINITY); }
ShapeBound bound(const SegmentFeatures& f) {  // a square
  const Wall& o = f.outline;
  const Vec2 along = o.length * o.along, deep = -o.length * o.normal;
  const Vec2 points[] = {o.a, o.a + along, o.a + along + deep, o.a + deep};
  return around(points);
}
ShapeBound bound(const LineFeatures& f) {
  return {f.outline.point, {INFINITY, INFINITY}, INFINITY, f.outline.normal};
}
ShapeBound bound(const PolygonFeatures& f) {
  std::vector<Vec2> points;
  for (const Side& side : f.outline.sides) points.push_back(side.a);
  return around(points);
}
ShapeBound bound(const OuterArcFeatures& f) {
  return circle_around(f.outline.centre, f.outline.radius);
}
ShapeBound bound(const InnerArcFeatures& f) {
  return circle_around(f.outline.centre, 2 * f.outline.radius);
}
ShapeBound bound(const CamFeatures& f) {
  return circle_around({f.outline.place.x, f.outline.place.y}, f.outline.curve->largest_radius());
}

}  // namespace

ShapeFeatures shape_features(const Shape& shape, const Pose& X_BS) {
  const TurnedPose X{pose2(X_BS), X_BS.rotation.z()};
  return std::visit([&](const auto& s) { return features(s, X); }, shape);
}

ShapeBound bound_of(const ShapeFeatures& features) {
  return std::visit([](const auto& f) { return bound(f); }, features);
}

}  // namespace backlash
