// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/normal_cone.h"
#include "backlash/geometry/pose2.h"

/// Which pieces of curves in the plane cannot face each other, by their normals (theory 11.32).
namespace backlash::nurbs {

/// Whether two unit vectors may be parallel, if they differ from a and b by at most these angles.
inline bool may_be_parallel(const Vec2& a, const HalfAngle& of_a, const Vec2& b,
                            const HalfAngle& of_b) {
  return a.dot(b) >= of_a.cosine * of_b.cosine - of_a.sine * of_b.sine;
}

/// Whether two pieces, the second of which lies at X, may have normals that oppose each other.
inline bool may_oppose(const NormalCone& n_L, const NormalCone& n_F, const Pose2& X) {
  return n_L.any || n_F.any ||
         may_be_parallel(-n_L.axis, n_L.half, X.direction(n_F.axis), n_F.half);
}

/// Two pieces L and F, or a point L and a piece F.
struct PieceDistance {
  Vec2 from_L_to_F;  ///< of the centres of the circles around them [m]
  double distance;   ///< of these [m]
  double radii;      ///< of the circles, in all [m]
  double reach;      ///< gaps beyond this are of no interest [m]
};

/// Whether a line from one to the other, whose centres are d apart, may lie along an outward normal
/// of the first, or, where they overlap, against it.
inline bool may_be_normal(const PieceDistance& apart, const Vec2& d, const NormalCone& n) {
  if (n.any || apart.distance <= apart.radii) return true;
  const double sine = apart.radii / apart.distance;
  const HalfAngle of_d{std::sqrt(1 - sine * sine), sine};
  const Vec2 e = d / apart.distance;
  const bool near = apart.distance - apart.radii <= apart.reach;
  return (near && may_be_parallel(e, of_d, n.axis, n.half)) ||
         may_be_parallel(-e, of_d, n.axis, n.half);
}

/// Whether the line between them may be normal to both.
inline bool may_face(const PieceDistance& apart, const NormalCone& n_L, const NormalCone& n_F,
                     const Pose2& X_LF) {
  const Vec2& d = apart.from_L_to_F;
  return may_be_normal(apart, d, n_L) && may_be_normal(apart, -X_LF.local_direction(d), n_F);
}

}  // namespace backlash::nurbs
