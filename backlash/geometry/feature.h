// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <utility>

#include "backlash/base/types.h"

/// What shapes are made of where they touch: rounded corners on one side, outlines on the other
/// (outline.h). Points and directions in the frame of the feature's body, lengths [m].
namespace backlash {

/// Directions around `middle`: those d with d · middle ≥ cosine.
struct Cone {
  Vec2 middle = Vec2::UnitX();
  double cosine = -2;  ///< of half the opening; below −1: all directions

  bool all() const { return cosine < -1; }
  bool contains(const Vec2& d) const { return d.dot(middle) >= cosine; }
};

/// The directions within `half` [rad] of `middle`.
inline Cone cone(const Vec2& middle, double half) {
  return {middle, half < std::numbers::pi ? std::cos(half) : Cone{}.cosine};
}

/// Beyond its normal cone a corner still counts as the one that touches, by this angle [rad]: a box
/// that rests on a side with two corners, deeper on one of them, touches with both (theory 7.4).
inline constexpr double cone_tolerance = std::numbers::pi / 12;

/// A corner, rounded with a radius: a point, a disk, the corner of a polygon, an end of a segment,
/// the round part of an arc. It can touch what lies in the directions of its normal cone (7.4).
struct Corner {
  Vec2 p = Vec2::Zero();
  double radius = 0;
  Cone normals{};
};

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

/// Faces reach this far beyond their ends for sharp corners, as a part of the outline's size: where
/// two boxes stand side by side, the corner of one is at the end of the other's face, and the
/// normal is the face's, however they are rounded (theory 7.28).
constexpr double face_extension = 1e-6;

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

/// The direction and the length of e; `substitute` where e vanishes against `scale`.
inline std::pair<Vec2, double> direction(const Vec2& e, double scale, const Vec2& substitute) {
  const double length = e.norm();
  if (length <= 1e-14 * scale) return {substitute, length};
  return {e / length, length};
}

/// A circle around a feature and around what counts as its inside, in the frame of its body.
struct EnclosingCircle {
  Vec2 centre;
  double radius;
};
inline EnclosingCircle circle_around(const Corner& c) { return {c.p, c.radius}; }

}  // namespace backlash
