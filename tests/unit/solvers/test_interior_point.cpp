// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/interior_point.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "backlash/solvers/lorentz_cone.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

/// A point inside of the cone with so many dimensions.
ConePoint random_point(test::Random& random, int dimensions) {
  ConePoint point{};
  for (int i = 1; i < dimensions; ++i) point[at(i)] = random.uniform(-1, 1);
  point[0] = std::hypot(point[1], point[2]) + random.uniform(0.01, 2);
  return point;
}

TEST(LorentzCone, ScalingBringsBothPointsToOne) {
  test::Random random(7);
  for (int k = 0; k < 100; ++k) {
    const int dimensions = 1 + k % 3;
    const ConePoint x = random_point(random, dimensions), s = random_point(random, dimensions);
    const NesterovToddScaling W(x, s);
    const ConePoint a = W.times(x), b = W.inverse_times(s);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(a[at(i)], b[at(i)], 1e-12);
      double square = 0, product = 0;  // W² x = s, W² W⁻² = 1
      for (int j = 0; j < dimensions; ++j) {
        square += W.square(i, j) * x[at(j)];
        product += W.square(i, j) * W.inverse_square(j, i);
      }
      if (i < dimensions) {
        EXPECT_NEAR(square, s[at(i)], 1e-10);
        EXPECT_NEAR(product, 1, 1e-10);
      }
    }
  }
}

TEST(LorentzCone, QuotientUndoesTheProduct) {
  test::Random random(8);
  for (int k = 0; k < 100; ++k) {
    const ConePoint a = random_point(random, 3), b = random_point(random, 3);
    const ConePoint back = jordan_quotient(jordan_product(a, b), a);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], b[i], 1e-10);
  }
}

TEST(LorentzCone, TheLongestStepEndsOnTheBoundary) {
  test::Random random(9);
  for (int k = 0; k < 300; ++k) {
    const ConePoint x = random_point(random, 1 + k % 3);
    ConePoint dx{};
    for (int i = 0; i < 1 + k % 3; ++i) dx[at(i)] = random.uniform(-4, 4);
    const double step = longest_step(x, dx);
    ConePoint end{};
    for (std::size_t i = 0; i < 3; ++i) end[i] = x[i] + step * dx[i];
    const double inside = end[0] - std::hypot(end[1], end[2]);
    EXPECT_GE(inside, -1e-10);
    if (step < 1) {
      EXPECT_NEAR(inside, 0, 1e-6);  // a double zero has half of the digits
    }
  }
}

TEST(InteriorPoint, SolvesPilesInBothForms) {
  const std::function<ContactProblem(std::uint64_t)> piles[] = {
      [](std::uint64_t s) { return test::chain_problem(40, s); },
      [](std::uint64_t s) { return test::disc_pile(6, 6, s); },
      [](std::uint64_t s) { return test::box_towers(4, 5, s); },
      [](std::uint64_t s) { return test::ball_pile(3, 3, s); }};
  for (const auto& make : piles)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const ContactProblem sparse = make(seed), dense = test::with_matrix(sparse);
      for (const ContactProblem* problem : {&sparse, &dense}) {
        const ContactSolution solution = solve(find_solver("interior-point"), *problem);
        EXPECT_EQ(solution.status, SolverStatus::solved) << solution.relative_residual;
        EXPECT_LE(residual(sparse, solution.impulse).relative, 1.01e-10);
      }
    }
}

/// Sixteen times as many contacts take hardly more iterations.
TEST(InteriorPoint, TakesFewIterationsForAnyNumberOfContacts) {
  const auto iterations = [](int n) {
    const ContactSolution solution = solve(find_solver("interior-point"), test::disc_pile(n, n, 1));
    EXPECT_EQ(solution.status, SolverStatus::solved);
    return solution.iterations;
  };
  EXPECT_LE(iterations(24), 2 * iterations(6));
}

/// Joints and dry friction as well; preloads have no cone.
TEST(InteriorPoint, SolvesMostRandomProblems) {
  int solved = 0;
  constexpr int seeds = 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    solved += solve(find_solver("interior-point"), test::random_problem(seed).factors).status ==
              SolverStatus::solved;
  EXPECT_GT(solved, 0.7 * seeds) << solved;
}

}  // namespace
}  // namespace backlash
