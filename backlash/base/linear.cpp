// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash {

using Index = Eigen::Index;

namespace {

/// (Sums by rows: an array of sums would be copied by pairs of numbers that were just written one
/// by one, and wait for them.)
template <int n>
void add_fixed_product(const double* __restrict A, const double* __restrict x,
                       double* __restrict y) {
  for (int i = 0; i < n; ++i) {
    double sum = y[i];
    for (int j = 0; j < n; ++j) sum += A[n * j + i] * x[j];
    y[i] = sum;
  }
}

}  // namespace

void add_product(const double* A, const VectorView& x, VectorRef y) {
  const Index n = x.size();
  switch (n) {
    case 1:
      return add_fixed_product<1>(A, x.data(), y.data());
    case 2:
      return add_fixed_product<2>(A, x.data(), y.data());
    case 3:
      return add_fixed_product<3>(A, x.data(), y.data());
    case 4:
      return add_fixed_product<4>(A, x.data(), y.data());
    case 6:
      return add_fixed_product<6>(A, x.data(), y.data());
    case 8:
      return add_fixed_product<8>(A, x.data(), y.data());
    default:
      for (Index j = 0; j < n; ++j)
        if (x[j] != 0) y += x[j] * VectorMap(const_cast<double*>(A + n * j), n);
  }
}

namespace {

/// A = L D Lᵀ in place: L below the diagonal, 1/D on it, D Lᵀ above. N: the number of rows, 0 if
/// only `rows` says it.
template <int N>
bool factor(double* A, Index rows, Index stride) {
  const Index n = N > 0 ? N : rows;
  for (Index j = 0; j < n; ++j) {
    double* column = A + j * stride;
    const double diagonal = column[j];
    for (Index k = 0; k < j; ++k)
      for (Index i = j; i < n; ++i) column[i] -= A[i + k * stride] * column[k];
    if (!(column[j] > 1e-15 * diagonal)) return false;  // also catches NaN and a negative diagonal
    const double inverse = 1 / column[j];
    for (Index i = j + 1; i < n; ++i) {
      A[j + i * stride] = column[i];  // D Lᵀ, which the columns to come need
      column[i] *= inverse;
    }
    column[j] = inverse;
  }
  return true;
}

template <int N>
void solve(const double* A, Index rows, double* x) {
  const Index n = N > 0 ? N : rows;
  for (Index k = 0; k < n; ++k)
    for (Index i = k + 1; i < n; ++i) x[i] -= A[i + k * n] * x[k];
  for (Index k = n - 1; k >= 0; --k) {
    x[k] *= A[k + k * n];
    for (Index i = k + 1; i < n; ++i) x[k] -= A[i + k * n] * x[i];
  }
}

/// Mechanisms are small: with the size known to the compiler and the numbers copied, so that
/// nothing aliases, the loops unroll into registers. From column j on; U: the columns of L before
/// they are divided by D.
template <int n, int j = 0>
inline bool factor_columns(double* L, double* U) {
  if constexpr (j == n) {
    return true;
  } else {
    double* column = L + n * j;
    const double diagonal = column[j];
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) column[i] -= L[i + n * k] * U[j + n * k];
    if (!(column[j] > 1e-15 * diagonal)) return false;  // also catches NaN
    const double inverse = 1 / column[j];
    for (int i = j + 1; i < n; ++i) {
      U[i + n * j] = column[i];
      column[i] *= inverse;
    }
    column[j] = inverse;
    return factor_columns<n, j + 1>(L, U);
  }
}

/// The same on and below the diagonal; what is above is neither read nor written.
template <int n>
bool factor_fixed(double* A, Index stride) {
  double L[n * n], U[n * n];
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) L[i + n * j] = A[i + j * stride];
  const bool positive = factor_columns<n>(L, U);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) A[i + j * stride] = L[i + n * j];
  return positive;
}

template <int n>
void solve_fixed(const double* A, double* x) {
  double y[n];
  for (int i = 0; i < n; ++i) y[i] = x[i];
  solve<n>(A, n, y);
  for (int i = 0; i < n; ++i) x[i] = y[i];
}

}  // namespace

