// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/spline_axis.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/bezier.h"

namespace backlash::nurbs {
namespace {

std::vector<double> uniform_knots(int degree, int points, SplineEnds ends) {
  std::vector<double> knots;
  if (ends == SplineEnds::periodic) {
    for (int i = 0; i <= points; ++i) knots.push_back(i);
    return knots;
  }
  const int spans = points - degree;
  for (int i = -degree; i <= spans + degree; ++i)
    knots.push_back(std::clamp(static_cast<double>(i) / spans, 0.0, 1.0));
  return knots;
}

void require_counts(int degree, int points, std::size_t knots, SplineEnds ends,
                    std::string_view item) {
  if (degree < 1 || degree > max_degree)
    throw InputError(
        fmt::format("{}: degree must lie in [1, {}], is {}", item, max_degree, degree));
  const bool periodic = ends == SplineEnds::periodic;
  const int fewest = periodic ? std::max(3, degree) : degree + 1;
  if (points < fewest)
    throw InputError(
        fmt::format("{}: a{} spline of degree {} needs at least {} control points, has {}; "
                    "give more of them, or lower its degree",
                    item, periodic ? " periodic" : "", degree, fewest, points));
  const std::size_t needed = at(periodic ? points + 1 : points + degree + 1);
  if (knots != 0 && knots != needed)
    throw InputError(
        fmt::format("{}: {} control points and degree {} need {} knots{}, there are {}", item,
                    points, degree, needed, periodic ? " of one period" : "", knots));
}

/// Finite, not decreasing, and none so often that the spline would fall apart.
void require_knots(const SplineAxis& axis, std::string_view item) {
  const std::vector<double>& knots = axis.knots;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    require_finite(knots[i], fmt::format("{}: knot {}", item, i + 1));
    if (i > 0 && knots[i] < knots[i - 1])
      throw InputError(
          fmt::format("{}: knots must not decrease, but {} follows {}; put them in order", item,
                      knots[i], knots[i - 1]));
  }
  if (!(axis.last() > axis.first()))
    throw InputError(
        fmt::format("{}: the knots leave no range for the parameter; leave them out to "
                    "have equal ones",
                    item));
  for (const double knot : knots) {
    const long times = std::count(knots.begin(), knots.end(), knot);
    const bool inside = knot > axis.first() && knot < axis.last();
    const int most = axis.degree + (inside ? 0 : 1);
    if (times > most)
      throw InputError(fmt::format("{}: knot {} occurs {} times, at most {} are possible {}", item,
                                   knot, times, most, inside ? "inside" : "at an end"));
  }
}

/// The knots of a period, continued on both sides.
std::vector<double> continued(const std::vector<double>& period, int degree) {
  const int n = static_cast<int>(period.size()) - 1;
  const double length = period.back() - period.front();
  std::vector<double> knots;
  for (int i = -degree; i <= n + degree; ++i) {
    const int turns = i >= 0 ? i / n : -((n - 1 - i) / n);
    knots.push_back(period[at(i - turns * n)] + turns * length);
  }
  return knots;
}

}  // namespace

SplineAxis spline_axis(int degree, int points, const std::vector<double>& knots, SplineEnds ends,
                       std::string_view item) {
  require_counts(degree, points, knots.size(), ends, item);
  SplineAxis axis{degree, knots.empty() ? uniform_knots(degree, points, ends) : knots, points,
                  points, ends != SplineEnds::open};
  if (ends == SplineEnds::periodic) {
    for (std::size_t i = 1; i < axis.knots.size(); ++i)
      if (axis.knots[i] < axis.knots[i - 1])
        throw InputError(
            fmt::format("{}: knots must not decrease, but {} follows {}; put them in order", item,
                        axis.knots[i], axis.knots[i - 1]));
    axis.knots = continued(axis.knots, degree);
    axis.points = points + degree;
  }
  require_knots(axis, item);
  return axis;
}

int span_at(const SplineAxis& axis, double u) {
  const auto first = axis.knots.begin() + axis.degree, last = axis.knots.begin() + axis.points;
  const auto above = std::upper_bound(first, last, u);
  int span = static_cast<int>(above - axis.knots.begin()) - 1;
  span = std::clamp(span, axis.degree, axis.points - 1);
  while (span > axis.degree && axis.knots[at(span)] == axis.knots[at(span + 1)]) --span;
  return span;
}

Vector basis_functions(const SplineAxis& axis, int span, double u) {
  Vector N = Vector::Zero(axis.degree + 1);
  N[0] = 1;
  for (int p = 1; p <= axis.degree; ++p) {
    double carried = 0;
    for (int i = 0; i < p; ++i) {
      const double right = axis.knots[at(span + 1 + i)], left = axis.knots[at(span + 1 + i - p)];
      const double share = N[i] / (right - left);
      N[i] = carried + (right - u) * share;
      carried = (u - left) * share;
    }
    N[p] = carried;
  }
  return N;
}

std::vector<BezierSpan> bezier_spans(const SplineAxis& axis) {
  const int p = axis.degree;
  std::vector<BezierSpan> spans;
  for (int i = p; i < axis.points; ++i) {
    const double lower = axis.knots[at(i)], upper = axis.knots[at(i + 1)];
    if (!(upper > lower)) continue;
    Matrix rows(p + 1, p + 1);
    for (int k = 0; k <= p; ++k) {
      Matrix d = Matrix::Identity(p + 1, p + 1);  // de Boor's algorithm on the unit vectors
      for (int r = 1; r <= p; ++r) {
        const double u = r <= p - k ? lower : upper;
        for (int j = p; j >= r; --j) {
          const double left = axis.knots[at(i - p + j)], right = axis.knots[at(i + j + 1 - r)];
          const double alpha = (u - left) / (right - left);
          d.row(j) = ((1 - alpha) * d.row(j - 1) + alpha * d.row(j)).eval();
        }
      }
      rows.row(k) = d.row(p);
    }
    if (p == 1) {
      Matrix raised(3, 2);
      raised << rows.row(0), 0.5 * (rows.row(0) + rows.row(1)), rows.row(1);
      rows = raised;
    }
    spans.push_back({lower, upper, i - p, rows});
  }
  return spans;
}

int continuity(const SplineAxis& axis) {
  int lowest = axis.degree;
  const bool seam = axis.points > axis.given;
  for (const double knot : axis.knots) {
    const bool inside = knot > axis.first() && knot < axis.last();
    if (!inside && !(seam && knot == axis.first())) continue;
    const long times = std::count(axis.knots.begin(), axis.knots.end(), knot);
    lowest = std::min(lowest, axis.degree - static_cast<int>(times));
  }
  return lowest;
}

}  // namespace backlash::nurbs
