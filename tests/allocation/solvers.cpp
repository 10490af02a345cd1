// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "backlash/solvers/solver_table.h"
#include "support/named_problems.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash::test {
namespace {

/// Blocks that a solver takes when it solves the same problem from scratch a second time.
long taken_again(const SolverEntry& solver, const ContactProblem& problem) {
  Arena scratch;
  ContactSolution solution;
  const Vector none = Vector::Zero(problem.free_velocity.size());
  const auto run = [&] {
    solution.impulse = none;
    solver.solve(problem, {.max_iterations = 200}, scratch, solution);
  };
  run();
  const long before = heap_allocations();
  run();
  return heap_allocations() - before;
}

TEST(SolverAllocation, IsNoneOnceASolverHasSeenProblemsOfThatSize) {
  if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  std::vector<NamedProblem> problems = solvable_problems();
  for (const NamedProblem& named : unsolvable_problems()) problems.push_back(named);
  for (const SolverEntry& solver : solver_table())
    for (const NamedProblem& named : problems)
      EXPECT_EQ(taken_again(solver, named.problem), 0) << solver.name << ", " << named.name;
}

TEST(SolverAllocation, IsNoneOnRandomProblemsInBothForms) {
  if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomProblem random = random_problem(seed);
    for (const SolverEntry& solver : solver_table()) {
      if (solver.name == "enumeration" && random.contacts > 4) continue;  // takes seconds
      EXPECT_EQ(taken_again(solver, random.dense), 0) << solver.name << ", seed " << seed;
      EXPECT_EQ(taken_again(solver, random.factors), 0)
          << solver.name << ", factors, seed " << seed;
    }
  }
}

TEST(SolverAllocation, IsNoneOnManyBodies) {
  if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  for (const char* solver : {"proximal-newton", "auto", "gauss-seidel"})
    for (const ContactProblem& problem :
         {chain_problem(100, 1), disc_pile(5, 5, 1), box_towers(4, 4, 1), ball_pile(3, 3, 1)})
      EXPECT_EQ(taken_again(find_solver(solver), problem), 0) << solver;
}

TEST(SolverAllocation, IsNoneForFactorsThatAreRefilled) {
  if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  const ContactProblem problem = chain_problem(20, 1);
  const auto& source = std::get<BlockDelassus>(problem.delassus);
  BlockDelassus G;
  const auto refill = [&] {
    clear(G, source.velocities);
    for (Eigen::Index i = 0; i < source.rows(); ++i) {
      for (Eigen::Index e = source.first[at(i)]; e < source.first[at(i + 1)]; ++e)
        append_entry(G, source.velocity[at(e)], source.W[at(e)], source.mass_inverse_W[at(e)]);
      end_row(G);
    }
  };
  refill();
  const long before = heap_allocations();
  refill();
  EXPECT_EQ(heap_allocations(), before);
}

TEST(ArenaAllocation, IsNoneOnceItHasBeenUsed) {
  if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  Arena arena;
  const auto use = [&] {
    Arena::Frame frame(arena);
    frame.vector(5000).setZero();
    Arena::Frame inner(arena);
    inner.matrix(90, 90).setZero();
  };
  use();
  const long before = heap_allocations();
  for (int k = 0; k < 10; ++k) use();
  EXPECT_EQ(heap_allocations(), before);
}

}  // namespace
}  // namespace backlash::test
