// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash {

using Index = Eigen::Index;

namespace {

template <int n>
void add_fixed_product(const double* A, const double* x, double* y) {
  double sum[n];
  for (int i = 0; i < n; ++i) sum[i] = y[i];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) sum[i] += A[n * j + i] * x[j];
  for (int i = 0; i < n; ++i) y[i] = sum[i];
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

/// Mechanisms are small: with the size known to the compiler the loops below unroll. N = 0: the
/// size is only known now.
template <int N>
bool factor(double* A, Index stride, Index size) {
  const Index n = N > 0 ? N : size;
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
void solve(const double* A, Index stride, Index size, double* x) {
  const Index n = N > 0 ? N : size;
  for (Index k = 0; k < n; ++k)
    for (Index i = k + 1; i < n; ++i) x[i] -= A[i + k * stride] * x[k];
  for (Index k = n - 1; k >= 0; --k) {
    x[k] *= A[k + k * stride];
    for (Index i = k + 1; i < n; ++i) x[k] -= A[i + k * stride] * x[i];
  }
}

}  // namespace

bool factor_ldlt(MatrixRef A) {
  switch (A.rows()) {
    case 1:
      return factor<1>(A.data(), A.outerStride(), 1);
    case 2:
      return factor<2>(A.data(), A.outerStride(), 2);
    case 3:
      return factor<3>(A.data(), A.outerStride(), 3);
    case 4:
      return factor<4>(A.data(), A.outerStride(), 4);
    case 6:
      return factor<6>(A.data(), A.outerStride(), 6);
    default:
      return factor<0>(A.data(), A.outerStride(), A.rows());
  }
}

void solve_ldlt(const Matrix& factors, VectorRef x) {
  switch (factors.rows()) {
    case 1:
      return solve<1>(factors.data(), 1, 1, x.data());
    case 2:
      return solve<2>(factors.data(), 2, 2, x.data());
    case 3:
      return solve<3>(factors.data(), 3, 3, x.data());
    case 4:
      return solve<4>(factors.data(), 4, 4, x.data());
    case 6:
      return solve<6>(factors.data(), 6, 6, x.data());
    default:
      return solve<0>(factors.data(), factors.rows(), factors.rows(), x.data());
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
