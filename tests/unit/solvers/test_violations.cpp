// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/violations.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

/// A block of 2 kg that slides in space with (3, -4) m/s while friction, 0.5 of 2 N s, acts against
/// it; c such that the slip is that with any impulse.
ContactProblem sliding_block(const Vector& impulse) {
  const Matrix G = 0.5 * Matrix::Identity(3, 3);
  const Vector c = Eigen::Vector3d(0, 3, -4) - G * impulse;
  return dense_problem(G, c, std::vector<Law>{Coulomb{.friction = 0.5, .tangents = 2}});
}

TEST(Violations, AreNoneAtASolution) {
  const Vector impulse = Eigen::Vector3d(2, -0.6, 0.8);
  const LawViolations most = violations(sliding_block(impulse), impulse);
  for (const double value : {most.approach, most.complementarity, most.cone, most.equality})
    EXPECT_NEAR(value, 0, 1e-15);
  EXPECT_NEAR(most.slip_angle, 0, 1e-15);
}

TEST(Violations, SayWhichLawIsBrokenAndByHowMuch) {
  const double r = 2;
  for (const double angle : {1e-7, 0.3, 2.5}) {  // friction turned against the slip
    const Vector turned = Eigen::Vector3d(2, -std::cos(angle) * 0.6 - std::sin(angle) * 0.8,
                                          std::cos(angle) * 0.8 - std::sin(angle) * 0.6);
    const LawViolations most = violations(sliding_block(turned), turned);
    EXPECT_NEAR(most.slip_angle, angle, 1e-14);
    EXPECT_NEAR(most.slip_speed, 5, 1e-14);
    EXPECT_NEAR(most.cone, 0, 1e-15);
  }
  const Vector weak = Eigen::Vector3d(2, -0.54, 0.72);  // of 0.9 N s, 1 are possible
  EXPECT_NEAR(violations(sliding_block(weak), weak).complementarity, 0.1 / r, 1e-15);
  const Vector strong = Eigen::Vector3d(2, -0.72, 0.96);
  EXPECT_NEAR(violations(sliding_block(strong), strong).cone, 0.2 / r, 1e-15);
  const Vector pull = Eigen::Vector3d(-1, 0, 0);
  EXPECT_NEAR(violations(sliding_block(pull), pull).cone, 1 / r, 1e-15);
}

TEST(Violations, OfNormalsAndEqualityRows) {
  const Matrix G = Matrix::Identity(3, 3);
  const std::vector<Law> laws{Unilateral{}, Unilateral{}, Bilateral{}};
  const ContactProblem problem = dense_problem(G, Eigen::Vector3d(-1, 0.5, 0.2), laws);
  const LawViolations most = violations(problem, Eigen::Vector3d(0.75, 0.125, 0));
  EXPECT_EQ(most.approach, 0.25);
  EXPECT_EQ(most.complementarity, 0.125);
  EXPECT_EQ(most.equality, 0.2);
}

TEST(Violations, OfSolutionsAreWithinTheTolerance) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ContactProblem problem = test::random_problem(seed).factors;
    const ContactSolution solution = solve(find_solver("auto"), problem);
    if (solution.status != SolverStatus::solved) continue;
    const LawViolations most = violations(problem, solution.impulse);
    for (const double value : {most.approach, most.complementarity, most.cone, most.equality})
      EXPECT_LE(value, 2 * solution.residual + 1e-14 * velocity_scale(problem)) << seed;
  }
}

/// 10,000 rows as a matrix would take 0.8 GB, and a tableau several times that.
TEST(Solvers, ThatNeedAMatrixAreOutOfReachOfManyRows) {
  const ContactProblem large = test::chain_problem(3500, 1);
  ASSERT_GT(large.free_velocity.size(), 4000);
  for (const SolverEntry& solver : solver_table())
    EXPECT_EQ(is_within_reach(solver, large),
              solver.name != "lemke" && solver.name != "newton" && solver.name != "enumeration");
}

}  // namespace
}  // namespace backlash
