// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/reduction.h"

#include <gtest/gtest.h>

#include "support/random_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

Vector some_impulse(Index n) { return Vector::LinSpaced(n, -0.7, 1.3); }

TEST(Reduction, KeepsTheVelocitiesOfAllOtherRowsAndStopsTheBilateralOnes) {
  int eliminations = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    Arena scratch;
    Arena::Frame frame(scratch);
    const ReducedProblem reduced = reduce(random.dense, frame);
    eliminations += !reduced.eliminated.empty();
    const Index n = random.dense.free_velocity.size();
    const Vector impulse = some_impulse(reduced.c.size());
    Vector full(n), xi(n), reduced_xi(impulse.size());
    expand(reduced, impulse, full);
    apply(random.dense.delassus, full, scratch, xi);
    xi += random.dense.free_velocity;
    write_velocity(reduced, impulse, reduced_xi);
    Matrix G(n, n);
    write_dense(random.dense.delassus, G);
    const double scale = (G.cwiseAbs() * full.cwiseAbs()).maxCoeff() + 1;
    for (std::size_t i = 0; i < reduced.kept.size(); ++i)
      EXPECT_NEAR(reduced_xi[static_cast<Index>(i)], xi[reduced.kept[i]], 1e-10 * scale) << seed;
    for (const LawBlock& block : random.dense.blocks)
      if (const auto* law = std::get_if<Bilateral>(&block.law)) {
        EXPECT_LT(xi.segment(block.first, law->rows).norm(), 1e-10 * scale) << seed;
      }
  }
  EXPECT_GT(eliminations, 10);
}

TEST(Reduction, GivesRedundantBilateralRowsNoImpulse) {
  Matrix W(2, 3);
  W << 1, 1, 0, 0, 0, 1;
  const std::vector<Law> laws{Bilateral{2}, Unilateral{}};
  const ContactProblem problem =
      dense_problem(W.transpose() * W, W.transpose() * Vec2(3, -2), laws);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  EXPECT_EQ(reduced.eliminated.size(), 1u);
  Vector full(3);
  expand(reduced, Vector::Constant(1, 2), full);
  EXPECT_EQ(full[0] + full[1], -3);
  EXPECT_EQ(full[0] * full[1], 0);
}

TEST(Reduction, LeavesOutTheTangentsOfFrictionlessContacts) {
  const std::vector<Law> laws{Coulomb{.friction = 0}, Coulomb{.friction = 0.2}};
  const ContactProblem problem = dense_problem(Matrix::Identity(4, 4), some_impulse(4), laws);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  ASSERT_EQ(reduced.contacts.size(), 2u);
  EXPECT_EQ(reduced.contacts[0].tangents, 0);
  EXPECT_EQ(reduced.contacts[1].tangents, 1);
  EXPECT_EQ(reduced.c.size(), 3);
  Vector full(4), back(3);
  expand(reduced, Vec3(1, 2, 3), full);
  EXPECT_EQ(full, Vector(Eigen::Vector4d(1, 0, 2, 3)));
  restrict_to(reduced, full, back);
  EXPECT_EQ(back, Vector(Vec3(1, 2, 3)));
}

TEST(Reduction, WorksOnTheProblemItselfWhereNothingIsLeftOut) {
  const std::vector<Law> laws{Coulomb{.friction = 0.2}, Relay{.limit = 3}};
  const ContactProblem problem = dense_problem(Matrix::Identity(3, 3), some_impulse(3), laws);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  EXPECT_EQ(reduced.G.data(), std::get<DenseDelassus>(problem.delassus).G.data());
  EXPECT_FALSE(reduced.contacts[1].has_normal());
  EXPECT_EQ(reduced.contacts[1].limit(7), 3);
  EXPECT_TRUE(reduced.planar());
}

TEST(Reduction, ClearsRowsThatTheBilateralRowsHoldFast) {
  Matrix W(3, 5);
  W << 1, 0, 0, 0.6, 0.3,  //
      0, 1, 0, 0.8, 0.1,   //
      0, 0, 1, 0.3, 0.7;
  const Matrix inverse_mass = Vec3(1, 2, 7).asDiagonal();
  const std::vector<Law> laws{Bilateral{3}, Coulomb{.friction = 1}};
  const ContactProblem problem =
      dense_problem(W.transpose() * inverse_mass * W, W.transpose() * Vec3(0.1, -0.7, 0.3), laws);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  EXPECT_EQ(reduced.G.norm(), 0);
  EXPECT_EQ(reduced.c.norm(), 0);
}

TEST(Reduction, KeepingTheBilateralRowsKeepsTheWholeMatrix) {
  const test::RandomProblem random = test::random_problem(7);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem whole = keep_bilateral(random.dense, frame);
  const Matrix& G = std::get<DenseDelassus>(random.dense.delassus).G;
  for (std::size_t i = 0; i < whole.kept.size(); ++i)
    for (std::size_t j = 0; j < whole.kept.size(); ++j)
      EXPECT_EQ(whole.G(Index(i), Index(j)), G(whole.kept[i], whole.kept[j]));
}

TEST(Reduction, TakesOneOverTheDiagonalForRAndTheMostMobileRowsWhereNothingMoves) {
  Matrix G = Matrix::Zero(5, 5);
  G.diagonal() << 2, 3, 5, 0, 8;
  const std::vector<Law> laws{Coulomb{.friction = 1, .tangents = 2}, Coulomb{.friction = 1}};
  const ContactProblem problem = dense_problem(G, Vector::Ones(5), laws);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  EXPECT_EQ(reduced.contacts[0].normal_r, 1.0 / 2);
  EXPECT_EQ(reduced.contacts[0].tangent_r, 1 / ((3.0 + 5.0) / 2));
  EXPECT_EQ(reduced.contacts[1].normal_r, 1.0 / 8);
  EXPECT_EQ(reduced.contacts[1].tangent_r, 1.0 / 8);
}

}  // namespace
}  // namespace backlash
