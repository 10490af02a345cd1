// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/decompositions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace backlash {
namespace {

TEST(LeastSquares, GivesTheLeastOfTheBestSolutionsOfDependentRows) {
  Matrix A(3, 2);  // b is outside of its range, and its second column is twice the first
  A << 1, 2, 0, 0, 1, 2;
  const LeastSquares factors(A, 1e-12);
  EXPECT_EQ(factors.rank(), 1);
  const Vector x = factors.solve(Eigen::Vector3d(1, 7, 3));  // best: x + 2y = 2, least: ∝ (1, 2)
  EXPECT_NEAR(x[0], 0.4, 1e-15);
  EXPECT_NEAR(x[1], 0.8, 1e-15);
}

TEST(LeastSquares, HasThePseudoInverseOfMooreAndPenrose) {
  Matrix A(3, 2);
  A << 1, 2, 0, 0, 1, 2;
  const Matrix P = LeastSquares(A).pseudo_inverse();
  ASSERT_EQ(P.rows(), 2);
  ASSERT_EQ(P.cols(), 3);
  EXPECT_LT((A * P * A - A).norm(), 1e-14);
  EXPECT_LT((P * A * P - P).norm(), 1e-14);
  EXPECT_LT((A * P - (A * P).transpose()).norm(), 1e-14);
  EXPECT_LT((P * A - (P * A).transpose()).norm(), 1e-14);
}

TEST(NullSpace, IsOrthogonalToRowsThatMayDependOnEachOther) {
  Matrix W(4, 3);
  W << 1, 0, 1, 2, 1, 3, 0, 1, 1, 1, 1, 2;  // the third is the sum of the others
  const Matrix Z = null_space(W, 1e-9);
  ASSERT_EQ(Z.cols(), 2);
  EXPECT_LT((W.transpose() * Z).norm(), 1e-14);
  EXPECT_LT((Z.transpose() * Z - Matrix::Identity(2, 2)).norm(), 1e-14);
  EXPECT_EQ(null_space(Matrix(3, 0), 1e-9), Matrix::Identity(3, 3));
}

TEST(Cholesky, SolvesAndSaysWhatIsNotPositive) {
  Matrix A(2, 2);
  A << 4, 2, 2, 10;  // L = (2, 0; 1, 3)
  const Cholesky factors(A);
  ASSERT_TRUE(factors.positive);
  EXPECT_LT((factors.forward_columns(Eigen::Vector2d(2, 7)) - Eigen::Vector2d(1, 2)).norm(), 1e-15);
  EXPECT_LT((A * factors.solve(Eigen::Vector2d(3, -5)) - Eigen::Vector2d(3, -5)).norm(), 1e-14);
  EXPECT_FALSE(Cholesky(-A).positive);
}

TEST(Modes, OfTwoMassesOnThreeSpringsAreThoseInPhaseAndAgainstEachOther) {
  const double k = 3, m = 0.5;
  Matrix K(2, 2);
  K << 2 * k, -k, -k, 2 * k;
  const SymmetricMode in_phase = least_mode(K, m * Matrix::Identity(2, 2));
  EXPECT_NEAR(in_phase.value, k / m, 1e-14 * k / m);
  EXPECT_NEAR(in_phase.shape[0], in_phase.shape[1], 1e-14);

  Matrix A = Matrix::Zero(4, 4);  // ẋ = v, v̇ = −K/m x
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = -K / m;
  const Modes modes = eigenmodes(A);
  ASSERT_EQ(modes.values.size(), 4);
  EXPECT_NEAR(modes.values.cwiseAbs().maxCoeff(), std::sqrt(3 * k / m), 1e-13);
  EXPECT_LT((A * modes.shapes - modes.shapes * modes.values.asDiagonal()).norm(), 1e-13);
}

}  // namespace
}  // namespace backlash
