// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/shape_info.h"

namespace backlash {

/// A profile of any form: a rational B-spline, material on its left. One that is closed and runs
/// clockwise is a hole.
struct NurbsProfile {
  NurbsCurveData<2> curve{};

  static constexpr std::string_view name = "profile";
  static ShapeKeys<NurbsProfile> keys();
};

void check(const NurbsProfile& s, std::string_view item);
ShapeFeatures features(const NurbsProfile& s, const TurnedPose& X);
Boundary boundary_of(const NurbsProfile& s);
AreaProperties area_of(const NurbsProfile& s);
NurbsProfile mirrored_of(const NurbsProfile& s);

}  // namespace backlash
