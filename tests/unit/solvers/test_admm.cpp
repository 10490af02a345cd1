// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/admm.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

struct Pile {
  std::string name;
  std::function<ContactProblem(std::uint64_t)> make;
};

std::vector<Pile> piles() {
  return {{"chain", [](std::uint64_t s) { return test::chain_problem(40, s); }},
          {"discs", [](std::uint64_t s) { return test::disc_pile(6, 6, s); }},
          {"boxes", [](std::uint64_t s) { return test::box_towers(4, 5, s); }},
          {"balls", [](std::uint64_t s) { return test::ball_pile(3, 3, s); }}};
}

TEST(Admm, SolvesWhatManyBodiesGiveInBothForms) {
  for (const Pile& pile : piles())
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(pile.name + ", seed " + std::to_string(seed));
      const ContactProblem sparse = pile.make(seed), dense = test::with_matrix(sparse);
      for (const ContactProblem* problem : {&sparse, &dense}) {
        const ContactSolution solution = solve(find_solver("admm"), *problem);
        EXPECT_EQ(solution.status, SolverStatus::solved) << solution.relative_residual;
        EXPECT_LE(residual(sparse, solution.impulse).relative, 1.01e-10);
      }
    }
}

/// Joints, dry friction and preloads as well.
TEST(Admm, SolvesMostRandomProblems) {
  int solved = 0;
  constexpr int seeds = 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    solved +=
        solve(find_solver("admm"), test::random_problem(seed).factors, {.max_iterations = 2000})
            .status == SolverStatus::solved;
  EXPECT_GT(solved, 0.97 * seeds);
}

/// Four hundred times the same contact under one block: one degree of freedom each way, and
/// impulses that share the load in whatever way.
TEST(Admm, SharesALoadAmongRedundantContacts) {
  constexpr int contacts = 400;
  constexpr double mass = 2, friction = 0.5, fall = -0.1, slide = 0.3;
  ContactProblem problem;
  BlockDelassus G;
  clear(G, 2);
  problem.free_velocity.resize(2 * contacts);
  for (int k = 0; k < contacts; ++k) {
    append(problem, Coulomb{.friction = friction});
    for (int i = 0; i < 2; ++i) {
      append_entry(G, i, 1, 1 / mass);
      end_row(G);
      problem.free_velocity[2 * k + i] = i == 0 ? fall : slide;
    }
  }
  problem.delassus = G;
  const ContactSolution solution = solve(find_solver("admm"), problem);
  ASSERT_EQ(solution.status, SolverStatus::solved);
  double normal = 0, tangential = 0;
  for (int k = 0; k < contacts; ++k) {
    normal += solution.impulse[2 * k];
    tangential += solution.impulse[2 * k + 1];
  }
  EXPECT_NEAR(normal, -mass * fall, 1e-9);
  EXPECT_NEAR(tangential, friction * mass * fall, 1e-9);
}

/// Products of 1e7 m/s cancel to 1 m/s: the best double leaves some 1e-9 of that, and counts as
/// solved if that is asked for (theory 5.18); an impulse that is off by more than rounding does
/// not.
TEST(Judge, AcceptsWhatRoundOffLeaves) {
  Matrix G(2, 2);
  G << 1.1e7, 1.1e7 - 1, 1.1e7 - 1, 1.1e7;
  const SolverOptions strict{.tolerance = 1e-12}, rounded{.tolerance = 1e-12, .round_off = 4};
  Arena scratch;
  int refused = 0;
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem = dense_problem(G, Eigen::Vector2d(1.0 / 3 + 0.1 * k, -1.0 / 7),
                                                 std::vector<Law>(2, Bilateral{}));
    const Vector exact = G.fullPivLu().solve(-problem.free_velocity.matrix());
    ContactSolution a, b, c;
    EXPECT_TRUE(Judge(problem, rounded, scratch, a).accepts(exact));
    EXPECT_FALSE(Judge(problem, rounded, scratch, b).accepts(1.0001 * exact));
    refused += !Judge(problem, strict, scratch, c).accepts(exact);
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace backlash
