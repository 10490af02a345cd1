// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/polygon_outline.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

/// A point seen from a side: along it, out of it, and how far from it.
struct SideView {
  double t;       ///< from the side's first corner [m]
  double d;       ///< out of the side's line [m]
  double square;  ///< of the distance from the side, with its ends [m²]
};

SideView seen_from(const Side& side, const Vec2& p) {
  const Vec2 e = p - side.a;
  const double t = e.dot(side.along), d = e.dot(side.normal);
  const double beyond = t - std::clamp(t, 0.0, side.length);
  return {t, d, d * d + beyond * beyond};
}

Foot on_line(const Side& side, const Vec2& p, bool touches) {
  const double d = (p - side.a).dot(side.normal);
  return {p - d * side.normal, side.normal, d, touches};
}

std::size_t after(const PolygonOutline& o, std::size_t i) {
  return i + 1 == o.sides.size() ? 0 : i + 1;
}
std::size_t before(const PolygonOutline& o, std::size_t i) {
  return (i == 0 ? o.sides.size() : i) - 1;
}

/// The closest of the sides that `counts`; as many as there are sides if none does.
template <class Counts>
std::size_t nearest_side(const PolygonOutline& o, const Vec2& p, const Counts& counts) {
  std::size_t best = o.sides.size();
  double smallest = INFINITY;
  for (std::size_t i = 0; i < o.sides.size(); ++i) {
    if (!counts(o.sides[i])) continue;
    const double square = seen_from(o.sides[i], p).square;
    if (best != o.sides.size() && !(square < smallest)) continue;  // far away it is infinite
    smallest = square;
    best = i;
  }
  return best;
}

bool contains_convex(const PolygonOutline& o, const Vec2& p, double tolerance) {
  return std::all_of(o.sides.begin(), o.sides.end(),
                     [&](const Side& side) { return (p - side.a).dot(side.normal) <= tolerance; });
}

/// Whether a ray from p crosses the outline an odd number of times, or p lies on it.
bool contains_concave(const PolygonOutline& o, const Vec2& p, double tolerance) {
  bool odd = false;
  for (std::size_t i = 0; i < o.sides.size(); ++i) {
    const Side& side = o.sides[i];
    const SideView view = seen_from(side, p);
    if (view.square <= tolerance * tolerance) return true;
    const bool upwards = side.a.y() <= p.y(),
               crosses = upwards != (o.sides[after(o, i)].a.y() <= p.y());
    if (crosses && upwards == (view.d < 0)) odd = !odd;
  }
  return odd;
}

/// Inside: the nearest side by which the corner can have come, and the side across a hollow corner
/// if the point is behind both (theory 7.9).
Foot foot_from_inside(const PolygonPiece& o, const Corner& corner) {
  const PolygonOutline& all = *o.outline;
  const std::size_t none = all.sides.size();
  const auto belongs = [&](const Side& s) { return s.piece == o.piece; };
  const std::size_t i = nearest_side(all, corner.p, [&](const Side& s) {
    return admits(corner, s.normal, (corner.p - s.a).dot(s.normal));
  });
  if (i == none) return on_line(all.sides[nearest_side(all, corner.p, belongs)], corner.p, false);
  if (belongs(all.sides[i])) return on_line(all.sides[i], corner.p, true);
  for (const std::size_t k : {before(all, i), after(all, i)}) {
    const Side& side = all.sides[k];
    const bool hollow = all.sides[k == before(all, i) ? k : i].hollow_end;
    const double d = (corner.p - side.a).dot(side.normal);
    if (hollow && belongs(side) && d <= 0 && admits(corner, side.normal, d))
      return on_line(side, corner.p, true);
  }
  return on_line(all.sides[nearest_side(all, corner.p, belongs)], corner.p, false);
}

/// At the corner where side i ends. It belongs to the piece of that side, and to nobody if hollow.
Foot foot_on_vertex(const PolygonPiece& o, std::size_t i, const Corner& corner) {
  const Side &side = o.outline->sides[i], &next = o.outline->sides[after(*o.outline, i)];
  const Vec2 e = corner.p - next.a;
  const double s = e.norm();
  const Vec2 n = e / s;
  const bool in_front = e.dot(side.along) >= 0 && e.dot(next.along) <= 0;
  const bool own = side.piece == o.piece && !side.hollow_end;
  return {next.a, n, s, own && in_front && touches(corner, n, s), 0};
}

/// The side that a sharp corner meets very close to the end of side i, where a rounding error
/// decides on which side of the end it is: of the two sides there the one that it can touch, and
/// that it is farther outside of (theory 7.28). Null if it is not so close, or can touch neither.
const Side* side_near_end(const PolygonOutline& o, std::size_t i, const Corner& corner) {
  const Side &side = o.sides[i], &next = o.sides[after(o, i)];
  const double reach = face_extension * o.size;
  if (side.hollow_end || (corner.p - next.a).squaredNorm() > reach * reach) return nullptr;
  const Side* met = nullptr;
  double farthest = -INFINITY;
  for (const Side* each : {&side, &next}) {
    const double d = (corner.p - each->a).dot(each->normal);
    if (!(d > farthest) || !admits(corner, each->normal, d)) continue;
    met = each;
    farthest = d;
  }
  return met;
}

Foot foot_from_outside(const PolygonPiece& o, const Corner& corner) {
  const PolygonOutline& all = *o.outline;
  const std::size_t i =
      nearest_side(all, corner.p, [&](const Side& s) { return s.piece == o.piece; });
  const Side& side = all.sides[i];
  const SideView view = seen_from(side, corner.p);
  const bool first_half = view.t < 0.5 * side.length;
  if (corner.radius == 0)
    if (const Side* met = side_near_end(all, first_half ? before(all, i) : i, corner);
        met != nullptr && met->piece == o.piece)
      return on_line(*met, corner.p, true);
  if (view.t < 0) return foot_on_vertex(o, before(all, i), corner);
  if (view.t > side.length) return foot_on_vertex(o, i, corner);
  return on_line(side, corner.p, view.d > 0 && touches(corner, side.normal, view.d));
}

}  // namespace

double least_thickness(const PolygonOutline& outline) {
  double least = INFINITY;
  for (std::size_t corner = 0; corner < outline.sides.size(); ++corner)
    for (std::size_t i = 0; i < outline.sides.size(); ++i)
      if (i != corner && after(outline, i) != corner)
        least = std::min(least, seen_from(outline.sides[i], outline.sides[corner].a).square);
  return std::sqrt(least);
}

Foot foot(const PolygonPiece& piece, const Corner& corner) {
  const PolygonOutline& o = *piece.outline;
  const double tolerance = same_place * o.size;
  const bool inside =
      o.convex ? contains_convex(o, corner.p, tolerance) : contains_concave(o, corner.p, tolerance);
  return inside ? foot_from_inside(piece, corner) : foot_from_outside(piece, corner);
}

}  // namespace backlash
