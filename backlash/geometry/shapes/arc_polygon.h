// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A polygon whose sides may be arcs that bulge or are hollow, counter-clockwise.
struct ArcPolygon {
  std::vector<PathPoint> path{};
  bool mirrored = false;  ///< the path is half of it; the other half is its mirror image
  int copies = 1;         ///< of that around the origin

  static constexpr std::string_view name = "outline";
  static ShapeKeys<ArcPolygon> keys();
};

void check(const ArcPolygon& s, std::string_view item);
ShapeFeatures features(const ArcPolygon& s, const TurnedPose& X);
Boundary boundary_of(const ArcPolygon& s);
NurbsCurveData<2> curve_of(const ArcPolygon& s);
AreaProperties area_of(const ArcPolygon& s);
ArcPolygon mirrored_of(const ArcPolygon& s);

}  // namespace backlash
