// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A simple polygon, convex or not: material on the left of each side, corners counter-clockwise.
struct Polygon {
  std::vector<Vec2> corners{};  ///< [m]

  static constexpr std::string_view name = "polygon";
  static ShapeKeys<Polygon> keys();
};

/// A rectangle of these sides, which must be positive, with its middle at the origin [m].
Polygon box(double length, double width);

/// Twice the signed area, > 0 if counter-clockwise [m²].
double doubled_area(const Polygon& polygon);

void check(const Polygon& s, std::string_view item);
ShapeFeatures features(const Polygon& s, const TurnedPose& X);
Boundary boundary_of(const Polygon& s);
NurbsCurveData<2> curve_of(const Polygon& s);
AreaProperties area_of(const Polygon& s);
Polygon mirrored_of(const Polygon& s);

}  // namespace backlash
