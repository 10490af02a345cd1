// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "backlash/geometry/feature.h"

namespace backlash {

/// Whether an arc answers for its ends, too.
enum class ArcEnds {
  touched,  ///< beyond an end, the end is the closest point
  open      ///< the ends are corners of their own
};

/// A circle or part of one, touched from outside.
struct ConvexArc {
  Vec2 centre;
  double radius;
  Cone range{};  ///< the directions of its points from the centre
  std::array<Corner, 2> ends{};
  ArcEnds answer = ArcEnds::touched;
};

/// (theory 7.10)
inline Foot foot(const ConvexArc& o, const Corner& corner) {
  const auto [n, rho] = direction(corner.p - o.centre, o.radius, o.range.middle);
  const double s = rho - o.radius;
  const double height = corner.radius == 0 ? rho * n.dot(o.range.middle) : rho - corner.radius;
  const bool above_chord = o.range.all() || height >= o.radius * o.range.cosine;
  const bool reached = o.range.contains(n) && above_chord;
  if (o.answer == ArcEnds::open && !(reached && (corner.radius == 0 || admits(corner, n, s))))
    return {o.centre - o.radius * n, n, rho + o.radius, false,
            o.radius};  // the far side of the circle
  if (reached) return {o.centre + o.radius * n, n, s, touches(corner, n, s), o.radius};
  const Vec2 to[2] = {corner.p - o.ends[0].p, corner.p - o.ends[1].p};
  const int i = to[0].squaredNorm() <= to[1].squaredNorm() ? 0 : 1;
  const auto [m, d] = direction(to[i], o.radius, o.ends[i].normals.middle);
  return {o.ends[i].p, m, d, o.ends[i].normals.contains(m) && touches(corner, m, d), 0};
}
inline EnclosingCircle circle_around(const ConvexArc& o) { return {o.centre, o.radius}; }
inline std::optional<double> touch_radius(const ConvexArc& o) { return o.radius; }

/// The round corners of a shape as an outline: each is a piece of its own.
struct RoundCorners {
  std::vector<ConvexArc> arcs{};
};

inline int piece_count(const RoundCorners& o) { return static_cast<int>(o.arcs.size()); }
inline const ConvexArc& piece_of(const RoundCorners& o, int i) {
  return o.arcs[static_cast<std::size_t>(i)];
}
inline EnclosingCircle circle_around(const RoundCorners& o) {
  EnclosingCircle all{o.arcs.front().centre, 0};
  for (const ConvexArc& arc : o.arcs)
    all.radius = std::max(all.radius, (arc.centre - all.centre).norm() + arc.radius);
  return all;
}

/// A round hole or part of one, touched from inside; a part is as deep as its radius.
struct ConcaveArc {
  Vec2 centre;
  double radius;
  Cone range{};
  std::array<Vec2, 2> ends{Vec2::Zero(), Vec2::Zero()};
};

/// (theory 7.11)
inline Foot foot(const ConcaveArc& o, const Corner& corner) {
  const auto [e, rho] = direction(corner.p - o.centre, o.radius, o.range.middle);
  if (o.range.contains(e)) {
    const bool near = o.range.all() || rho <= 2 * o.radius;
    return {o.centre + o.radius * e, -e, o.radius - rho,
            near && (corner.radius == 0 || corner.normals.contains(e)), -o.radius};
  }
  const Vec2 to[2] = {corner.p - o.ends[0], corner.p - o.ends[1]};
  const int i = to[0].squaredNorm() <= to[1].squaredNorm() ? 0 : 1;
  const auto [m, s] = direction(to[i], o.radius, -o.range.middle);
  return {o.ends[i], m, s, false};
}
inline EnclosingCircle circle_around(const ConcaveArc& o) {
  return {o.centre, o.range.all() ? INFINITY : 2 * o.radius};
}
inline std::optional<double> touch_radius(const ConcaveArc& o) { return -o.radius; }

}  // namespace backlash
