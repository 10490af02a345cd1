// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/lcp.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/random_problems.h"

namespace backlash {
namespace {

struct Answer {
  LcpResult result;
  Vector z;
};

Answer solved(const Matrix& A, const Vector& b, int max_pivots = 1000) {
  Arena scratch;
  Answer answer{{}, Vector::Constant(b.size(), 99)};
  answer.result = solve_lcp(A, b, max_pivots, 1e-10, scratch, answer.z);
  return answer;
}

/// Up to what pivoting on nearly dependent rows loses; the solvers refine its answers.
void expect_complementary(const Matrix& A, const Vector& b, const Vector& z) {
  const Vector y = A * z + b;
  EXPECT_GE(z.minCoeff(), 0);
  EXPECT_GE(y.minCoeff(), -1e-7);
  EXPECT_LT(y.cwiseProduct(z).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Lcp, IsSolvedByZeroWhereNothingIsNegative) {
  const Answer answer = solved(-Matrix::Identity(2, 2), Vec2(0, 1));
  EXPECT_EQ(answer.result.status, LcpStatus::solved);
  EXPECT_EQ(answer.result.pivots, 0);
  EXPECT_EQ(answer.z.norm(), 0);
}

TEST(Lcp, OfAPositiveDefiniteMatrixHasTheSolutionOfTheTextbook) {
  // Murty's example: z = (4/3, 7/3) for A = [2 1; 1 2], b = −(5, 6).
  Matrix A(2, 2);
  A << 2, 1, 1, 2;
  const Answer answer = solved(A, Vec2(-5, -6));
  EXPECT_EQ(answer.result.status, LcpStatus::solved);
  EXPECT_LT((answer.z - Vec2(4.0 / 3, 7.0 / 3)).norm(), 1e-14);
}

TEST(Lcp, IsSolvedForRandomPositiveSemidefiniteMatricesThatHaveASolution) {
  test::Random random(3);
  for (int k = 0; k < 300; ++k) {
    const int n = random.integer(1, 12), rank = random.integer(1, n);
    Matrix B(n, rank);
    for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = random.uniform(-1, 1);
    Vector u(rank);
    for (int i = 0; i < rank; ++i) u[i] = random.uniform(-1, 1);
    const Matrix A = B * B.transpose();
    const Answer answer = solved(A, B * u);  // b in the range: 0 is admissible for some z
    EXPECT_EQ(answer.result.status, LcpStatus::solved) << k;
    expect_complementary(A, B * u, answer.z);
  }
}

TEST(Lcp, WithManyTiesIsSolvedAndDoesNotCycle) {
  for (int n = 2; n < 12; ++n) {
    const Matrix A = Matrix::Ones(n, n);  // n times the same contact
    const Vector b = -Vector::Ones(n);
    const Answer answer = solved(A, b);
    EXPECT_EQ(answer.result.status, LcpStatus::solved);
    expect_complementary(A, b, answer.z);
  }
}

TEST(Lcp, ThatHasNoSolutionEndsInARay) {
  Matrix A(1, 1);
  A << 0;
  EXPECT_EQ(solved(A, Vector::Constant(1, -1)).result.status, LcpStatus::ray);
  Matrix slot(2, 2);
  slot << 1, -1, -1, 1;
  EXPECT_EQ(solved(slot, Vec2(-1, 0.5)).result.status, LcpStatus::ray);
}

TEST(Lcp, StopsAtItsLimitOfPivots) {
  Matrix A(2, 2);
  A << 2, 1, 1, 2;
  const Answer answer = solved(A, Vec2(-5, -6), 1);
  EXPECT_EQ(answer.result.status, LcpStatus::pivot_limit);
  EXPECT_EQ(answer.result.pivots, 1);
}

TEST(Lcp, EndsOnNumbersThatAreNotNumbers) {
  const Answer answer = solved(Matrix::Constant(3, 3, std::nan("")), -Vector::Ones(3), 50);
  EXPECT_LE(answer.result.pivots, 50);
}

}  // namespace
}  // namespace backlash