bool factor_ldlt(MatrixRef A) {
  switch (A.rows()) {
    case 1:
      return factor_fixed<1>(A.data(), A.outerStride());
    case 2:
      return factor_fixed<2>(A.data(), A.outerStride());
    case 3:
      return factor_fixed<3>(A.data(), A.outerStride());
    case 4:
      return factor_fixed<4>(A.data(), A.outerStride());
    case 6:
      return factor_fixed<6>(A.data(), A.outerStride());
    default:
      return factor<0>(A.data(), A.rows(), A.outerStride());
  }
}

void solve_ldlt(const double* factors, Index n, double* x) {
  switch (n) {
    case 1:
      return solve_fixed<1>(factors, x);
    case 2:
      return solve_fixed<2>(factors, x);
    case 3:
      return solve_fixed<3>(factors, x);
    case 4:
      return solve_fixed<4>(factors, x);
    case 6:
      return solve_fixed<6>(factors, x);
    default:
      return solve<0>(factors, n, x);
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
    const double inverse = 1 / A(k, k);
    for (Index i = k + 1; i < n; ++i) {
      A(i, k) *= inverse;
      b[i] -= A(i, k) * b[k];
    }
    for (Index j = k + 1; j < n; ++j) {
      const double factor = A(k, j);
      if (factor == 0) continue;
      for (Index i = k + 1; i < n; ++i) A(i, j) -= A(i, k) * factor;
    }
  }
  for (Index j = n - 1; j >= 0; --j) {
    b[j] /= A(j, j);
    for (Index i = 0; i < j; ++i) b[i] -= A(i, j) * b[j];
  }
  return true;
}

Index solve_rank_revealing(MatrixRef A, VectorRef b, Arena& scratch, double tolerance) {
  return solve_pivoted(A, b, scratch, {.tolerance = tolerance}).rank;
}

namespace {

double dot(const double* x, const double* y, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// x − 2 v (v·x)/(v·v), with half the square of v.
void reflect(const double* v, double half_square, Index n, double* x) {
  const double factor = dot(v, x, n) / half_square;
  for (Index i = 0; i < n; ++i) x[i] -= factor * v[i];
}

}  // namespace

// By loops, not by products of Eigen: the columns are a few numbers long.
PivotedRank solve_pivoted(MatrixRef A, VectorRef b, Arena& scratch, const PivotLimits& limits) {
  const Index n = A.cols();
  const auto column = [&](Index j) { return A.data() + j * A.outerStride(); };
  Arena::Frame frame(scratch);
  std::span<Index> order = frame.list<Index>(n);
  for (Index j = 0; j < n; ++j) order[static_cast<std::size_t>(j)] = j;
  double largest = 0, smallest = 0, left = 0;
  Index rank = 0;
  for (; rank < std::min(n, A.rows()); ++rank) {
    const Index k = rank, below = A.rows() - k;
    Index pivot = k;
    double longest = -1;
    for (Index j = k; j < n; ++j) {
      const double* const rest = column(j) + k;
      const double length = std::sqrt(dot(rest, rest, below));
      if (length > longest) {
        longest = length;
        pivot = j;
      }
    }
    largest = std::max(largest, longest);
    left = longest;
    if (!(longest > limits.tolerance * largest) || rank == limits.most) break;
    smallest = longest;
    left = 0;
    if (pivot != k) {
      A.col(k).swap(A.col(pivot));
      std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(pivot)]);
    }
    // Householder reflection of column k onto its first entry, v = x − α e with α = ∓‖x‖.
    const double alpha = A(k, k) > 0 ? -longest : longest;
    A(k, k) -= alpha;
    const double half_square = -alpha * A(k, k);  // vᵀv/2
    for (Index j = k + 1; j < n; ++j) reflect(column(k) + k, half_square, below, column(j) + k);
    reflect(column(k) + k, half_square, below, b.data() + k);
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
  if (rank == 0) return {.rank = 0, .smallest = 1};
  return {rank, smallest / largest, left / largest};
}

}  // namespace backlash
