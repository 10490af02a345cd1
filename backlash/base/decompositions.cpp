// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/decompositions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace backlash {

using Index = Eigen::Index;

struct LeastSquares::Factors {
  Eigen::CompleteOrthogonalDecomposition<Matrix> of_A{};
};

LeastSquares::LeastSquares(double tolerance) : factors_(std::make_unique<Factors>()) {
  if (tolerance > 0) factors_->of_A.setThreshold(tolerance);
}
LeastSquares::LeastSquares(const Matrix& A, double tolerance) : LeastSquares(tolerance) {
  compute(A);
}
LeastSquares::~LeastSquares() = default;
LeastSquares::LeastSquares(LeastSquares&&) noexcept = default;
LeastSquares& LeastSquares::operator=(LeastSquares&&) noexcept = default;

void LeastSquares::compute(const Matrix& A) { factors_->of_A.compute(A); }
Index LeastSquares::rank() const { return factors_->of_A.rank(); }
Vector LeastSquares::solve(const Vector& b) const { return factors_->of_A.solve(b); }

Matrix LeastSquares::pseudo_inverse() const {
  const auto& factors = factors_->of_A;
  Matrix inverse(factors.cols(), factors.rows());
  for (Index j = 0; j < inverse.cols(); ++j)
    inverse.col(j) = solve(Vector::Unit(inverse.cols(), j));
  return inverse;
}

Matrix null_space(const Matrix& W, double tolerance) {
  const Index n = W.rows();
  if (W.cols() == 0) return Matrix::Identity(n, n);
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors(n, W.cols());
  factors.setThreshold(tolerance);
  factors.compute(W);
  Matrix basis(n, n - factors.rank());
  for (Index j = 0; j < basis.cols(); ++j) {
    Vector x = Vector::Unit(n, factors.rank() + j);
    x.applyOnTheLeft(factors.householderQ());
    basis.col(j) = x;
  }
  return basis;
}

Cholesky::Cholesky(const Matrix& A) {
  const Eigen::LLT<Matrix> factors(A);
  positive = factors.info() == Eigen::Success;
  L = factors.matrixLLT();
}

Vector Cholesky::solve(const Vector& b) const { return solve_columns(b); }

Matrix Cholesky::solve_columns(const Matrix& B) const {
  Matrix X = forward_columns(B);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(X);
  return X;
}

Matrix Cholesky::forward_columns(const Matrix& B) const {
  Matrix X = B;
  L.triangularView<Eigen::Lower>().solveInPlace(X);
  return X;
}

Vector solve_symmetric(const Matrix& A, const Vector& b) { return A.ldlt().solve(b); }

SymmetricMode least_mode(const Matrix& K, const Matrix& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(K, M);
  return {modes.eigenvalues()[0], modes.eigenvectors().col(0)};
}

Modes eigenmodes(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> eigen(A);
  if (eigen.info() != Eigen::Success) return {};
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace backlash
