// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plane.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

struct Point {
  Vec2 p = Vec2::Zero();  ///< [m]

  static constexpr std::string_view name = "point";
  static ShapeKeys<Point> keys() {
    return {{.name = "point", .value = PointValue<Point>{&Point::p}, .meaning = "a point"}};
  }
};

void check(const Point& s, std::string_view item);
ShapeFeatures features(const Point& s, const TurnedPose& X);
Boundary boundary_of(const Point& s);
inline Point mirrored_of(const Point& s) { return {mirrored(s.p)}; }

}  // namespace backlash
