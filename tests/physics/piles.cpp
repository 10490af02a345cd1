// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Many bodies fall into a bin and come to rest there, whatever they are wedged between.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/energy.h"
#include "support/campaign.h"
#include "support/models.h"
#include "support/random_problems.h"
#include "support/runs.h"

namespace backlash::test::piles {
namespace {

struct Pile {
  bool boxes = false;
  int count = 30;
  double friction = 0.3, restitution = 0.2;
  std::uint64_t seed = 1;
};

/// Bodies of random sizes on a grid with room for each, that move a little, above the floor of a
/// bin.
std::string model_of(const Pile& pile) {
  Random random(pile.seed);
  const int columns = std::max(3, static_cast<int>(std::lround(std::sqrt(pile.count / 1.5))));
  const double pitch = pile.boxes ? 0.1 : 0.075;
  std::string text = fmt::format(
      "gravity: [0, -9.81]\nlaws: {{dry: {{friction: {}, restitution: {}}}}}\n"
      "contacts:\n  bin: {{between: [walls, all], law: dry}}\n"
      "  each: {{between: [all, all], law: dry}}\nbodies:\n"
      "  ground: {{shapes: {{f: {{line: {{normal: [0, 1]}}, groups: [walls]}}, "
      "l: {{line: {{normal: [1, 0]}}, groups: [walls]}}, "
      "r: {{line: {{normal: [-1, 0], point: [{}, 0]}}, groups: [walls]}}}}}}\n",
      pile.friction, pile.restitution, columns * pitch);
  for (int k = 0; k < pile.count; ++k) {
    const double a = random.uniform(0.03, 0.06), b = random.uniform(0.03, 0.06);
    const double radius = pile.boxes ? std::hypot(a, b) / 2 : random.uniform(0.02, 0.035);
    const double room = pitch / 2 - radius - 1e-4;
    const double x = (k % columns + 0.5) * pitch + random.uniform(-room, room);
    const double y = (k / columns + 0.5) * pitch + random.uniform(-room, room);
    const double mass = 50 * (pile.boxes ? a * b : M_PI * radius * radius);
    const double inertia = mass * (pile.boxes ? (a * a + b * b) / 12 : radius * radius / 2);
    const std::string shape =
        pile.boxes ? fmt::format("box: [{}, {}]", a, b) : fmt::format("circle: {}", radius);
    text += fmt::format(
        "  b{}: {{mass: {}, inertia: {}, shape: {{{}, groups: [all]}}, initial: {{position: "
        "[{}, {}], angle: {}, velocity: [{}, {}]}}}}\n",
        k, mass, inertia, shape, x, y, pile.boxes ? random.uniform(-3, 3) : 0.0,
        random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3));
  }
  return text;
}

/// Every step is done, and what the method makes is little beside what the contacts take.
void expect_to_run(const Pile& pile, double until) {
  SCOPED_TRACE(fmt::format("{} {}, friction {}, restitution {}, seed {}", pile.count,
                           pile.boxes ? "boxes" : "discs", pile.friction, pile.restitution,
                           pile.seed));
  const Assembly assembly = assembled(model_of(pile));
  const System& system = *assembly.system;
  Moreau integrator(system, {.step = 1e-3});
  State state = assembly.start;
  integrator.step(state, StepLimits{.until = until});
  const EnergyLedger start = energy_ledger(system, state);
  const RunSummary summary = simulate(integrator, state, until);
  ASSERT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at t = " << state.t;
  const EnergyLedger end = energy_ledger(system, state);
  EXPECT_LT(made_by_method(start, end), 0.03 * (end.contact_loss - start.contact_loss));
  EXPECT_LT(summary.jammed_steps, summary.steps / 10);
}

TEST(Pile, OfThirtyRandomBodiesComesToRestWithoutAFailedStep) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    for (const bool boxes : {false, true}) expect_to_run({.boxes = boxes, .seed = seed}, 0.8);
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
