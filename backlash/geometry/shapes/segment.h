// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A wall from a to b: material on the left of a → b, as in a polygon; the normal points right.
struct Segment {
  Vec2 a = Vec2::Zero();  ///< [m]
  Vec2 b = Vec2::Zero();  ///< [m]

  static constexpr std::string_view name = "segment";
  static ShapeKeys<Segment> keys();
};

void check(const Segment& s, std::string_view item);
ShapeFeatures features(const Segment& s, const TurnedPose& X);
Boundary boundary_of(const Segment& s);
NurbsCurveData<2> curve_of(const Segment& s);
inline Segment mirrored_of(const Segment& s) { return {mirrored(s.b), mirrored(s.a)}; }

}  // namespace backlash
