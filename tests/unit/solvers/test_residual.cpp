// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/residual.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/named_problems.h"
#include "support/random_problems.h"

namespace backlash::test_residual {
namespace {

constexpr double m = 2;  // [kg]

ContactProblem one_row(const Law& law, double c) {
  return dense_problem(Matrix::Constant(1, 1, 1 / m), Vector::Constant(1, c),
                       std::vector<Law>{law});
}

double judged(const ContactProblem& problem, std::initializer_list<double> impulse) {
  Vector P(static_cast<Eigen::Index>(impulse.size()));
  std::copy(impulse.begin(), impulse.end(), P.data());
  return residual(problem, P).absolute;
}

TEST(Residual, OfAUnilateralRowIsTheVelocityWhereItPushesAndTheImpulseWhereItIsOpen) {
  const ContactProblem closing = one_row(Unilateral{}, -3);
  EXPECT_EQ(judged(closing, {3 * m}), 0);
  EXPECT_NEAR(judged(closing, {3 * m + 0.1}), 0.1 / m, 1e-15);  // ξ = 0.1/m
  EXPECT_EQ(judged(closing, {0}), 3);                           // it would penetrate at 3 m/s
  const ContactProblem opening = one_row(Unilateral{}, 3);
  EXPECT_EQ(judged(opening, {0}), 0);
  EXPECT_NEAR(judged(opening, {0.1}), 0.1 / m, 1e-15);   // an impulse that acts in the open
  EXPECT_NEAR(judged(opening, {-0.1}), 0.1 / m, 1e-15);  // an impulse that pulls
}

TEST(Residual, OfABilateralRowIsItsVelocity) {
  EXPECT_EQ(judged(one_row(Bilateral{1}, -3), {0}), 3);
  EXPECT_EQ(judged(one_row(Bilateral{1}, -3), {3 * m}), 0);
}

TEST(Residual, OfARelayVanishesAtItsLimitOnlyAgainstTheSlip) {
  const ContactProblem problem = one_row(Relay{.limit = m}, 3);
  EXPECT_EQ(judged(problem, {-m}), 0);
  EXPECT_NEAR(judged(problem, {m}), 2, 1e-15);           // helps the slip: to be moved by 2 m
  EXPECT_NEAR(judged(problem, {-1.5 * m}), 0.5, 1e-15);  // beyond the limit
}

TEST(Residual, OfFrictionTakesTheDiskOfTheProjectedNormalImpulse) {
  const std::vector<Law> laws{Coulomb{.friction = 0.5}};
  const ContactProblem problem = dense_problem(Matrix::Identity(2, 2) / m, Vec2(-1, 10), laws);
  EXPECT_EQ(judged(problem, {m, -0.5 * m}), 0);
  EXPECT_NEAR(judged(problem, {m, 0}), 0.5, 1e-15);
}

TEST(Residual, ScalesWithTheVelocitiesAndNotWithTheMasses) {
  const test::RandomProblem random = test::random_problem(31);
  const Eigen::Index n = random.dense.free_velocity.size();
  const Vector impulse = Vector::LinSpaced(n, -1, 3);
  const Residual before = residual(random.dense, impulse);

  const double factor = 1e3;
  ContactProblem faster = random.dense;  // all velocities and impulses times a factor
  faster.free_velocity *= factor;
  faster.velocity_scale *= factor;
  for (LawBlock& block : faster.blocks) {
    if (auto* law = std::get_if<Relay>(&block.law)) law->limit *= factor;
    if (auto* law = std::get_if<Coulomb>(&block.law)) law->preload *= factor;
  }
  EXPECT_NEAR(residual(faster, factor * impulse).absolute / (factor * before.absolute), 1, 1e-12);
  EXPECT_NEAR(residual(faster, factor * impulse).relative / before.relative, 1, 1e-12);

  ContactProblem heavier = random.dense;  // all masses and impulses times a factor
  std::get<DenseDelassus>(heavier.delassus).G /= factor;
  for (LawBlock& block : heavier.blocks) {
    if (auto* law = std::get_if<Relay>(&block.law)) law->limit *= factor;
    if (auto* law = std::get_if<Coulomb>(&block.law)) law->preload *= factor;
  }
  EXPECT_NEAR(residual(heavier, factor * impulse).absolute / before.absolute, 1, 1e-12);
}

TEST(Residual, IsTheSameForBothFormsOfTheOperator) {
  for (const std::uint64_t seed : {4u, 9u, 30u}) {
    const test::RandomProblem random = test::random_problem(seed);
    const Vector impulse = Vector::LinSpaced(random.dense.free_velocity.size(), -1, 3);
    const double dense = residual(random.dense, impulse).absolute;
    EXPECT_NEAR(residual(random.factors, impulse).absolute, dense, 1e-12 * dense);
  }
}

TEST(Residual, TurnsAngularVelocitiesIntoMetresPerSecondByTheLengthOfTheRow) {
  ContactProblem problem = one_row(Bilateral{1}, 3);  // 3 rad/s
  problem.row_length = Vector::Constant(1, 0.2);
  EXPECT_NEAR(residual(problem, Vector::Zero(1)).absolute, 0.6, 1e-15);
  EXPECT_NEAR(velocity_scale(problem), 0.6, 1e-15);
  EXPECT_EQ(residual(problem, Vector::Zero(1)).relative, 1);
}

TEST(Residual, IsRelativeToTheLargerOfTheFreeVelocityAndTheScaleOfTheProblem) {
  ContactProblem problem = one_row(Bilateral{1}, 3);
  EXPECT_EQ(residual(problem, Vector::Zero(1)).relative, 1);
  problem.velocity_scale = 30;
  EXPECT_NEAR(residual(problem, Vector::Zero(1)).relative, 0.1, 1e-16);
  problem.velocity_scale = 1;
  EXPECT_EQ(residual(problem, Vector::Zero(1)).relative, 1);
}

TEST(Residual, JudgesARowThatNothingCanMoveByTheMostMobileOne) {
  const Matrix G = Vec2(0.5, 0).asDiagonal();
  const std::vector<Law> laws{Unilateral{}, Unilateral{}};
  EXPECT_EQ(judged(dense_problem(G, Vec2(1, 0), laws), {0, 0}), 0);
  EXPECT_EQ(judged(dense_problem(G, Vec2(1, 1), laws), {0, 0}), 0);
  EXPECT_EQ(judged(dense_problem(G, Vec2(1, -1), laws), {0, 0}), 1);
  EXPECT_EQ(judged(dense_problem(G, Vec2(1, -1), laws), {0, 7}), 1);
  EXPECT_EQ(judged(dense_problem(Matrix::Zero(2, 2), Vec2(1, -2), laws), {0, 0}), 2);
}

TEST(Residual, VanishesAtSolutionsInClosedForm) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    if (named.impulse.size() == 0) continue;
    EXPECT_LT(residual(named.problem, named.impulse).relative, 1e-14) << named.name;
  }
}

TEST(Residual, IsInfiniteWhereAnImpulseIsNotANumber) {
  const ContactProblem problem = one_row(Unilateral{}, 3);
  EXPECT_EQ(residual(problem, Vector::Constant(1, std::nan(""))).absolute, INFINITY);
  EXPECT_EQ(residual(problem, Vector::Constant(1, INFINITY)).relative, INFINITY);
}

TEST(Residual, OfNothingIsZero) { EXPECT_EQ(residual(ContactProblem{}, Vector()).relative, 0); }

}  // namespace
}  // namespace backlash::test_residual
