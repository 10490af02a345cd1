// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/named_problems.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

bool has_disk(const ContactProblem& problem) {
  for (const LawBlock& block : problem.blocks) {
    const auto* coulomb = std::get_if<Coulomb>(&block.law);
    const auto* relay = std::get_if<Relay>(&block.law);
    if ((coulomb && coulomb->tangents == 2) || (relay && relay->rows == 2)) return true;
  }
  return false;
}

Vector velocity_of(const ContactProblem& problem, const Vector& impulse) {
  Matrix G(impulse.size(), impulse.size());
  write_dense(problem.delassus, G);
  return G * impulse + problem.free_velocity;
}

/// `solved` by all; polyhedral solvers may say `approximated` where there is a disk.
void expect_solved(const SolverEntry& solver, const test::NamedProblem& named,
                   const ContactSolution& solution, double tolerance) {
  const ContactProblem& problem = named.problem;
  if (solution.status == SolverStatus::approximated) {
    EXPECT_EQ(solver.space_friction, SpaceFriction::polyhedral);
    EXPECT_TRUE(has_disk(problem));
    EXPECT_LT((velocity_of(problem, solution.impulse) - named.velocity).norm(),
              0.5 * velocity_scale(problem));
    return;
  }
  EXPECT_EQ(solution.status, SolverStatus::solved) << solution.relative_residual;
  EXPECT_LE(residual(problem, solution.impulse).relative, tolerance);
  EXPECT_LT((velocity_of(problem, solution.impulse) - named.velocity).norm(),
            1e3 * tolerance * velocity_scale(problem));
  if (named.impulse.size() > 0) {
    EXPECT_LT((solution.impulse - named.impulse).norm(),
              1e3 * tolerance * (1 + named.impulse.norm()));
  }
}

class EverySolver : public ::testing::TestWithParam<SolverEntry> {};

TEST_P(EverySolver, FindsTheSolutionsInClosedForm) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    SCOPED_TRACE(named.name);
    expect_solved(GetParam(), named, solve(GetParam(), named.problem, {.tolerance = 1e-12}), 1e-12);
  }
}

TEST_P(EverySolver, StaysAtTheSolutionItStartsFrom) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    if (named.impulse.size() == 0) continue;  // many impulses solve it
    SCOPED_TRACE(named.name);
    Arena scratch;
    ContactSolution solution;
    solution.impulse = named.impulse;
    GetParam().solve(named.problem, {}, scratch, solution);
    EXPECT_EQ(solution.status, SolverStatus::solved);
    EXPECT_LE(solution.iterations, 1);
    EXPECT_LT((solution.impulse - named.impulse).norm(), 1e-9 * (1 + named.impulse.norm()));
  }
}

TEST_P(EverySolver, FindsTheSolutionFromAWrongGuess) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    SCOPED_TRACE(named.name);
    Arena scratch;
    ContactSolution solution;
    solution.impulse.resize(named.problem.free_velocity.size());
    for (Eigen::Index i = 0; i < solution.impulse.size(); ++i)
      solution.impulse[i] = i % 2 == 0 ? 5 : -3;
    GetParam().solve(named.problem, {}, scratch, solution);
    expect_solved(GetParam(), named, solution, 1e-10);
  }
}

TEST_P(EverySolver, IgnoresAGuessThatIsNotFiniteOrDoesNotFit) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    SCOPED_TRACE(named.name);
    const Eigen::Index n = named.problem.free_velocity.size();
    Arena scratch;
    ContactSolution solution;
    for (const Vector& guess :
         {Vector(Vector::Constant(n, std::nan(""))), Vector(Vector::Ones(n + 1))}) {
      solution.impulse = guess;
      GetParam().solve(named.problem, {}, scratch, solution);
      expect_solved(GetParam(), named, solution, 1e-10);
    }
  }
}

TEST_P(EverySolver, SolvesTheSameProblemsGivenAsFactors) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    SCOPED_TRACE(named.name);
    ContactProblem factors = named.problem;
    Matrix G(factors.free_velocity.size(), factors.free_velocity.size());
    write_dense(named.problem.delassus, G);
    // G = Wᵀ M⁻¹ W with W = I and M⁻¹ = G.
    const Matrix identity = Matrix::Identity(G.rows(), G.cols());
    const std::vector<Matrix> blocks{G};
    factors.delassus = block_delassus(identity.sparseView(), blocks);
    Arena scratch;
    ContactSolution solution;
    solution.impulse = Vector::Ones(G.rows());
    GetParam().solve(factors, {}, scratch, solution);
    expect_solved(GetParam(), named, solution, 1e-10);
  }
}

