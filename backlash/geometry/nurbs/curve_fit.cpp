// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/curve_fit.h"

#include <fmt/format.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/facing.h"

namespace backlash {
namespace {

using nurbs::VecD;
using Sparse = Eigen::SparseMatrix<double>;

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

/// Knots so that every basis function has points of its own: means of neighbouring parameters.
std::vector<double> clamped_knots(const std::vector<double>& u, int control_points, int degree) {
  std::vector<double> knots(at(degree + 1), u.front());
  const double points = static_cast<double>(u.size());
  for (int j = 1; j < control_points - degree; ++j) {
    double sum = 0;
    if (control_points == static_cast<int>(u.size())) {
      for (int i = j; i < j + degree; ++i) sum += u[at(i)] / degree;
    } else {
      const double place = j * points / (control_points - degree);
      const int i = static_cast<int>(place);
      sum = u[at(i - 1)] + (place - i) * (u[at(i)] - u[at(i - 1)]);
    }
    knots.push_back(sum);
  }
  knots.insert(knots.end(), at(degree + 1), u.back());
  return knots;
}

/// Knots of a period, one for each control point: at parameters, for an even degree between them.
std::vector<double> periodic_knots(const std::vector<double>& u, int control_points, int degree) {
  std::vector<double> knots;
  const double step = static_cast<double>(u.size() - 1) / control_points;
  const double shift = degree % 2 == 1 ? 0 : 0.5;
  const double n = static_cast<double>(u.size() - 1);
  for (int j = 0; j <= control_points; ++j) {
    const double place = j * step + shift;
    const double turns = std::floor(place / n), within = place - turns * n;
    const std::size_t i = static_cast<std::size_t>(within);
    const double next = i + 1 < u.size() ? u[i + 1] : u.back();
    knots.push_back(turns + u[i] + (within - static_cast<double>(i)) * (next - u[i]));
  }
  knots.back() = knots.front() + 1;
  return knots;
}

/// Row i: the basis functions at the i-th parameter.
Sparse basis_matrix(const nurbs::SplineAxis& axis, const std::vector<double>& u,
                    std::size_t points) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < points; ++i) {
    double x = u[i];
    if (axis.closed) x -= std::floor((x - axis.first()) / (axis.last() - axis.first()));
    const int span = nurbs::span_at(axis, x);
    const Vector N = nurbs::basis_functions(axis, span, x);
    for (int j = 0; j <= axis.degree; ++j)
      entries.emplace_back(static_cast<int>(i), (span - axis.degree + j) % axis.given, N[j]);
  }
  Sparse A(static_cast<Eigen::Index>(points), axis.given);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

template <int D>
Matrix point_rows(std::span<const VecD<D>> points) {
  Matrix rows(static_cast<Eigen::Index>(points.size()), D);
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = points[i].transpose();
  return rows;
}

Matrix solved(const Sparse& A, const Matrix& b) {
  const auto fail = [] {
    throw InputError("these points determine no curve of this degree and number of control points");
  };
  Matrix x;
  if (A.rows() == A.cols()) {
    Eigen::SparseLU<Sparse> lu(A);
    if (lu.info() != Eigen::Success) fail();
    x = lu.solve(b);
  } else {
    const Sparse normal = A.transpose() * A;
    const Eigen::SimplicialLDLT<Sparse> ldlt(normal);
    if (ldlt.info() != Eigen::Success || ldlt.vectorD().minCoeff() <= 1e-14) fail();
    x = ldlt.solve(A.transpose() * b);
  }
  if (!x.allFinite()) fail();
  return x;
}

template <int D>
NurbsCurve<D> solved_curve(std::span<const VecD<D>> points, const std::vector<double>& u,
                           NurbsCurveData<D> data, int control_points) {
  const nurbs::SplineAxis axis =
      nurbs::spline_axis(data.degree, control_points, data.knots, data.ends, "curve");
  const Matrix control = solved(basis_matrix(axis, u, points.size()), point_rows<D>(points));
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

void require_fit(std::size_t points, int control_points, int degree, SplineEnds ends) {
  if (ends == SplineEnds::closed)
    throw InputError("a curve through points is open or periodic; 'closed' needs control points");
  const int fewest = ends == SplineEnds::periodic ? std::max(3, degree) : degree + 1;
  if (control_points < fewest)
    throw InputError(fmt::format(
        "a curve of degree {} needs at least {} control points, or points to go through, has {}",
        degree, fewest, control_points));
  if (static_cast<int>(points) < control_points)
    throw InputError(fmt::format(
        "{} control points for a curve near {} points; expected no more of them than points",
        control_points, points));
}

}  // namespace

template <int D>
CurveFit<D> interpolated_curve(std::span<const VecD<D>> points, int degree, SplineEnds ends) {
  return fitted_curve<D>(points, static_cast<int>(points.size()), degree, ends);
}

template <int D>
CurveFit<D> fitted_curve(std::span<const VecD<D>> points, int control_points, int degree,
                         SplineEnds ends) {
  require_fit(points.size(), control_points, degree, ends);
  std::vector<double> u = chord_parameters<D>(points, ends);
  NurbsCurveData<D> data{.degree = degree, .ends = ends};
  data.knots = ends == SplineEnds::periodic ? periodic_knots(u, control_points, degree)
                                            : clamped_knots(u, control_points, degree);
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
