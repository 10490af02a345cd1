// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A disk, touched from outside.
struct Circle {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]

  static constexpr std::string_view name = "circle";
  static ShapeKeys<Circle> keys();
};

void check(const Circle& s, std::string_view item);
ShapeFeatures features(const Circle& s, const TurnedPose& X);
Boundary boundary_of(const Circle& s);
AreaProperties area_of(const Circle& s);

/// What all round shapes need.
void check_round(const Vec2& centre, double radius, std::string_view item);
inline Circle mirrored_of(const Circle& s) { return {mirrored(s.centre), s.radius}; }

}  // namespace backlash
