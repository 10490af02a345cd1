// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A half-plane.
struct Line {
  Vec2 point = Vec2::Zero();    ///< on the boundary [m]
  Vec2 normal = Vec2::UnitY();  ///< unit, out of the material

  static constexpr std::string_view name = "line";
  static ShapeKeys<Line> keys();
};

void check(const Line& s, std::string_view item);
ShapeFeatures features(const Line& s, const TurnedPose& X);
Boundary boundary_of(const Line& s);
inline Line mirrored_of(const Line& s) { return {mirrored(s.point), mirrored(s.normal)}; }

}  // namespace backlash
