// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "backlash/geometry/feature.h"

namespace backlash {

/// One side of a polygon.
struct Side {
  Vec2 a;       ///< first corner
  Vec2 along;   ///< unit
  Vec2 normal;  ///< unit, outwards
  double length;
  bool hollow_end;  ///< whether the polygon turns right at the end of the side
  int piece;        ///< the convex piece of the outline that the side belongs to
};

/// A polygon's sides, cut into convex pieces that turn by 180° at most (7.8); a convex polygon is
/// one piece.
struct PolygonOutline {
  std::vector<Side> sides{};
  int pieces = 1;
  bool convex = true;
  Vec2 middle = Vec2::Zero();  ///< of a circle around all
  double size = 0;             ///< its radius
  double thickness = 0;        ///< of its thinnest part
};

/// The least distance of a corner from a side that does not end there: how thin the material is, or
/// a gap in it, where it is thinnest.
double least_thickness(const PolygonOutline& outline);

/// A convex piece of a polygon: touched at one place at a time.
struct PolygonPiece {
  const PolygonOutline* outline;
  int piece;
};

/// A corner against a convex piece of a polygon (theory 7.8, 7.9).
Foot foot(const PolygonPiece& piece, const Corner& corner);

inline int piece_count(const PolygonOutline& o) { return o.pieces; }
inline PolygonPiece piece_of(const PolygonOutline& o, int i) { return {&o, i}; }
inline EnclosingCircle circle_around(const PolygonOutline& o) { return {o.middle, o.size}; }
inline std::optional<double> touch_radius(const PolygonPiece&) { return INFINITY; }

}  // namespace backlash
