// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/closure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/decompositions.h"
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
  return -LeastSquares(movable, 1e-9).solve(error);
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
    const bool angular = mechanism.info().angular[static_cast<std::size_t>(i)];
    const double scale = angular ? 1 : mechanism.info().length;
    if (!kept[static_cast<std::size_t>(i)])
      change[i] = size * scale * std::sin(1.0 + 2.0 * static_cast<double>(i) + attempt);
  }
  mechanism.advance(q, change, 1, start);
  return start;
}

}  // namespace

Vector nearest_positions(const System& mechanism, const std::vector<bool>& kept, Vector q) {
  const auto scaled = [&](const Vector& at) {
    Rows rows = rows_at(mechanism, at);
    for (Index i = 0; i < rows.error.size(); ++i) {
      const double length = mechanism.info().bilaterals[static_cast<std::size_t>(i)].length;
      rows.error[i] *= length;
      rows.jacobian.row(i) *= length;
    }
    for (Index j = 0; j < rows.jacobian.cols(); ++j)
      if (kept[static_cast<std::size_t>(j)]) rows.jacobian.col(j).setZero();
    return rows;
  };
  Rows rows = scaled(q);
  double damping = 1e-3;
  for (int k = 0; k < 500 && damping < 1e12; ++k) {
    Matrix A = rows.jacobian.transpose() * rows.jacobian;
    A.diagonal().array() += damping * (1e-12 + A.diagonal().maxCoeff());
    const Vector change = solve_symmetric(A, rows.jacobian.transpose() * rows.error);
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

namespace {

bool is_empty(const System& mechanism) { return mechanism.info().bilaterals.empty(); }

bool has_play(const Loops& loops) {
  return loops.without_play.info().bilaterals.size() > loops.mechanism.info().bilaterals.size();
}

/// False, with q as it was, if the rows are left with a larger error than `tolerance` [m].
bool close_rows(const System& mechanism, const std::vector<bool>& kept, double tolerance,
                Vector& q) {
  if (is_empty(mechanism)) return true;
  for (int attempt = 0; attempt < 4; ++attempt) {
    Vector guess = varied(mechanism, q, kept, attempt);
    if (size_of(mechanism, rows_at(mechanism, guess).error) > tolerance &&
        move_positions(mechanism, kept, guess) > tolerance)
      continue;
    q = guess;
    return true;
  }
  return false;
}

/// Off the centres of the plays by no more than the kept coordinates ask for.
bool close_rows_off_centre(const Loops& loops, const std::vector<bool>& kept, double tolerance,
                           Vector& q) {
  if (!has_play(loops)) return false;
  Vector guess = nearest_positions(loops.without_play, kept, q);
  if (!close_rows(loops.mechanism, kept, tolerance, guess)) return false;
  q = guess;
  return true;
}

bool close_positions(const Loops& loops, const std::vector<bool>& given, Vector& q) {
  const double tolerance = 1e-12 * loops.mechanism.info().length;
  const std::vector<bool> none(given.size(), false);
  return close_rows(loops.without_play, given, tolerance, q) ||
         close_rows_off_centre(loops, given, tolerance, q) ||
         close_rows(loops.without_play, none, 1e3 * tolerance, q) ||
         close_rows_off_centre(loops, none, 1e3 * tolerance, q);
}

/// The least change of u that makes the rates of the rows vanish, or as small as the kept speeds
/// let them. True if they vanish.
bool close_rates(const System& mechanism, const Vector& q, const std::vector<bool>& kept,
                 Vector& u) {
  if (is_empty(mechanism)) return true;
  const Rows rows = rows_at(mechanism, q);
  const double speed = u.cwiseAbs().maxCoeff() + rows.drift.cwiseAbs().maxCoeff();
  const auto vanish = [&](const Vector& rates) {
    return size_of(mechanism, rates) <= 1e-13 * speed * mechanism.info().length;
  };
  const Vector rates = rows.jacobian * u + rows.drift;
  if (vanish(rates)) return true;
  u += least_change(rows.jacobian, rates, kept);
  return vanish(rows.jacobian * u + rows.drift);
}

void close_speeds(const Loops& loops, const Vector& q, const std::vector<bool>& given, Vector& u) {
  const std::vector<bool> none(given.size(), false);
  if (close_rates(loops.without_play, q, given, u)) return;
  if (has_play(loops) && close_rates(loops.mechanism, q, given, u)) return;
  close_rates(loops.without_play, q, none, u);
}

}  // namespace

bool close_loops(const Loops& loops, const Given& given, Vector& q, Vector& u) {
  if (!close_positions(loops, given.position, q)) {
    const std::vector<bool> none(given.position.size(), false);
    q = nearest_positions(loops.mechanism, none, varied(loops.mechanism, q, none, 1));
    return false;
  }
  close_speeds(loops, q, given.speed, u);
  return true;
}

RankedRows rank_rows(const System& mechanism, const Vector& q) {
  RankedRows ranked;
  Matrix J = rows_at(mechanism, q).jacobian;
  for (Index i = 0; i < J.rows(); ++i) {  // Gram–Schmidt, twice against round-off
    const double before = J.row(i).norm();
    if (before == 0) continue;
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < i; ++k) J.row(i) -= J.row(i).dot(J.row(k)) * J.row(k);
    const double left = J.row(i).norm();
    const bool adds = left > 1e-9 * before;
    J.row(i) *= adds ? 1 / left : 0;
    (adds ? ranked.independent : ranked.redundant)
        .push_back(mechanism.info().bilaterals[static_cast<std::size_t>(i)]);
  }
  return ranked;
}

}  // namespace backlash
