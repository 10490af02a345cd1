// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash {

using Index = Eigen::Index;

bool factor_ldlt(MatrixRef A) {
  const Index n = A.rows();
  for (Index j = 0; j < n; ++j) {
    double d = A(j, j);
    for (Index k = 0; k < j; ++k) d -= A(j, k) * A(j, k) * A(k, k);
    if (!(d > 1e-15 * A(j, j))) return false;  // also catches NaN and a negative diagonal
    A(j, j) = d;
    for (Index i = j + 1; i < n; ++i) {
      double sum = A(i, j);
      for (Index k = 0; k < j; ++k) sum -= A(i, k) * A(j, k) * A(k, k);
      A(i, j) = sum / d;
    }
  }
  return true;
}

void solve_ldlt(const MatrixView& factors, VectorRef x) {
  const Index n = factors.rows();
  for (Index i = 1; i < n; ++i) {
    double sum = x[i];
    for (Index k = 0; k < i; ++k) sum -= factors(i, k) * x[k];
    x[i] = sum;
  }
  for (Index i = 0; i < n; ++i) x[i] /= factors(i, i);
  for (Index i = n - 2; i >= 0; --i) {
    double sum = x[i];
    for (Index k = i + 1; k < n; ++k) sum -= factors(k, i) * x[k];
    x[i] = sum;
  }
}

bool solve_lu(MatrixRef A, VectorRef b, double tolerance) {
  const Index n = A.rows();
  for (Index k = 0; k < n; ++k) {
    double column = 0;
    Index pivot = k;
    for (Index i = 0; i < k; ++i) column = std::max(column, std::abs(A(i, k)));
    for (Index i = k; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    column = std::max(column, std::abs(A(pivot, k)));
    if (!(std::abs(A(pivot, k)) > tolerance * column)) return false;
    if (pivot != k) {
      for (Index j = k; j < n; ++j) std::swap(A(pivot, j), A(k, j));
      std::swap(b[pivot], b[k]);
    }
    for (Index i = k + 1; i < n; ++i) {
      const double factor = A(i, k) / A(k, k);
      if (factor == 0) continue;
      for (Index j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (Index i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (Index j = i + 1; j < n; ++j) sum -= A(i, j) * b[j];
    b[i] = sum / A(i, i);
  }
  return true;
}

Index solve_rank_revealing(MatrixRef A, VectorRef b, Arena& scratch, double tolerance) {
  const Index n = A.cols();
  Arena::Frame frame(scratch);
  std::span<Index> order = frame.list<Index>(n);
  for (Index j = 0; j < n; ++j) order[static_cast<std::size_t>(j)] = j;
  double largest = 0;
  Index rank = 0;
  for (; rank < std::min(n, A.rows()); ++rank) {
    const Index k = rank, below = A.rows() - k;
    Index pivot = k;
    double longest = -1;
    for (Index j = k; j < n; ++j) {
      const double length = A.col(j).tail(below).norm();
      if (length > longest) {
        longest = length;
        pivot = j;
      }
    }
    largest = std::max(largest, longest);
    if (!(longest > tolerance * largest)) break;
    if (pivot != k) {
      A.col(k).swap(A.col(pivot));
      std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(pivot)]);
    }
    // Householder reflection of column k onto its first entry, v = x − α e with α = ∓‖x‖.
    const double alpha = A(k, k) > 0 ? -longest : longest;
    A(k, k) -= alpha;
    const double half_square = -alpha * A(k, k);  // vᵀv/2
    for (Index j = k + 1; j < n; ++j) {
      const double factor = A.col(k).tail(below).dot(A.col(j).tail(below)) / half_square;
      A.col(j).tail(below) -= factor * A.col(k).tail(below);
    }
    const double factor = A.col(k).tail(below).dot(b.tail(below)) / half_square;
    b.tail(below) -= factor * A.col(k).tail(below);
    A(k, k) = alpha;
  }
  VectorMap x = frame.vector(n);
  x.setZero();
  for (Index i = rank - 1; i >= 0; --i) {
    double sum = b[i];
    for (Index j = i + 1; j < rank; ++j) sum -= A(i, j) * x[order[static_cast<std::size_t>(j)]];
    x[order[static_cast<std::size_t>(i)]] = sum / A(i, i);
  }
  b = x;
  return rank;
}

}  // namespace backlash
