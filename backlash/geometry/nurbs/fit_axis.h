// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backlash/geometry/nurbs/spline_axis.h"

/// What fits of curves and surfaces have in common: one parameter (theory 11.21).
namespace backlash::nurbs {

struct FitRequest {
  std::size_t points = 0;
  int control_points = 0, degree = 3;
  SplineEnds ends = SplineEnds::open;
};

/// Throws InputError where these numbers make no fit of the item (curve, surface along u, …).
void require_fit(const FitRequest& fit, std::string_view item);

/// Knots so that every basis function has points of its own. The parameters u increase from 0 to 1,
/// of a periodic fit with the first point's again at the end.
std::vector<double> fit_knots(const std::vector<double>& u, int control_points, int degree,
                              SplineEnds ends);

/// The control points, as rows, of the splines that have the values at u: through them, or closest
/// in the mean of squares.
Matrix fit_control(const SplineAxis& axis, const std::vector<double>& u, const Matrix& values);

}  // namespace backlash::nurbs
