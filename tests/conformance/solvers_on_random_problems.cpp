// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/existence.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

/// A slice of the ten thousand of docs/verification/random_problems.md.
constexpr std::uint64_t seeds = 400;

TEST(RandomProblems, AutoSolvesAllThatHaveASolution) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    ContactSolution solution;
    find_solver("auto").solve(random.dense, {}, scratch, solution);
    if (solution.status == SolverStatus::solved) continue;
    const test::Verdict verdict = test::decide_existence(random.dense);
    EXPECT_EQ(verdict.existence, test::Existence::none) << "seed " << seed;
    EXPECT_GT(verdict.margin, 1e-6) << "seed " << seed;
  }
}

TEST(RandomProblems, AutoSolvesThemGivenAsFactorsToo) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds / 4; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    ContactSolution of_matrix, of_factors;
    find_solver("auto").solve(random.dense, {}, scratch, of_matrix);
    find_solver("auto").solve(random.factors, {}, scratch, of_factors);
    EXPECT_EQ(of_factors.status, of_matrix.status) << "seed " << seed;
  }
}

TEST(RandomProblems, NoSolverReportsSolvedAboveItsTolerance) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    for (const SolverEntry& solver : solver_table()) {
      if (solver.name == "enumeration" && random.contacts > 4) continue;  // takes seconds
      for (const ContactProblem* problem : {&random.dense, &random.factors}) {
        SCOPED_TRACE(std::string(solver.name) + ", seed " + std::to_string(seed));
        ContactSolution solution;
        solver.solve(*problem, {.max_iterations = 300}, scratch, solution);
        const Residual judged = residual(*problem, solution.impulse);
        if (solution.status == SolverStatus::solved) {
          EXPECT_LE(judged.relative, 1e-10);
        }
        if (std::isfinite(solution.residual)) {
          EXPECT_EQ(solution.residual, judged.absolute);
        }
        if (solution.status == SolverStatus::approximated) {
          EXPECT_EQ(solver.space_friction, SpaceFriction::polyhedral);
          EXPECT_EQ(seed % 2, 1u);
        }
      }
    }
  }
}

TEST(RandomProblems, ASolutionIsFoundAgainFromItselfWithoutWork) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    ContactSolution first;
    find_solver("auto").solve(random.dense, {}, scratch, first);
    if (first.status != SolverStatus::solved) continue;
    for (const SolverEntry& solver : solver_table()) {
      if (solver.name == "auto" || solver.name == "enumeration") continue;  // they solve once more
      SCOPED_TRACE(std::string(solver.name) + ", seed " + std::to_string(seed));
      ContactSolution again;
      again.impulse = first.impulse;
      solver.solve(random.dense, {.tolerance = 1.1e-10}, scratch, again);
      EXPECT_EQ(again.status, SolverStatus::solved);
      EXPECT_EQ(again.iterations, 0);
    }
  }
}

TEST(RandomProblems, LemkeSolvesAllPlanarOnesThatHaveASolution) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds; seed += 2) {
    const test::RandomProblem random = test::random_problem(seed);
    ContactSolution by_lemke, by_auto;
    find_solver("lemke").solve(random.dense, {}, scratch, by_lemke);
    find_solver("auto").solve(random.dense, {}, scratch, by_auto);
    EXPECT_EQ(by_lemke.status == SolverStatus::solved, by_auto.status == SolverStatus::solved)
        << "seed " << seed;
  }
}

TEST(RandomProblems, AreTheSameForTheSameSeed) {
  const test::RandomProblem a = test::random_problem(17), b = test::random_problem(17);
  EXPECT_EQ(std::get<DenseDelassus>(a.dense.delassus).G,
            std::get<DenseDelassus>(b.dense.delassus).G);
  EXPECT_EQ(a.dense.free_velocity, b.dense.free_velocity);
  EXPECT_EQ(test::Random(0).bits(), 0xe220a8397b1dcdafu);  // splitmix64's published first output
}

TEST(RandomProblems, AreValidAndBothFormsAgree) {
  double smallest = 1, largest = 1;
  int redundant = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    validate(random.dense);
    validate(random.factors);
    EXPECT_GE(random.contacts, 1);
    EXPECT_LE(random.contacts, 12);
    const Eigen::Index n = random.dense.free_velocity.size();
    Matrix G(n, n);
    write_dense(random.factors.delassus, G);
    const Matrix& dense = std::get<DenseDelassus>(random.dense.delassus).G;
    EXPECT_LT((G - dense).norm(), 1e-14 * dense.norm());
    smallest = std::min(smallest, dense.diagonal().minCoeff());
    largest = std::max(largest, dense.diagonal().maxCoeff());
    redundant += Eigen::FullPivLU<Matrix>(dense).rank() < n;
  }
  EXPECT_GT(largest / smallest, 1e6);
  EXPECT_GT(redundant, static_cast<int>(seeds / 4));
}

}  // namespace
}  // namespace backlash
