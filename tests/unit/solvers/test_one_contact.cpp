// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/one_contact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/residual.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

ContactProblem problem_of(const OneContact& contact) {
  const int n = (contact.has_normal ? 1 : 0) + contact.tangents;
  Matrix G(n, n);
  Vector b(n);
  for (int i = 0; i < n; ++i) {
    b[i] = contact.b[i];
    for (int j = 0; j < n; ++j) G(i, j) = contact.G[i][j];
  }
  Law law;
  if (!contact.has_normal)
    law = Relay{.limit = contact.offset, .rows = contact.tangents};
  else if (contact.tangents == 0)
    law = Unilateral{};
  else
    law = Coulomb{.friction = contact.friction,
                  .tangents = contact.tangents,
                  .preload = contact.offset / contact.friction};
  return dense_problem(G, b, std::vector<Law>{law});
}

/// G = B Bᵀ with a random B, of full rank or not.
OneContact random_contact(test::Random& random, bool has_normal, int tangents, int rank) {
  OneContact contact{.has_normal = has_normal, .tangents = tangents};
  contact.friction = random.uniform(0.01, 1.5);
  if (!has_normal || random.chance(0.3)) contact.offset = random.uniform(0, 1);
  const int n = (has_normal ? 1 : 0) + tangents;
  Matrix B(n, rank);
  for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = random.uniform(-1, 1);
  const Matrix G = B * B.transpose();
  Vector u(rank);
  for (int i = 0; i < rank; ++i) u[i] = random.uniform(-1, 1);
  const Vector b = B * u;
  for (int i = 0; i < n; ++i) {
    contact.b[i] = b[i];
    for (int j = 0; j < n; ++j) contact.G[i][j] = G(i, j);
  }
  return contact;
}

TEST(OneContact, IsSolvedExactlyWheneverItsMatrixIsRegular) {
  test::Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const bool has_normal = random.chance(0.8);
    const int tangents = random.integer(has_normal ? 0 : 1, 2);
    const OneContact contact = random_contact(random, has_normal, tangents, 6);
    double impulse[3] = {};
    EXPECT_TRUE(solve_one_contact(contact, impulse)) << k;
    const ContactProblem problem = problem_of(contact);
    const Vector P = Eigen::Map<const Vector>(impulse, problem.free_velocity.size());
    EXPECT_LT(residual(problem, P).relative, 1e-11) << k;
  }
}

TEST(OneContact, FindsASolutionOfEnumerationInThePlaneAlsoWhereItsMatrixIsSingular) {
  test::Random random(6);
  for (int k = 0; k < 500; ++k) {
    const OneContact contact = random_contact(random, true, 1, random.integer(1, 2));
    double impulse[3] = {};
    const bool solved = solve_one_contact(contact, impulse);
    const ContactProblem problem = problem_of(contact);
    const auto all = all_solutions(problem, {});
    EXPECT_TRUE(solved) << k;
    EXPECT_FALSE(all.empty()) << k;
    const Vector P = Eigen::Map<const Vector>(impulse, 2);
    EXPECT_LT(residual(problem, P).relative, 1e-10) << k;
  }
}

TEST(OneContact, OfDryFrictionIsSolvedWhateverTheRankOfItsMatrix) {
  test::Random random(7);
  for (int k = 0; k < 500; ++k) {
    const OneContact contact = random_contact(random, false, 2, random.integer(1, 2));
    double impulse[3] = {};
    EXPECT_TRUE(solve_one_contact(contact, impulse));
    const Vector P = Eigen::Map<const Vector>(impulse, 2);
    EXPECT_LT(residual(problem_of(contact), P).relative, 1e-8) << k;
  }
}

TEST(OneContact, KeepsTheDirectionOfSlipWhenItStartsFromTheSolution) {
  test::Random random(8);
  for (int k = 0; k < 200; ++k) {
    const OneContact contact = random_contact(random, true, 2, 6);
    double first[3] = {}, second[3];
    ASSERT_TRUE(solve_one_contact(contact, first));
    std::copy(first, first + 3, second);
    ASSERT_TRUE(solve_one_contact(contact, second));
    const double size = std::hypot(first[0], first[1], first[2]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(first[i], second[i], 1e-9 * (1 + size));
  }
}

TEST(OneContact, SaysThatNoStateHoldsAndTakesAFiniteStep) {
  OneContact jam{.tangents = 1, .friction = 1.5};  // PainleveJam of the named problems
  jam.G[0][0] = jam.G[0][1] = jam.G[1][0] = jam.G[1][1] = 1;
  jam.b[0] = -1;
  double impulse[3] = {};
  EXPECT_FALSE(solve_one_contact(jam, impulse));
  EXPECT_TRUE(std::isfinite(impulse[0]) && std::isfinite(impulse[1]));
}

TEST(OneContact, StaysFiniteWhereNothingMoves) {
  for (int tangents = 0; tangents <= 2; ++tangents)
    for (const bool has_normal : {true, false}) {
      if (!has_normal && tangents == 0) continue;
      OneContact contact{.has_normal = has_normal, .tangents = tangents, .friction = 0.5};
      contact.offset = 1;
      contact.b[0] = -1;
      double impulse[3] = {};
      solve_one_contact(contact, impulse);
      for (const double P : impulse) EXPECT_TRUE(std::isfinite(P));
    }
}

}  // namespace
}  // namespace backlash