TEST_P(EverySolver, DoesNotSayThatItSolvedWhatHasNoSolution) {
  for (const test::NamedProblem& named : test::unsolvable_problems()) {
    SCOPED_TRACE(named.name);
    const ContactSolution solution = solve(GetParam(), named.problem, {.max_iterations = 1000});
    EXPECT_NE(solution.status, SolverStatus::solved);
    EXPECT_NE(solution.status, SolverStatus::approximated);
    EXPECT_GT(solution.relative_residual, 0.1);
  }
}

TEST_P(EverySolver, SolvesTheCornersOfTheSliderCrankToTwelveDigits) {
  for (const double friction : {0.01, 0.3})
    for (const Eigen::Vector4d& c :
         {Eigen::Vector4d(-1, 2, -1.1, 2), Eigen::Vector4d(-1, 1e-4, -1, 1e-4),
          Eigen::Vector4d(-1, 2, 3, 2), Eigen::Vector4d(-1, -2, -1, -2)}) {
      const ContactProblem problem = test::slider_crank_problem(friction, c);
      const ContactSolution solution = solve(GetParam(), problem, {.tolerance = 1e-12});
      EXPECT_EQ(solution.status, SolverStatus::solved) << solution.relative_residual;
      EXPECT_LE(residual(problem, solution.impulse).relative, 1e-12);
    }
}

TEST_P(EverySolver, GivesNoImpulseWithoutFreeVelocity) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Vector::Zero(4));
  Arena scratch;
  ContactSolution solution;
  solution.impulse = Vector::Ones(4);  // of the last step
  GetParam().solve(problem, {}, scratch, solution);
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_EQ(solution.impulse.norm(), 0);
  EXPECT_EQ(solution.relative_residual, 0);
}

TEST_P(EverySolver, SolvesTheProblemWithoutRows) {
  const ContactSolution solution = solve(GetParam(), ContactProblem{});
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_EQ(solution.impulse.size(), 0);
}

TEST_P(EverySolver, NeverCallsNotANumberSolved) {
  for (const double bad : {std::nan(""), double(INFINITY)}) {
    for (int where = 0; where < 4; ++where) {
      ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1, 2));
      if (where == 0) problem.free_velocity[1] = bad;
      if (where == 1) std::get<DenseDelassus>(problem.delassus).G.setConstant(bad);
      if (where == 2) std::get<DenseDelassus>(problem.delassus).G(0, 2) = bad;
      if (where == 3) std::get<DenseDelassus>(problem.delassus).G(0, 0) = bad;
      Arena scratch;
      ContactSolution solution;
      GetParam().solve(problem, {.max_iterations = 200}, scratch, solution);
      EXPECT_NE(solution.status, SolverStatus::solved) << where;
    }
  }
}

TEST_P(EverySolver, ReportsWhatResidualSaysOfItsImpulse) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  for (const int iterations : {1, 3, 10000}) {
    const ContactSolution solution = solve(GetParam(), problem, {.max_iterations = iterations});
    if (!std::isfinite(solution.residual)) continue;  // it has no candidate
    EXPECT_EQ(solution.residual, residual(problem, solution.impulse).absolute);
    EXPECT_EQ(solution.relative_residual, residual(problem, solution.impulse).relative);
  }
}

TEST_P(EverySolver, StopsAtItsLimitOfIterations) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  Arena scratch;
  ContactSolution solution;
  GetParam().solve(problem, {.tolerance = 0, .max_iterations = 5}, scratch, solution);
  EXPECT_LE(solution.iterations, 5);
  if (solution.residual == 0) return;
  EXPECT_NE(solution.status, SolverStatus::solved);
}

/// However hard a problem is, in all that a solver tries.
TEST_P(EverySolver, CountsNoMoreIterationsThanItIsAllowed) {
  Arena scratch;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    for (const ContactProblem* problem : {&random.dense, &random.factors})
      for (const int most : {1, 7, 60, 700}) {
        if (GetParam().name == "enumeration" && most > 60) continue;  // each is a factorisation
        ContactSolution solution;
        GetParam().solve(*problem, {.tolerance = 1e-300, .max_iterations = most}, scratch,
                         solution);
        EXPECT_LE(solution.iterations, most) << "seed " << seed;
      }
  }
}

std::string solver_name(const ::testing::TestParamInfo<SolverEntry>& info) {
  std::string name(info.param.name);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver,
                         ::testing::ValuesIn(solver_table().begin(), solver_table().end()),
                         solver_name);

TEST(SolverTable, FindsSolversByNameAndListsThemOtherwise) {
  for (const SolverEntry& entry : solver_table())
    EXPECT_EQ(find_solver(entry.name).name, entry.name);
  EXPECT_THAT([] { find_solver("simplex"); },
              ThrowsMessage<InputError>(::testing::AllOf(HasSubstr("'simplex'"), HasSubstr("auto"),
                                                         HasSubstr("gauss-seidel"))));
}

}  // namespace
}  // namespace backlash
