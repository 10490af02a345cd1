// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"

/// Dense linear algebra for the few rows of a mechanism, in place and without allocation.
namespace backlash {

/// A = L D Lᵀ, D⁻¹ on the diagonal and L (unit diagonal) below it. False if A is not positive
/// definite (the strictly upper triangle is not read).
bool factor_ldlt(MatrixRef A);

/// x = A⁻¹ x with the factors of factor_ldlt. (A pointer, because a step passes it on through
/// several calls: copying an Eigen::Ref that was just made stalls the processor for longer than the
/// solve.)
void solve_ldlt(const double* factors, Eigen::Index n, double* x);
inline void solve_ldlt(const Matrix& factors, double* x) {
  solve_ldlt(factors.data(), factors.rows(), x);
}

/// Solve A x = b, b replaced by x and A by its factors. False if A is singular: some pivot is
/// smaller than `tolerance` times the largest entry of its column.
bool solve_lu(MatrixRef A, VectorRef b, double tolerance = 1e-13);

/// y += A x for a square A in one piece, columns one after the other. Unrolled for few rows, where
/// a general product spends its time on preparations.
void add_product(const double* A, const VectorView& x, VectorRef y);

/// The least-squares solution of A x = b with as many zeros as A lacks rank, by Householder QR with
/// column pivoting; b is replaced by x, A is destroyed. Returns the rank found.
Eigen::Index solve_rank_revealing(MatrixRef A, VectorRef b, Arena& scratch,
                                  double tolerance = 1e-12);

/// Which pivots count.
struct PivotLimits {
  double tolerance = 0;  ///< larger than this, of the largest
  Eigen::Index most = std::numeric_limits<Eigen::Index>::max();  ///< so many
};

/// What a factorisation with pivots found.
struct PivotedRank {
  Eigen::Index rank = 0;
  double smallest = 0;  ///< pivot that counts, as a part of the largest; 1 if there is none
  double left = 0;      ///< largest that does not count
};

/// The same, with the pivots.
PivotedRank solve_pivoted(MatrixRef A, VectorRef b, Arena& scratch, const PivotLimits& limits);

}  // namespace backlash
