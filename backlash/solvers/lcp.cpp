// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/lcp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Lemke's tableau: columns y (n), z (n), the artificial z_0, and the right-hand side. Invariant:
/// the columns of the basic variables are unit vectors, and the columns of y hold the inverse of
/// the basis, whose rows decide ties.
class Tableau {
 public:
  Tableau(const MatrixView& A, const VectorView& b, Arena::Frame& frame)
      : n_(A.rows()),
        T_(frame.matrix(n_, 2 * n_ + 2)),
        basis_(frame.list<Index>(n_)),
        candidates_(frame.list<Index>(n_)),
        start_(-b.minCoeff()) {
    T_.leftCols(n_).setIdentity();
    T_.middleCols(n_, n_) = -A;
    T_.col(artificial()).setConstant(-1);
    T_.col(right_side()) = b;
    for (Index i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  Index artificial() const { return 2 * n_; }
  Index right_side() const { return 2 * n_ + 1; }
  Index basic(Index row) const { return basis_[static_cast<std::size_t>(row)]; }
  Index complement(Index variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  /// The row where z_0 enters first: the most negative right-hand side, of equal ones the last
  /// (the lexicographically smallest).
  Index first_row() const {
    Index row = 0;
    for (Index i = 1; i < n_; ++i)
      if (T_(i, right_side()) <= T_(row, right_side())) row = i;
    return row;
  }

  /// The row that limits the entering column; −1: a ray. z_0 leaves whenever it may: when its row
  /// ties, or when it has fallen to a round-off of what it began with.
  Index leaving_row(Index entering, double tie_tolerance) {
    std::size_t count = list_candidates(entering);
    if (count == 0) return -1;
    const double step = smallest_ratio(right_side(), entering, count);
    for (Index i = 0; i < n_; ++i)
      if (basic(i) == artificial() &&
          T_(i, right_side()) - step * T_(i, entering) <= tie_tolerance * start_)
        return i;
    for (Index column = right_side(); count > 1;) {
      count = keep_smallest(column, entering, tie_tolerance, count);
      column = column == right_side() ? 0 : column + 1;
      if (column == n_) break;
    }
    Index best = candidates_[0];
    for (std::size_t k = 1; k < count; ++k)
      if (T_(candidates_[k], entering) > T_(best, entering)) best = candidates_[k];
    return best;
  }

  void pivot(Index row, Index entering) {
    T_.row(row) /= T_(row, entering);
    for (Index i = 0; i < n_; ++i) {
      const double factor = T_(i, entering);
      if (i != row && factor != 0) T_.row(i) -= factor * T_.row(row);
    }
    basis_[static_cast<std::size_t>(row)] = entering;
  }

  void write_solution(VectorRef z) const {
    z.setZero();
    for (Index i = 0; i < n_; ++i)
      if (basic(i) >= n_ && basic(i) < artificial())
        z[basic(i) - n_] = std::max(0.0, T_(i, right_side()));
  }

 private:
  /// The rows whose variable falls as the entering one grows.
  std::size_t list_candidates(Index entering) {
    double largest = 0;
    for (Index i = 0; i < n_; ++i) largest = std::max(largest, std::abs(T_(i, entering)));
    std::size_t count = 0;
    for (Index i = 0; i < n_; ++i)
      if (T_(i, entering) > 1e-11 * largest) candidates_[count++] = i;
    return count;
  }

  double ratio(Index i, Index column, Index entering) const {
    return T_(i, column) / T_(i, entering);
  }

  double smallest_ratio(Index column, Index entering, std::size_t count) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < count; ++k)
      smallest = std::min(smallest, ratio(candidates_[k], column, entering));
    return smallest;
  }

  /// Of the candidates, those whose ratio column/entering is smallest, up to the tolerance.
  std::size_t keep_smallest(Index column, Index entering, double tolerance, std::size_t count) {
    const double smallest = smallest_ratio(column, entering, count);
    const double bound = smallest + tolerance * (1 + std::abs(smallest));
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k)
      if (ratio(candidates_[k], column, entering) <= bound) candidates_[kept++] = candidates_[k];
    return kept;
  }

  Index n_;
  MatrixMap T_;
  std::span<Index> basis_, candidates_;
  double start_;  ///< the first value of z_0
};

}  // namespace

LcpResult solve_lcp(const MatrixView& A, const VectorView& b, int max_pivots, double tie_tolerance,
                    Arena& scratch, VectorRef z) {
  z.setZero();
  if (b.size() == 0 || b.minCoeff() >= 0) return {LcpStatus::solved, 0};
  Arena::Frame frame(scratch);
  Tableau tableau(A, b, frame);
  Index row = tableau.first_row();
  Index entering = tableau.artificial();
  for (int pivots = 1; pivots <= max_pivots; ++pivots) {
    const Index leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    if (leaving == tableau.artificial()) {
      tableau.write_solution(z);
      return {LcpStatus::solved, pivots};
    }
    entering = tableau.complement(leaving);
    row = tableau.leaving_row(entering, tie_tolerance);
    if (row < 0) return {LcpStatus::ray, pivots};
  }
  return {LcpStatus::pivot_limit, max_pivots};
}

}  // namespace backlash
