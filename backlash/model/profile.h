// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/source_location.h"
#include "backlash/geometry/nurbs/nurbs_curve.h"

namespace backlash {

/// A curve that shapes are made of, with where it came from.
struct ModelProfile {
  std::string name{};
  NurbsCurveData<2> curve{};  ///< material on its left
  std::string source{};       ///< the file that it was read from; empty: the model itself
  int measured = 0;           ///< points that it was made from; 0: control points were given
  double max_deviation = 0;   ///< of these from the curve [m]
  bool turned = false;        ///< runs the other way than it was written
  SourceLocation where{};
};

}  // namespace backlash
