// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// On which side of a round curve the material is.
enum class ArcSide {
  outside,  ///< the arc is touched from outside, as a disk
  inside    ///< the arc is touched from inside, as a hole
};

/// Part of a circle, counter-clockwise from `from` to `to`.
struct Arc {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]
  double from = 0;             ///< [rad]
  double to = 0;               ///< [rad], in (from, from + 2π]
  ArcSide side = ArcSide::outside;

  static constexpr std::string_view name = "arc";
  static ShapeKeys<Arc> keys();
};

void check(const Arc& s, std::string_view item);
ShapeFeatures features(const Arc& s, const TurnedPose& X);
Boundary boundary_of(const Arc& s);
NurbsCurveData<2> curve_of(const Arc& s);
inline double thickness_of(const Arc& s) { return s.radius; }
inline Arc mirrored_of(const Arc& s) {
  return {mirrored(s.centre), s.radius, -s.to, -s.from, s.side};
}

}  // namespace backlash
