// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/rolling.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "support/random_problems.h"

namespace backlash {
namespace {

struct RollingProblem {
  ContactProblem problem;
  std::vector<RollingLimit> rolling;
};

/// Contacts with rows (N, T, R) or (N, T1, T2, R1, R2) one after the other.
RollingProblem rolling_problem(const Matrix& G, const Vector& c, int tangents, double friction,
                               double rolling) {
  std::vector<Law> laws;
  RollingProblem result;
  for (Eigen::Index row = 0; row < c.size(); row += 1 + 2 * tangents) {
    result.rolling.push_back({.relay = laws.size() + 1, .normal = row, .coefficient = rolling});
    laws.push_back(Coulomb{.friction = friction, .tangents = tangents});
    laws.push_back(Relay{.rows = tangents});
  }
  result.problem = dense_problem(G, c, laws);
  return result;
}

ContactSolution solve(const SolverEntry& solver, RollingProblem& p, double tolerance = 1e-12) {
  Arena scratch;
  ContactSolution solution;
  solve_rolling(solver, p.rolling, {.tolerance = tolerance}, scratch, p.problem, solution);
  return solution;
}

/// A wheel of 2 kg on the floor, which it meets with the impulse p = 3 N s while it rolls to the
/// right without slip. Rows: normal, tangent, rotation.
struct Wheel {
  double m = 2, r = 0.3, J = 0.05, v = 1.5, p = 3;

  RollingProblem problem(double rolling) const {
    const Matrix W{{0, 1, 0}, {1, 0, 0}, {0, r, 1}};  // of (v_x, v_y, ω)
    const Eigen::Vector3d mass(m, m, J), u(v, -p / m, -v / r);
    const Matrix G = W.transpose() * mass.cwiseInverse().asDiagonal() * W;
    return rolling_problem(G, W.transpose() * u, 1, 1, rolling);
  }
};

TEST(RollingFriction, SlowsAWheelByTheMomentOfItsPush) {
  const Wheel wheel;
  const double rolling = 0.01, moment = rolling * wheel.p;
  const double change = moment / (wheel.J + wheel.m * wheel.r * wheel.r);  // of ω
  for (const SolverEntry& solver : solver_table()) {
    SCOPED_TRACE(solver.name);
    RollingProblem p = wheel.problem(rolling);
    const ContactSolution found = solve(solver, p);
    EXPECT_EQ(found.status, SolverStatus::solved);
    EXPECT_NEAR(found.impulse[0], wheel.p, 1e-11);
    EXPECT_NEAR(found.impulse[1], -wheel.m * wheel.r * change, 1e-11);
    EXPECT_NEAR(found.impulse[2], moment, 1e-11);
    EXPECT_EQ(std::get<Relay>(p.problem.blocks[1].law).limit, rolling * found.impulse[0]);
  }
}

TEST(RollingFriction, HoldsAWheelThatItIsLargeEnoughFor) {
  const Wheel wheel;
  const double needed = (wheel.J + wheel.m * wheel.r * wheel.r) * wheel.v / wheel.r;
  for (const SolverEntry& solver : solver_table()) {
    SCOPED_TRACE(solver.name);
    RollingProblem p = wheel.problem(1.01 * needed / wheel.p);
    const ContactSolution found = solve(solver, p);
    EXPECT_EQ(found.status, SolverStatus::solved);
    EXPECT_NEAR(found.impulse[2], needed, 1e-11);
    p = wheel.problem(0.99 * needed / wheel.p);
    EXPECT_NEAR(solve(solver, p).impulse[2], 0.99 * needed, 1e-11);
  }
}

/// ‖Λ‖ ≤ limit, and Λ = −limit ξ/‖ξ‖ where ξ is not zero.
void expect_dry_friction(const Vector& impulse, const Vector& xi, double limit, double tolerance) {
  EXPECT_LE(impulse.norm(), limit + tolerance);
  if (xi.norm() <= tolerance) return;
  EXPECT_LT((impulse * xi.norm() + limit * xi).norm(), tolerance * std::max(1.0, xi.norm()));
}

/// Bodies whose contacts share their loads, so that a moment at one changes the push at others.
RollingProblem random_rolling(std::uint64_t seed, int contacts, int tangents, double rolling) {
  test::Random random(seed);
  const auto some = [&] { return random.uniform(-1, 1); };
  const Eigen::Index rows = contacts * (1 + 2 * tangents);
  const Matrix W = Matrix::NullaryExpr(rows + 3, rows, some);
  return rolling_problem(W.transpose() * W, Vector::NullaryExpr(rows, some), tangents, 0.2,
                         rolling);
}

TEST(RollingFriction, ObeysItsLawsAtManyContacts) {
  constexpr double tolerance = 1e-8;
  int rolls = 0, holds = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int tangents = seed % 2 == 0 ? 2 : 1;
    const double rolling = seed % 4 < 2 ? 0.1 : 0.8;
    RollingProblem p = random_rolling(seed, 4, tangents, rolling);
    const ContactSolution found = solve(find_solver("auto"), p);
    SCOPED_TRACE(seed);
    ASSERT_EQ(found.status, SolverStatus::solved);
    const Vector impulse = found.impulse;
    const Vector xi =
        std::get<DenseDelassus>(p.problem.delassus).G * impulse + p.problem.free_velocity;
    for (Eigen::Index row = 0; row < xi.size(); row += 1 + 2 * tangents) {
      const double push = impulse[row];
      EXPECT_GE(push, -tolerance);
      EXPECT_GE(xi[row], -tolerance);
      EXPECT_LT(std::min(push, xi[row]), tolerance);
      const Eigen::Index first = row + 1, roll = first + tangents;
      expect_dry_friction(impulse.segment(first, tangents), xi.segment(first, tangents), 0.2 * push,
                          tolerance);
      expect_dry_friction(impulse.segment(roll, tangents), xi.segment(roll, tangents),
                          rolling * push, tolerance);
      if (push > tolerance) ++(xi.segment(roll, tangents).norm() > tolerance ? rolls : holds);
    }
  }
  EXPECT_GT(rolls, 40);
  EXPECT_GT(holds, 5);
}

TEST(RollingFriction, IsNotCalledSolvedWithTheLimitsOfAnotherRound) {
  RollingProblem p = random_rolling(1, 4, 1, 0.1);
  Arena scratch;
  ContactSolution solution;
  solve_rolling(find_solver("auto"), p.rolling, {.tolerance = 1e-12, .max_iterations = 1}, scratch,
                p.problem, solution);
  EXPECT_NE(solution.status, SolverStatus::solved);
  EXPECT_GT(solution.residual, 1e-6);
}

}  // namespace
}  // namespace backlash
