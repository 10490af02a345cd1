// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Many bodies fall into a bin and come to rest there, whatever they are wedged between.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/campaign.h"
#include "support/models.h"
#include "support/piles.h"
#include "support/random_problems.h"
#include "support/runs.h"

namespace backlash::test::piles {
namespace {

/// Every step is done, no energy is made, neither seen nor booked, and bodies stay out of each
/// other: by less than a thousandth of their size.
void expect_to_run(const Pile& pile, double until) {
  SCOPED_TRACE(name_of(pile));
  const PileRun run = run_pile(pile, until);
  ASSERT_EQ(run.summary.status, StepStatus::done)
      << name(run.summary.status) << " at t = " << run.t;
  EXPECT_LT(run.made, 1e-4);
  EXPECT_LT(run.risen, 1e-4);
  EXPECT_LT(run.penetration, 1e-3);
  EXPECT_LT(run.summary.jammed_steps, run.summary.steps / 10);
}

TEST(Pile, OfThirtyRandomBodiesComesToRestWithoutAFailedStep) {
  expect_to_run({.boxes = false, .seed = 1}, 0.8);
  expect_to_run({.boxes = true, .seed = 2}, 0.8);
}

/// All lands, and what lies on others with it.
TEST(Pile, WithoutRestitutionDoesNotSinkIntoItself) {
  expect_to_run({.boxes = false, .friction = 0, .restitution = 0}, 0.6);
  expect_to_run({.boxes = true, .friction = 0, .restitution = 0.2}, 0.6);
}

/// Wedged between rough walls, and bouncing off each other.
TEST(Pile, OfRoughOrBouncingBodiesRunsWithoutAFailedStep) {
  expect_to_run({.boxes = true, .friction = 0.8, .restitution = 0}, 0.6);
  expect_to_run({.boxes = false, .friction = 0.8, .restitution = 0.5}, 0.6);
  expect_to_run({.boxes = true, .friction = 0, .restitution = 0.5}, 0.6);
}

TEST(Pile, OfRandomBodiesRunsWithoutAFailedStep) {
  const long runs = repetitions(1);
  for (long k = 0; k < runs; ++k) {
    Random random(first_seed() + static_cast<std::uint64_t>(k));
    expect_to_run({.boxes = random.integer(0, 1) == 1,
                   .count = random.integer(10, 60),
                   .friction = random.uniform(0, 0.8),
                   .restitution = random.uniform(0, 0.5),
                   .seed = random.bits()},
                  runs > 1 ? 2 : 0.5);
  }
}

/// Twenty boxes on each other, a little off centre, stand: what round-off moves them by in a minute
/// is round-off.
TEST(Tower, OfTwentyBoxesStandsWithoutCreeping) {
  std::string text =
      "gravity: [0, -9.81]\nlaws: {dry: {friction: 0.5, restitution: 0.3}}\n"
      "contacts:\n  floor: {between: [ground, all], law: dry}\n"
      "  each: {between: [all, all], law: dry}\nbodies:\n"
      "  ground: {shape: {line: {normal: [0, 1]}}}\n";
  for (int k = 0; k < 20; ++k)
    text += fmt::format(
        "  b{}: {{mass: 1, inertia: 1e-3, shape: {{box: [0.1, 0.05], groups: [all]}}, initial: "
        "{{position: [{}, {}]}}}}\n",
        k, 0.002 * (k * 7 % 5 - 2), 0.025 + 0.05 * k);
  const Assembly tower = assembled(text);
  const State end = run(*tower.system, tower.start, 1e-3, 60);
  for (int k = 0; k < 20; ++k) {
    const Vec3 moved =
        motion_of(*tower.system, end, k).p_W - motion_of(*tower.system, tower.start, k).p_W;
    EXPECT_LT(moved.norm(), 1e-12) << k;
  }
}

/// A driven ram crushes a block against a wall: no impulse obeys all laws, in no part of the step.
TEST(UnsolvedStep, IsHalvedDownToA64thBeforeTheRunGivesUp) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shape: {line: {normal: [-1, 0], point: [0.2, 0]}}}
  ram: {mass: 1, inertia: 1, shape: {box: [0.1996, 0.1]}}
  block: {mass: 1, inertia: 1e-3, shape: {box: [0.1, 0.08]}, initial: {position: [0.1499, 0]}}
joints: {guide: {type: prismatic, between: [ground, ram], drive: {speed: 0.01}}}
contacts: {wall: {between: [ground, block], law: hard}, push: {between: [ram, block], law: hard}}
laws: {hard: {friction: 0.2}}
)");
  Moreau integrator(*assembly.system, {.step = 1e-3});
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, 1);
  EXPECT_EQ(summary.status, StepStatus::contact_not_solved);
  EXPECT_EQ(summary.rejected_steps, 6);
}

}  // namespace
}  // namespace backlash::test::piles
