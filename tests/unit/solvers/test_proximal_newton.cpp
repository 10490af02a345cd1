// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/proximal_newton.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

struct Family {
  std::string name;
  std::function<ContactProblem(std::uint64_t seed)> make;
};

std::vector<Family> families() {
  return {{"chain", [](std::uint64_t seed) { return test::chain_problem(25, seed); }},
          {"discs", [](std::uint64_t seed) { return test::disc_pile(4, 4, seed); }},
          {"boxes", [](std::uint64_t seed) { return test::box_towers(3, 3, seed); }},
          {"balls", [](std::uint64_t seed) { return test::ball_pile(2, 3, seed); }}};
}

/// Balls between three walls may be wedged in several ways, each with its own velocities; without
/// friction there is one.
ContactProblem with_one_velocity(ContactProblem problem) {
  for (LawBlock& block : problem.blocks)
    if (auto* law = std::get_if<Coulomb>(&block.law); law && law->tangents == 2) law->friction = 0;
  return problem;
}

Vector velocity(const ContactProblem& problem, const VectorView& impulse) {
  Vector xi(impulse.size());
  Arena scratch;
  apply(problem.delassus, impulse, scratch, xi);
  return xi + problem.free_velocity;
}

/// c = Wᵀ u for other velocities of the bodies that are close by.
ContactProblem one_step_later(const ContactProblem& problem, std::uint64_t seed) {
  ContactProblem next = problem;
  const auto& G = std::get<BlockDelassus>(problem.delassus);
  test::Random random(seed);
  Vector change(G.velocities);
  for (Index i = 0; i < change.size(); ++i) change[i] = random.uniform(-1e-5, 1e-5);
  for (Index i = 0; i < G.rows(); ++i)
    for (Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
      next.free_velocity[i] += G.W[at(e)] * change[G.velocity[at(e)]];
  return next;
}

TEST(ProximalNewton, SolvesWhatManyBodiesGiveInBothForms) {
  for (const Family& family : families())
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(family.name + ", seed " + std::to_string(seed));
      const ContactProblem sparse = family.make(seed), dense = test::with_matrix(sparse);
      for (const ContactProblem* problem : {&sparse, &dense}) {
        const ContactSolution solution = solve(find_solver("proximal-newton"), *problem);
        EXPECT_EQ(solution.status, SolverStatus::solved) << solution.relative_residual;
        EXPECT_LE(residual(sparse, solution.impulse).relative, 1.01e-10);
      }
    }
}

TEST(ProximalNewton, GivesTheVelocitiesOfTheDenseSolvers) {
  for (const Family& family : families())
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(family.name + ", seed " + std::to_string(seed));
      const ContactProblem sparse = with_one_velocity(family.make(seed));
      const ContactProblem dense = test::with_matrix(sparse);
      const SolverOptions options{.tolerance = 1e-12};
      const ContactSolution a = solve(find_solver("proximal-newton"), sparse, options);
      const ContactSolution b = solve(find_solver("auto"), dense, options);
      ASSERT_EQ(a.status, SolverStatus::solved);
      ASSERT_EQ(b.status, SolverStatus::solved);
      EXPECT_LT((velocity(sparse, a.impulse) - velocity(dense, b.impulse)).norm(),
                1e-8 * velocity_scale(sparse));
    }
}

TEST(ProximalNewton, FollowsAChainFromStepToStepInAFewIterations) {
  const ContactProblem problem = test::chain_problem(200, 1);
  ContactSolution solution = solve(find_solver("proximal-newton"), problem);
  ASSERT_EQ(solution.status, SolverStatus::solved);
  Arena scratch;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    solve_proximal_newton(one_step_later(problem, seed), {}, scratch, solution);
    EXPECT_EQ(solution.status, SolverStatus::solved);
    EXPECT_LE(solution.iterations, 10);
  }
}

TEST(ProximalNewton, SolvesMostRandomProblems) {
  int solved = 0;
  constexpr int seeds = 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    solved += solve(find_solver("proximal-newton"), test::random_problem(seed).factors,
                    {.max_iterations = 1000})
                  .status == SolverStatus::solved;
  EXPECT_GT(solved, 0.97 * seeds);
}

TEST(ProximalNewton, SolvesAnAsymmetricMatrixAsItIsGiven) {
  Matrix G(4, 4);
  G << 2, 0, 0.5, 0, 0, 2, 0, 0.3, 0.25, 0, 3, 0, 0, 0, 0, 3;
  const std::vector<Law> laws(2, Coulomb{.friction = 0.5});
  const ContactProblem dense = dense_problem(G, Eigen::Vector4d(-1, 0.1, -1, 2), laws);
  ContactProblem sparse = dense;
  sparse.delassus = block_delassus(G.sparseView());
  const ContactSolution expected = solve(find_solver("enumeration"), dense);
  ASSERT_EQ(expected.status, SolverStatus::solved);
  const ContactSolution solution = solve(find_solver("proximal-newton"), sparse);
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_LT((solution.impulse - expected.impulse).norm(), 1e-9);
}

TEST(Auto, TakesProximalNewtonForFactors) {
  const ContactSolution solution = solve(find_solver("auto"), test::chain_problem(30, 3));
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_EQ(solution.method, "proximal-newton");
}

}  // namespace
}  // namespace backlash
