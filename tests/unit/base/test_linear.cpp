// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/linear.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/random_problems.h"

namespace backlash {
namespace {

Matrix random_matrix(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  test::Random random(seed);
  Matrix A(rows, cols);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = random.uniform(-1, 1);
  return A;
}

class EverySize : public ::testing::TestWithParam<int> {};

TEST_P(EverySize, LdltSolvesAPositiveDefiniteSystemReadingTheLowerTriangleOnly) {
  const int n = GetParam();
  const Matrix B = random_matrix(n, n, 1);
  const Matrix A = B * B.transpose() + Matrix::Identity(n, n);
  const Vector x = random_matrix(n, 1, 2);
  Matrix factors = A;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) factors(i, j) = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(factor_ldlt(factors));
  Vector solution = A * x;
  solve_ldlt(factors, solution.data());
  EXPECT_LT((solution - x).norm(), 1e-12 * x.norm());
}

TEST_P(EverySize, LuSolvesARegularSystem) {
  const int n = GetParam();
  const Matrix A = random_matrix(n, n, 3);
  const Vector x = random_matrix(n, 1, 4);
  Matrix factors = A;
  Vector solution = A * x;
  ASSERT_TRUE(solve_lu(factors, solution));
  EXPECT_LT((solution - x).norm(), 1e-10 * x.norm());
}

TEST_P(EverySize, RankRevealingSolvesARegularSystem) {
  const int n = GetParam();
  const Matrix A = random_matrix(n, n, 5);
  const Vector x = random_matrix(n, 1, 6);
  Matrix factors = A;
  Vector solution = A * x;
  Arena scratch;
  EXPECT_EQ(solve_rank_revealing(factors, solution, scratch), n);
  EXPECT_LT((solution - x).norm(), 1e-10 * x.norm());
}

TEST_P(EverySize, AddProductAddsAx) {
  const int n = GetParam();
  const Matrix A = random_matrix(n, n, 7);
  const Vector x = random_matrix(n, 1, 8), start = random_matrix(n, 1, 9);
  Vector y = start;
  add_product(A.data(), x, y);
  EXPECT_LT((y - start - A * x).norm(), 1e-14 * n);
}

INSTANTIATE_TEST_SUITE_P(Linear, EverySize, ::testing::Range(1, 11));

TEST(Linear, LdltRefusesMatricesThatAreNotPositiveDefinite) {
  Matrix indefinite = Eigen::Vector2d(1, -1).asDiagonal();
  EXPECT_FALSE(factor_ldlt(indefinite));
  Matrix singular = Matrix::Ones(2, 2);
  EXPECT_FALSE(factor_ldlt(singular));
  Matrix not_a_number = Matrix::Constant(2, 2, std::nan(""));
  EXPECT_FALSE(factor_ldlt(not_a_number));
}

TEST(Linear, LuRefusesSingularMatricesOnEitherSideOfItsTolerance) {
  for (const double small : {1e-10, 1e-16}) {
    Matrix A(2, 2);
    A << 1, 1, 1, 1 + small;
    Vector b = Vector::Ones(2);
    EXPECT_EQ(solve_lu(A, b), small > 1e-13) << small;
  }
}

TEST(Linear, LuPivotsWhereTheDiagonalIsZero) {
  Matrix A(2, 2);
  A << 0, 2, 3, 0;
  Vector b = Vec2(4, 9);
  ASSERT_TRUE(solve_lu(A, b));
  EXPECT_EQ(b, Vector(Vec2(3, 2)));
}

TEST(Linear, RankRevealingFindsTheRankAndASolutionOfAConsistentSystem) {
  const Matrix A = random_matrix(6, 3, 10) * random_matrix(3, 6, 11);
  const Vector b = A * random_matrix(6, 1, 12);
  Matrix factors = A;
  Vector x = b;
  Arena scratch;
  EXPECT_EQ(solve_rank_revealing(factors, x, scratch), 3);
  EXPECT_LT((A * x - b).norm(), 1e-12 * b.norm());
  EXPECT_EQ((x.array() == 0).count(), 3);
}

TEST(Linear, RankRevealingMinimisesTheErrorOfAnInconsistentSystem) {
  const Matrix A = random_matrix(5, 2, 13) * random_matrix(2, 5, 14);
  const Vector b = random_matrix(5, 1, 15);
  Matrix factors = A;
  Vector x = b;
  Arena scratch;
  solve_rank_revealing(factors, x, scratch);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-12 * b.norm());
}

TEST(Linear, RankRevealingGivesZeroForTheZeroMatrix) {
  Matrix A = Matrix::Zero(3, 3);
  Vector b = Vector::Ones(3);
  Arena scratch;
  EXPECT_EQ(solve_rank_revealing(A, b, scratch), 0);
  EXPECT_EQ(b, Vector(Vector::Zero(3)));
}

}  // namespace
}  // namespace backlash
