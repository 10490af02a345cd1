// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"
#include "backlash/geometry/feature.h"

namespace backlash {

/// Where a corner is closest to an outline, in the frame of the outline's body.
struct Foot {
  Vec2 p;        ///< on the outline [m]
  Vec2 normal;   ///< unit, out of the outline's material
  double s;      ///< of the corner's point from p along the normal [m]; negative: inside
  bool touches;  ///< false: the two cannot touch from where they are (theory 7.5)
  double radius = INFINITY;  ///< of curvature: > 0 bulges, 0 is a corner, < 0 a hollow [m]
};

/// What is this close counts as the same place, as a part of the outline's size: two boxes of equal
/// width, one on the other, do not lose each other by a rounding error.
constexpr double same_place = 1e-10;

/// Whether the corner is the one to touch a surface with this normal, its point being outside of
/// that by s (theory 7.4); the round part of an arc counts down to its chord.
inline bool admits(const Corner& corner, const Vec2& normal, double s) {
  const Cone& normals = corner.normals;
  return normals.contains(-normal) &&
         (corner.radius == 0 || normals.all() || s >= corner.radius * normals.cosine);
}

/// The same, where a sharp corner is still in front of the surface and need not be asked.
inline bool touches(const Corner& corner, const Vec2& normal, double s) {
  return (corner.radius == 0 && s > 0) || admits(corner, normal, s);
}

/// A corner against a convex piece of a polygon (theory 7.8, 7.9).
Foot polygon_foot(const OutlinePiece& piece, const Corner& corner);

}  // namespace backlash
