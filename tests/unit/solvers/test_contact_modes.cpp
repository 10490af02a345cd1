// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/contact_modes.h"

#include <cmath>

#include <gtest/gtest.h>

#include "backlash/solvers/guessed_modes.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

/// A point mass m on a plane: ξ = Λ/m + c.
constexpr double m = 2, mu = 0.5;

ContactProblem point(const Law& law, const Vector& c) {
  return dense_problem(Matrix::Identity(c.size(), c.size()) / m, c, std::vector<Law>{law});
}

/// The mode that the natural map reads for a single block.
Mode mode_of(const ContactProblem& problem, const Vector& impulse) {
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  Vector xi(impulse.size());
  write_velocity(reduced, impulse, xi);
  std::vector<Mode> modes(1);
  read_modes(reduced, impulse, xi, modes);
  return modes[0];
}

TEST(ContactModes, AreReadOffTheSolutionOnBothSidesOfEachSwitch) {
  const double v = 1;
  const Law law = Coulomb{.friction = mu};
  const Mode open = mode_of(point(law, Vec2(v, 1)), Vec2(0, 0));
  EXPECT_FALSE(open.pushes);
  EXPECT_FALSE(open.sticks);
  const double below = 0.99 * mu * v, above = 1.01 * mu * v;
  const Mode stick = mode_of(point(law, Vec2(-v, below)), Vec2(m * v, -m * below));
  EXPECT_TRUE(stick.pushes && stick.sticks);
  const Mode slip = mode_of(point(law, Vec2(-v, above)), Vec2(m * v, -mu * m * v));
  EXPECT_TRUE(slip.pushes && !slip.sticks);
  EXPECT_EQ(slip.slip[0], 1);
  const Mode back = mode_of(point(law, Vec2(-v, -above)), Vec2(m * v, mu * m * v));
  EXPECT_EQ(back.slip[0], -1);
}

TEST(ContactModes, OfDryFrictionHaveNoNormal) {
  const Mode holds =
      mode_of(point(Relay{.limit = 1.01 * m}, Vector::Ones(1)), Vector::Constant(1, -m));
  EXPECT_TRUE(!holds.pushes && holds.sticks);
  const Mode slips =
      mode_of(point(Relay{.limit = 0.99 * m}, Vector::Ones(1)), Vector::Constant(1, -0.99 * m));
  EXPECT_TRUE(!slips.pushes && !slips.sticks);
  EXPECT_EQ(slips.slip[0], 1);
}

TEST(ContactModes, NumberOfPossibleOnesFollowsTheLaw) {
  Arena scratch;
  Arena::Frame frame(scratch);
  const auto count = [&](Contact contact) { return possible_modes(contact, 8, frame).size(); };
  EXPECT_EQ(count({.normal = 0}), 2u);                                       // open, push
  EXPECT_EQ(count({.normal = 0, .tangent = 1, .tangents = 1}), 1u + 3);      // stick, ±slip
  EXPECT_EQ(count({.normal = 0, .tangent = 1, .tangents = 2}), 1u + 1 + 8);  // 8 directions
  EXPECT_EQ(count({.normal = 0, .tangent = 1, .tangents = 1, .offset = 1}), 3u + 3);
  EXPECT_EQ(count({.tangent = 0, .tangents = 1, .offset = 1}), 3u);
}

TEST(ContactModes, OfASolutionGiveTheSolutionBack) {
  int regular = 0;
  for (std::uint64_t seed = 0; seed < 200; seed += 2) {
    const test::RandomProblem random = test::random_problem(seed);
    const ContactSolution solution = solve(find_solver("auto"), random.dense);
    if (solution.status != SolverStatus::solved) continue;
    Arena scratch;
    Arena::Frame frame(scratch);
    const ReducedProblem reduced = reduce(random.dense, frame);
    Vector impulse(reduced.c.size()), xi(reduced.c.size()), full(random.dense.free_velocity.size());
    restrict_to(reduced, solution.impulse, impulse);
    write_velocity(reduced, impulse, xi);
    std::vector<Mode> modes(reduced.contacts.size());
    read_modes(reduced, impulse, xi, modes);
    if (!solve_in_modes(reduced, modes, scratch, impulse)) continue;  // redundant
    ++regular;
    expand(reduced, impulse, full);
    EXPECT_LT(residual(random.dense, full).relative, 1e-7) << seed;
  }
  EXPECT_GT(regular, 30);
}

TEST(GuessedModes, GiveWhatTheGeneralMethodGives) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 2000; seed += 2) {
    const ContactProblem problem = test::random_problem(seed).dense;
    Vector quick = Vector::Zero(problem.free_velocity.size());
    if (!solve_in_guessed_modes(problem, quick)) continue;
    Arena scratch;
    Arena::Frame frame(scratch);
    const ReducedProblem reduced = reduce(problem, frame);
    Vector impulse = Vector::Zero(reduced.c.size()), xi = reduced.c, full(quick.size());
    std::vector<Mode> modes(reduced.contacts.size());
    read_modes(reduced, impulse, xi, modes);
    ASSERT_TRUE(solve_in_modes(reduced, modes, scratch, impulse)) << seed;
    expand(reduced, impulse, full);
    EXPECT_LT((quick - full).norm(), 1e-9 * (1 + full.norm())) << seed;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(GuessedModes, AreForSmallPlanarProblemsWithoutBilateralRows) {
  const auto applies = [](const ContactProblem& problem) {
    Vector impulse = Vector::Zero(problem.free_velocity.size());
    return solve_in_guessed_modes(problem, impulse);
  };
  EXPECT_TRUE(applies(point(Coulomb{.friction = mu}, Vec2(-1, 0))));
  EXPECT_TRUE(applies(point(Relay{.limit = 1}, Vector::Ones(1))));
  EXPECT_FALSE(applies(point(Bilateral{2}, Vec2(-1, 0))));
  EXPECT_FALSE(applies(point(Coulomb{.friction = mu, .tangents = 2}, Vec3(-1, 0, 0))));
  const std::vector<Law> nine(9, Unilateral{});
  EXPECT_FALSE(applies(dense_problem(Matrix::Identity(9, 9), -Vector::Ones(9), nine)));
}

}  // namespace
}  // namespace backlash
