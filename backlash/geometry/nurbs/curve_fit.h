// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/geometry/nurbs/nurbs_curve.h"

/// Curves from points that were measured or computed (theory 11.21).
namespace backlash {

template <int D>
struct CurveFit {
  NurbsCurve<D> curve;
  int continuity;        ///< so many derivatives are continuous everywhere
  double max_deviation;  ///< the largest distance of a point from the curve [m]
};

/// The curve through all points, in their order; of a periodic one the last point is joined to the
/// first, which is not given again. Throws InputError for too few points or neighbours that
/// coincide.
template <int D>
CurveFit<D> interpolated_curve(std::span<const nurbs::VecD<D>> points, int degree, SplineEnds ends);

/// The curve with so many control points that is closest to the points in the mean of squares.
/// Fewer control points than points smooth what was measured; the deviation says how much.
template <int D>
CurveFit<D> fitted_curve(std::span<const nurbs::VecD<D>> points, int control_points, int degree,
                         SplineEnds ends);

}  // namespace backlash
