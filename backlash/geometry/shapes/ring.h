// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A round hole (a bearing), touched from inside.
struct Ring {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]

  static constexpr std::string_view name = "ring";
  static ShapeKeys<Ring> keys();
};

void check(const Ring& s, std::string_view item);
ShapeFeatures features(const Ring& s, const TurnedPose& X);
Boundary boundary_of(const Ring& s);
NurbsCurveData<2> curve_of(const Ring& s);
inline Ring mirrored_of(const Ring& s) { return {mirrored(s.centre), s.radius}; }

}  // namespace backlash
