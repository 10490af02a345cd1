// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/nurbs_curve.h"

/// Exact lines, circles and ellipses as rational curves of degree 2 (theory 11.8), parameter 0 … 1.
/// Angles [rad], lengths [m]; counter-clockwise where the angle is positive.
namespace backlash {

/// From a to b; degree 1.
template <int D>
NurbsCurveData<D> line_curve(const nurbs::VecD<D>& a, const nurbs::VecD<D>& b) {
  return {.degree = 1, .points = {a, b}, .weights = {1, 1}, .knots = {0, 0, 1, 1}};
}

/// From the angle `start` on over `angle`, at most a full turn to either side; a full turn is
/// closed.
NurbsCurveData<2> circular_arc(const Vec2& centre, double radius, double start, double angle);

NurbsCurveData<2> circle_curve(const Vec2& centre, double radius);

/// Semi-axes a along the direction `rotation` and b across it.
NurbsCurveData<2> ellipse_curve(const Vec2& centre, double a, double b, double rotation = 0);

}  // namespace backlash
