// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/closure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Errors of all rows, their Jacobian (one row each) and the part of their rates that time makes.
struct Rows {
  Vector error, drift;
  Matrix jacobian;
};

Rows rows_at(const System& mechanism, const Vector& q) {
  const auto n = static_cast<Index>(mechanism.info().bilaterals.size());
  const Configuration c = configuration(mechanism, 0, q);
  Rows rows{Vector::Zero(n), Vector::Zero(n), {}};
  Matrix W = Matrix::Zero(mechanism.info().velocities, n);
  mechanism.bilateral_errors(c, rows.error);
  mechanism.bilateral_rows(c, W, rows.drift);
  rows.jacobian = W.transpose();
  return rows;
}

/// Largest error as a length [m].
double size_of(const System& mechanism, const Vector& error) {
  double largest = 0;
  for (Index i = 0; i < error.size(); ++i)
    largest =
        std::max(largest, std::abs(error[i]) *
                              mechanism.info().bilaterals[static_cast<std::size_t>(i)].length);
  return largest;
}

/// The least change of the free entries with J change = −error, in the least-squares sense.
Vector least_change(const Matrix& jacobian, const Vector& error, const std::vector<bool>& kept) {
  Matrix movable = jacobian;
  for (Index j = 0; j < movable.cols(); ++j)
    if (kept[static_cast<std::size_t>(j)]) movable.col(j).setZero();
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors(movable.rows(), movable.cols());
  factors.setThreshold(1e-9);
  factors.compute(movable);
  return -factors.solve(error);
}

/// Newton's iteration with halved steps; the error it ends with.
double move_positions(const System& mechanism, const std::vector<bool>& kept, Vector& q) {
  Rows rows = rows_at(mechanism, q);
  double error = size_of(mechanism, rows.error);
  for (int k = 0; k < 100 && error > 1e-15 * mechanism.info().length; ++k) {
    const Vector change = least_change(rows.jacobian, rows.error, kept);
    double length = 1, reached = INFINITY;
    Vector next = q;
    for (; length > 1e-4; length /= 2) {
      mechanism.advance(q, change, length, next);
      reached = size_of(mechanism, rows_at(mechanism, next).error);
      if (reached < error) break;
    }
    if (!(reached < error)) break;
    q = next;
    error = reached;
    rows = rows_at(mechanism, q);
  }
  return error;
}

/// A start that is a little different where it may be: from where links are in line, or lie on each
/// other, no small change leads anywhere.
Vector varied(const System& mechanism, const Vector& q, const std::vector<bool>& kept,
              int attempt) {
  if (attempt == 0) return q;
  Vector change = Vector::Zero(mechanism.info().velocities), start = q;
  const double size = 0.1 * attempt;
  for (Index i = 0; i < change.size(); ++i) {
    const bool angular = mechanism.info().turning[static_cast<std::size_t>(i)];
    const double scale = angular ? 1 : mechanism.info().length;
    if (!kept[static_cast<std::size_t>(i)])
      change[i] = size * scale * std::sin(1.0 + 2.0 * static_cast<double>(i) + attempt);
  }
  mechanism.advance(q, change, 1, start);
  return start;
}

/// Where the loops are nearest to being closed, in the mean, by the method of Levenberg and
/// Marquardt.
Vector nearest_positions(const System& mechanism, Vector q) {
  const auto scaled = [&](const Vector& at) {
    Rows rows = rows_at(mechanism, at);
    for (Index i = 0; i < rows.error.size(); ++i) {
      const double length = mechanism.info().bilaterals[static_cast<std::size_t>(i)].length;
      rows.error[i] *= length;
      rows.jacobian.row(i) *= length;
    }
    return rows;
  };
  Rows rows = scaled(q);
  double damping = 1e-3;
  for (int k = 0; k < 500 && damping < 1e12; ++k) {
    Matrix A = rows.jacobian.transpose() * rows.jacobian;
    A.diagonal().array() += damping * (1e-12 + A.diagonal().maxCoeff());
    const Vector change = A.ldlt().solve(rows.jacobian.transpose() * rows.error);
    Vector next = q;
    mechanism.advance(q, change, -1, next);
    Rows there = scaled(next);
    if (there.error.norm() < rows.error.norm()) {
      q = next;
      rows = std::move(there);
      damping = std::max(1e-12, damping / 3);
    } else {
      damping *= 4;
    }
  }
  return q;
}

}  // namespace

bool close_loops(const System& mechanism, const Given& given, Vector& q, Vector& u) {
  if (mechanism.info().bilaterals.empty()) return true;
  const double tolerance = 1e-12 * mechanism.info().length;
  const std::vector<bool> none(static_cast<std::size_t>(u.size()), false);
  const auto close = [&](const std::vector<bool>& kept, double enough) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      Vector guess = varied(mechanism, q, kept, attempt);
      if (move_positions(mechanism, kept, guess) > enough) continue;
      q = guess;
      return true;
    }
    return false;
  };
  const bool open = size_of(mechanism, rows_at(mechanism, q).error) > tolerance;
  if (open && !close(given.position, tolerance) && !close(none, 1e3 * tolerance)) {
    q = nearest_positions(mechanism, varied(mechanism, q, none, 1));
    return false;
  }
  const Rows rows = rows_at(mechanism, q);
  const auto rate = [&] { return Vector(rows.jacobian * u + rows.drift); };
  const double speed = u.cwiseAbs().maxCoeff() + rows.drift.cwiseAbs().maxCoeff();
  for (const std::vector<bool>& kept : {given.speed, none}) {
    if (size_of(mechanism, rate()) <= 1e-13 * speed * mechanism.info().length) break;
    u += least_change(rows.jacobian, rate(), kept);
  }
  return true;
}

std::vector<BilateralInfo> redundant_rows(const System& mechanism, const Vector& q) {
  std::vector<BilateralInfo> redundant;
  Matrix J = rows_at(mechanism, q).jacobian;
  for (Index i = 0; i < J.rows(); ++i) {  // Gram–Schmidt, twice against round-off
    const double before = J.row(i).norm();
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < i; ++k) J.row(i) -= J.row(i).dot(J.row(k)) * J.row(k);
    const double left = J.row(i).norm();
    if (left > 1e-9 * before) {
      J.row(i) /= left;
    } else {
      J.row(i).setZero();
      redundant.push_back(mechanism.info().bilaterals[static_cast<std::size_t>(i)]);
    }
  }
  return redundant;
}

}  // namespace backlash
