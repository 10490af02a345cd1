// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/automatic.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/solvers/solver_table.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

struct Family {
  std::string name;
  std::function<ContactProblem(std::uint64_t)> make;
};

std::vector<Family> families() {
  return {{"chain", [](auto s) { return test::chain_problem(40, s); }},
          {"discs", [](auto s) { return test::disc_pile(8, 8, s); }},
          {"boxes", [](auto s) { return test::box_towers(5, 5, s); }},
          {"balls", [](auto s) { return test::ball_pile(3, 3, s); }},
          {"capsules", [](auto s) { return test::capsule_layers(4, 4, s); }},
          {"arch", [](auto s) { return test::arch(20, s); }},
          {"bearing", [](auto s) { return test::ball_bearing(12, s); }},
          {"Painlevé", [](auto s) { return test::painleve_rods(20, s); }}};
}

TEST(Automatic, SolvesWhatAnyOfItsMembersSolves) {
  for (const Family& family : families())
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const ContactProblem problem = family.make(seed);
      if (solve(find_solver("auto"), problem).status == SolverStatus::solved) continue;
      for (const char* member : {"proximal-newton", "interior-point", "admm", "gauss-seidel"})
        EXPECT_NE(solve(find_solver(member), problem).status, SolverStatus::solved)
            << family.name << ", seed " << seed << ", by " << member;
    }
}

TEST(Automatic, SolvesTheProblemsOfManyBodies) {
  for (const Family& family : families())
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      EXPECT_EQ(solve(find_solver("auto"), family.make(seed)).status, SolverStatus::solved)
          << family.name << ", seed " << seed;
}

}  // namespace
}  // namespace backlash
