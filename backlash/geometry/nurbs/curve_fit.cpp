// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/curve_fit.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/facing.h"
#include "backlash/geometry/nurbs/fit_axis.h"

namespace backlash {
namespace {

using nurbs::VecD;

/// Parameters in proportion to the way from point to point; of a periodic curve with one more, the
/// first point's again.
template <int D>
std::vector<double> chord_parameters(std::span<const VecD<D>> points, SplineEnds ends) {
  std::vector<double> u{0};
  const std::size_t chords = points.size() - (ends == SplineEnds::periodic ? 0 : 1);
  for (std::size_t i = 0; i < chords; ++i) {
    const double chord = (points[(i + 1) % points.size()] - points[i]).norm();
    if (!(chord > 0))
      throw InputError(fmt::format("points {} and {} of a curve are the same", i + 1,
                                   (i + 1) % points.size() + 1));
    u.push_back(u.back() + chord);
  }
  if (!std::isfinite(u.back())) throw InputError("points of a curve are too far apart for numbers");
  const double length = u.back();
  for (double& x : u) x /= length;
  return u;
}

template <int D>
Matrix point_rows(std::span<const VecD<D>> points) {
  Matrix rows(static_cast<Eigen::Index>(points.size()), D);
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = points[i].transpose();
  return rows;
}

template <int D>
NurbsCurve<D> solved_curve(std::span<const VecD<D>> points, const std::vector<double>& u,
                           NurbsCurveData<D> data, int control_points) {
  const nurbs::SplineAxis axis =
      nurbs::spline_axis(data.degree, control_points, data.knots, data.ends, "curve");
  const Matrix control = nurbs::fit_control(axis, u, point_rows<D>(points));
  data.points.clear();
  for (Eigen::Index i = 0; i < control.rows(); ++i)
    data.points.push_back(control.row(i).transpose());
  return NurbsCurve<D>(std::move(data), "curve through points");
}

/// The parameter of the closest point of the curve near u, and its distance.
template <int D>
double project(const NurbsCurve<D>& curve, const VecD<D>& p, double& u) {
  const nurbs::BezierPieces<D, 0> point(p);
  const nurbs::Nearest<D, 0, 1> system{{INFINITY, INFINITY}};
  const nurbs::PieceComparison<D, 0, 1, nurbs::Nearest<D, 0, 1>> c{point, curve.pieces(), nullptr,
                                                                   system, 0};
  nurbs::Coords<double, 0> none{};
  nurbs::Coords<double, 1> x{curve.pieces().axis(0).in_domain(u)};
  const double before = (curve.at(u).p - p).norm();
  nurbs::refine(c, none, x);
  const double after = (curve.at(x[0]).p - p).norm();
  if (after <= before) u = x[0];
  return std::min(before, after);
}

template <int D>
double project_all(const NurbsCurve<D>& curve, std::span<const VecD<D>> points,
                   std::vector<double>& u) {
  double deviation = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    deviation = std::max(deviation, project<D>(curve, points[i], u[i]));
  return deviation;
}

}  // namespace

template <int D>
CurveFit<D> interpolated_curve(std::span<const VecD<D>> points, int degree, SplineEnds ends) {
  return fitted_curve<D>(points, static_cast<int>(points.size()), degree, ends);
}

template <int D>
CurveFit<D> fitted_curve(std::span<const VecD<D>> points, int control_points, int degree,
                         SplineEnds ends) {
  nurbs::require_fit({points.size(), control_points, degree, ends}, "curve");
  std::vector<double> u = chord_parameters<D>(points, ends);
  NurbsCurveData<D> data{.degree = degree, .ends = ends};
  data.knots = nurbs::fit_knots(u, control_points, degree, ends);
  NurbsCurve<D> curve = solved_curve<D>(points, u, data, control_points);
  double deviation = project_all<D>(curve, points, u);
  const int rounds = control_points < static_cast<int>(points.size()) ? 8 : 0;
  for (int round = 0; round < rounds; ++round) {  // the feet of the points are better parameters
    std::vector<double> better = u;
    NurbsCurve<D> next = solved_curve<D>(points, better, data, control_points);
    const double after = project_all<D>(next, points, better);
    if (!(after < deviation)) break;
    curve = std::move(next);
    deviation = after;
    u = std::move(better);
  }
  const int smooth = curve.continuity();
  return {std::move(curve), smooth, deviation};
}

template CurveFit<2> interpolated_curve(std::span<const Vec2>, int, SplineEnds);
template CurveFit<3> interpolated_curve(std::span<const Vec3>, int, SplineEnds);
template CurveFit<2> fitted_curve(std::span<const Vec2>, int, int, SplineEnds);
template CurveFit<3> fitted_curve(std::span<const Vec3>, int, int, SplineEnds);

}  // namespace backlash
