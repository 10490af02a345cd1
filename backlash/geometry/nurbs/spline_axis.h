// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backlash/base/types.h"

namespace backlash {

/// What happens where a parameter's range ends.
enum class SplineEnds {
  open,     ///< the curve ends there
  closed,   ///< the last point is the first one; knots and control points are given in full
  periodic  ///< it goes on smoothly: each control point is given once, and the knots of one period
};

namespace nurbs {

/// One parameter of a spline: knots in full, degree + 1 more than control points; a periodic one
/// repeats its first control points at the end.
struct SplineAxis {
  int degree = 3;
  std::vector<double> knots{};  ///< not decreasing
  int points = 0;               ///< control points, with those that are repeated
  int given = 0;                ///< control points without the repetition
  bool closed = false;

  double first() const { return knots[static_cast<std::size_t>(degree)]; }
  double last() const { return knots[static_cast<std::size_t>(points)]; }
};

/// Checks what the user gave and completes it. Empty knots are uniform: of an open or closed axis
/// clamped over [0, 1], of a periodic one 0, 1, …, one for each control point and the last. A
/// periodic axis has one knot more than control points, and points i … i + degree govern the span
/// from knot i to knot i + 1. Throws InputError naming the item.
SplineAxis spline_axis(int degree, int points, const std::vector<double>& knots, SplineEnds ends,
                       std::string_view item);

/// The span of the knots that u lies in: knots[span] ≤ u < knots[span + 1].
int span_at(const SplineAxis& axis, double u);

/// The degree + 1 basis functions that do not vanish at u, those of the points span − degree … span
/// (theory 11.1); they sum up to 1.
Vector basis_functions(const SplineAxis& axis, int span, double u);

/// One span between different knots, as a Bézier piece: row k of `coefficients` makes the k-th of
/// its control points from degree + 1 points of the spline, from `point` on (theory 11.2). The
/// degree of the piece is at least 2.
struct BezierSpan {
  double lower, upper;
  int point;
  Matrix coefficients;
};
std::vector<BezierSpan> bezier_spans(const SplineAxis& axis);

/// So many derivatives are continuous at every knot inside, and at the seam of a periodic axis.
int continuity(const SplineAxis& axis);

}  // namespace nurbs
}  // namespace backlash
