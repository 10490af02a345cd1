// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backlash/base/types.h"

/// Eigen's decompositions of dense matrices, for what allocates anyway. They stand behind this
/// header because each costs the compiler seconds in every source that names it.
namespace backlash {

/// Least-squares solutions where columns may depend on each other (complete orthogonal
/// decomposition): of all x that minimise ‖Ax − b‖ the least.
class LeastSquares {
 public:
  /// Pivots below `tolerance`, as a part of the largest, count as zero; 0: those of round-off.
  explicit LeastSquares(double tolerance = 0);
  explicit LeastSquares(const Matrix& A, double tolerance = 0);
  ~LeastSquares();
  LeastSquares(LeastSquares&&) noexcept;
  LeastSquares& operator=(LeastSquares&&) noexcept;

  void compute(const Matrix& A);
  Eigen::Index rank() const;
  Vector solve(const Vector& b) const;
  Matrix pseudo_inverse() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// A basis of all x with Wᵀx = 0, as columns.
Matrix null_space(const Matrix& W, double tolerance);

/// A = L Lᵀ of a symmetric matrix, of which the lower triangle is read.
struct Cholesky {
  explicit Cholesky(const Matrix& A);
  Vector solve(const Vector& b) const;            ///< A⁻¹ b
  Matrix solve_columns(const Matrix& B) const;    ///< A⁻¹ B
  Matrix forward_columns(const Matrix& B) const;  ///< L⁻¹ B

  Matrix L;
  bool positive;  ///< definite; else L means nothing
};

/// A⁻¹ b of a symmetric matrix that may be semidefinite, by LDLᵀ with pivots.
Vector solve_symmetric(const Matrix& A, const Vector& b);

/// The least λ with K x = λ M x, and its x with xᵀM x = 1; K symmetric, M positive definite.
struct SymmetricMode {
  double value;
  Vector shape;
};
SymmetricMode least_mode(const Matrix& K, const Matrix& M);

/// All λ and x (as columns) with A x = λ x. Without columns if they were not found.
struct Modes {
  Eigen::VectorXcd values{};
  Eigen::MatrixXcd shapes{};
};
Modes eigenmodes(const Matrix& A);

}  // namespace backlash
