// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/geometry/nurbs/nurbs_curve.h"

/// The two cams that bounce on each other.
namespace backlash::test {

inline NurbsCurveData<2> cam_1() {
  return {.degree = 3,
          .points = {{0.085, 0},
                     {0.055, 0.045},
                     {0, 0.055},
                     {-0.045, 0.045},
                     {-0.06, 0},
                     {-0.045, -0.045},
                     {0, -0.055},
                     {0.055, -0.045}},
          .weights = {2, 1, 1, 1, 1, 1, 1, 1},
          .knots = {3, 4, 5, 6, 7, 8, 9, 10, 11},
          .ends = SplineEnds::periodic};
}

inline NurbsCurveData<2> cam_2() {
  return {.degree = 3,
          .points = {{0.15, 0},
                     {0.12, 0.07},
                     {0, 0.11},
                     {-0.12, 0.08},
                     {-0.16, 0},
                     {-0.12, -0.08},
                     {0, -0.1},
                     {0.12, -0.07}},
          .weights = {1, 1, 1.5, 1, 1, 1, 1, 1},
          .knots = {3, 4, 5, 6, 7, 8, 9, 10, 11},
          .ends = SplineEnds::periodic};
}

inline Pose2 lying_at(double x, double y, double angle) {
  return {std::cos(angle), std::sin(angle), x, y};
}

}  // namespace backlash::test
