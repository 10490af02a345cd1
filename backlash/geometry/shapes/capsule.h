// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "backlash/base/plane.h"
#include "backlash/geometry/round_outline.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// All that is nearer than the radius to the line from a to b: a bar with round ends, touched from
/// outside.
struct Capsule {
  Vec2 a = Vec2::Zero();  ///< [m]
  Vec2 b = Vec2::Zero();  ///< [m]
  double radius = 0;      ///< [m]

  static constexpr std::string_view name = "capsule";
  static ShapeKeys<Capsule> keys();
};

void check(const Capsule& s, std::string_view item);
ShapeFeatures features(const Capsule& s, const TurnedPose& X);
Boundary boundary_of(const Capsule& s);
NurbsCurveData<2> curve_of(const Capsule& s);
AreaProperties area_of(const Capsule& s);

/// Its outline: two flanks and, unless these are corners of their own, the round ends.
struct Bar {
  Vec2 a;
  Vec2 along;  ///< unit, from a to b
  double length, radius;
  ArcEnds answer = ArcEnds::touched;

  Vec2 middle() const { return a + 0.5 * length * along; }
};

Foot foot(const Bar& o, const Corner& corner);
inline EnclosingCircle circle_around(const Bar& o) {
  return {o.middle(), 0.5 * o.length + o.radius};
}
inline std::optional<double> touch_radius(const Bar& o) {
  if (o.answer == ArcEnds::open) return INFINITY;
  return std::nullopt;
}
inline Capsule mirrored_of(const Capsule& s) { return {mirrored(s.a), mirrored(s.b), s.radius}; }

}  // namespace backlash
