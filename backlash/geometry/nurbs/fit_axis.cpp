// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/fit_axis.h"

#include <cmath>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "backlash/base/input_error.h"

namespace backlash::nurbs {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

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
Sparse basis_matrix(const SplineAxis& axis, const std::vector<double>& u, std::size_t points) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < points; ++i) {
    double x = u[i];
    if (axis.closed) x -= std::floor((x - axis.first()) / (axis.last() - axis.first()));
    const int span = span_at(axis, x);
    const Vector N = basis_functions(axis, span, x);
    for (int j = 0; j <= axis.degree; ++j)
      entries.emplace_back(static_cast<int>(i), (span - axis.degree + j) % axis.given, N[j]);
  }
  Sparse A(static_cast<Eigen::Index>(points), axis.given);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

Matrix solved(const Sparse& A, const Matrix& b) {
  const auto fail = [] {
    throw InputError(
        "these points determine no spline of this degree and number of control points");
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

}  // namespace

void require_fit(const FitRequest& fit, std::string_view item) {
  if (fit.ends == SplineEnds::closed)
    throw InputError(fmt::format(
        "a {} through points is open or periodic; 'closed' needs control points", item));
  const int fewest = fit.ends == SplineEnds::periodic ? std::max(3, fit.degree) : fit.degree + 1;
  if (fit.control_points < fewest)
    throw InputError(fmt::format(
        "a {} of degree {} needs at least {} control points, or points to go through, has {}", item,
        fit.degree, fewest, fit.control_points));
  if (static_cast<int>(fit.points) < fit.control_points)
    throw InputError(fmt::format(
        "{} control points for a {} near {} points; expected no more of them than points",
        fit.control_points, item, fit.points));
}

std::vector<double> fit_knots(const std::vector<double>& u, int control_points, int degree,
                              SplineEnds ends) {
  return ends == SplineEnds::periodic ? periodic_knots(u, control_points, degree)
                                      : clamped_knots(u, control_points, degree);
}

Matrix fit_control(const SplineAxis& axis, const std::vector<double>& u, const Matrix& values) {
  return solved(basis_matrix(axis, u, at(values.rows())), values);
}

}  // namespace backlash::nurbs
