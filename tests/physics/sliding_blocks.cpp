// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"
#include "support/systems/planar_body.h"

namespace backlash::test::sliding_blocks {
namespace {

constexpr double g = 9.81;

State at_rest_on_the_floor(const System& body) {
  return initial_state(body, 0, Vec3(0, 0, 0), Vec3(0, 0, 0));
}

TEST(BlockOnIncline, SticksFromTheFrictionOnThatTheSlopeHas) {
  const double slope = 0.4, step = 1e-3;
  for (const double friction : {std::tan(slope) * (1 + 1e-9), 1.2 * std::tan(slope), 3.0}) {
    SCOPED_TRACE(friction);
    const PlanarBody block(block_on_incline(2.0, slope, {.friction = friction}));
    for_every_solver([&](const MoreauOptions& options) {
      run(block, at_rest_on_the_floor(block), step, 0.2, options,
          [&](const State& state, const StepResult& result) {
            EXPECT_LT(std::abs(state.u[0]), 1e-13);
            ASSERT_EQ(result.contacts.size(), 1u);
            EXPECT_EQ(result.contacts[0].state, ContactState::stick);
            EXPECT_NEAR(result.contacts[0].impulse[1], -2.0 * g * std::sin(slope) * step, 1e-14);
          });
    });
  }
}

TEST(BlockOnIncline, RestsOnTwoCornersWithoutAnEvent) {
  // How the corners share the friction is not determined; one may be at its limit.
  const double slope = 20 * 3.14159265358979 / 180;
  for (const double friction : {0.37, 0.4, 1.0}) {
    PlanarBodyData data{.mass = 2, .inertia = 0.01};
    data.gravity = {g * std::sin(slope), -g * std::cos(slope)};
    for (const double x : {-0.1, 0.1})
      data.touches.push_back(
          {.name = x < 0 ? "left" : "right", .p_BC = {x, -0.02}, .law = {.friction = friction}});
    const PlanarBody block(data);
    const State start = initial_state(block, 0, Vec3(0, 0.02, 0), Vec3(0, 0, 0));
    const State end = run(block, start, 1e-3, 5, {}, [&](const State&, const StepResult& result) {
      ASSERT_EQ(result.contacts.size(), 2u);
      for (const ContactOutcome& contact : result.contacts) {
        EXPECT_EQ(contact.state, ContactState::stick) << friction << " at " << result.t_start;
      }
    });
    EXPECT_LT(std::abs(end.q[0]), 1e-10);
  }
}

TEST(BlockOnIncline, SlidesBelowThatFrictionWithTheAccelerationOfTheDifference) {
  const double slope = 0.4, until = 0.5;
  for (const double friction : {0.0, 0.5 * std::tan(slope), std::tan(slope) * (1 - 1e-6)}) {
    SCOPED_TRACE(friction);
    const PlanarBody block(block_on_incline(2.0, slope, {.friction = friction}));
    const double a = g * (std::sin(slope) - friction * std::cos(slope));
    for_every_solver([&](const MoreauOptions& options) {
      const State end = run(block, at_rest_on_the_floor(block), 1e-3, until, options);
      EXPECT_NEAR(end.u[0], a * until, 1e-12);
      EXPECT_NEAR(end.q[0], a * until * until / 2, 1e-12);  // constant force: exact
    });
  }
}

TEST(SlidingBlock, StopsAfterTheTimeAndTheWayThatFrictionAllows) {
  const double v0 = 1.7, friction = 0.3, mass = 2;
  const PlanarBody block(block_on_incline(mass, 0, {.friction = friction}));
  const double time = v0 / (friction * g), way = v0 * v0 / (2 * friction * g);
  const State start = initial_state(block, 0, Vec3(0, 0, 0), Vec3(v0, 0, 0));
  for_every_solver([&](const MoreauOptions& options) {
    for (const double step : {1e-2, 1e-3}) {
      double stopped = 0;
      const State end = run(block, start, step, 1.5 * time, options,
                            [&](const State& state, const StepResult& result) {
                              if (std::abs(state.u[0]) > 1e-12)
                                stopped = result.t_start + result.step;
                            });
      EXPECT_NEAR(stopped, time, step);
      // Exact up to the last step, where the block slides Δt v/2 instead of v²/(2 μ g), v ≤ μ g Δt.
      EXPECT_NEAR(end.q[0], way, friction * g * step * step / 8 + 1e-13);
      EXPECT_NEAR(end.u[0], 0, 1e-13);
      const EnergyLedger ledger = energy_ledger(block, end);
      EXPECT_NEAR(ledger.contact_loss, mass * v0 * v0 / 2, 1e-12);
      EXPECT_NEAR(ledger.impact_loss, 0, 1e-13);
      EXPECT_NEAR(energy_imbalance(energy_ledger(block, start), ledger), 0, 1e-12);
    }
  });
}

TEST(SlidingBlock, FindsItsWayAtOrderTwo) {
  const double v0 = 1.7, friction = 0.3;
  const PlanarBody block(block_on_incline(1, 0, {.friction = friction}));
  const double way = v0 * v0 / (2 * friction * g), until = 1.5 * v0 / (friction * g);
  const State start = initial_state(block, 0, Vec3(0, 0, 0), Vec3(v0, 0, 0));
  // The error is μ g Δt² s (1 − s)/2, s the fraction of the last step: take the mean over s.
  const auto error = [&](int steps) {
    double sum = 0;
    for (int i = 0; i < 16; ++i)
      sum += std::abs(run(block, start, until / (steps + 0.1 * i), until).q[0] - way);
    return sum;
  };
  EXPECT_NEAR(observed_order(error, 50, 800), 2, 0.15);
}

TEST(PushedBlock, StaysUpToTheLimitOfFrictionAndMovesBeyondIt) {
  const double mass = 2, friction = 0.3, limit = friction * mass * g, until = 0.3;
  for_every_solver([&](const MoreauOptions& options) {
    for (const double force : {0.5 * limit, limit * (1 - 1e-9), limit * (1 + 1e-6), 2 * limit}) {
      SCOPED_TRACE(force / limit);
      PlanarBodyData data = block_on_incline(mass, 0, {.friction = friction});
      data.applied = {force, 0};
      const PlanarBody block(data);
      const State end = run(block, at_rest_on_the_floor(block), 1e-3, until, options);
      EXPECT_NEAR(end.u[0], std::max(0.0, force - limit) / mass * until, 1e-13);
    }
  });
}

// Dry friction of given strength: a relay row, F Sgn(ẋ), whatever the normal force is.

TEST(DryFriction, StopsABodyAfterItsMomentumOverTheStrength) {
  const double mass = 2, v0 = 1.5, strength = 4;
  const PlanarBody block({.mass = mass, .gravity = {0, 0}, .dry_friction = strength});
  const State start = initial_state(block, 0, Vec3(0, 0, 0), Vec3(v0, 0, 0));
  const double time = mass * v0 / strength, step = 1e-3;
  for_every_solver([&](const MoreauOptions& options) {
    double stopped = 0;
    const State end = run(block, start, step, 1.3 * time, options,
                          [&](const State& state, const StepResult& result) {
                            if (std::abs(state.u[0]) > 1e-12)
                              stopped = result.t_start + result.step;
                          });
    EXPECT_NEAR(stopped, time, step * (1 + 1e-9));  // rounding of the times
    EXPECT_NEAR(end.q[0], mass * v0 * v0 / (2 * strength), strength / mass * step * step / 8);
    EXPECT_NEAR(end.u[0], 0, 1e-13);
    const EnergyLedger ledger = energy_ledger(block, end);
    EXPECT_NEAR(ledger.relays, -mass * v0 * v0 / 2, 1e-12);
    EXPECT_NEAR(energy_imbalance(energy_ledger(block, start), ledger), 0, 1e-12);
  });
}

TEST(DryFriction, HoldsUpToItsStrengthAndLetsGoBeyondIt) {
  const double mass = 2, strength = 4, until = 0.3;
  for_every_solver([&](const MoreauOptions& options) {
    for (const double force : {-0.5, 1 - 1e-9, 1 + 1e-6, -3.0}) {
      SCOPED_TRACE(force);
      const PlanarBody block({.mass = mass,
                              .gravity = {0, 0},
                              .applied = {force * strength, 0},
                              .dry_friction = strength});
      const State end = run(block, at_rest_on_the_floor(block), 1e-3, until, options);
      const double beyond = std::copysign(std::max(0.0, std::abs(force) - 1), force);
      EXPECT_NEAR(end.u[0], beyond * strength / mass * until, 1e-13);
    }
  });
}

TEST(DryFriction, AddsToTheFrictionOfAContactInTheSameSystem) {
  const double mass = 2, friction = 0.2, strength = 3, v0 = 1.5, step = 1e-3;
  PlanarBodyData data = block_on_incline(mass, 0, {.friction = friction});
  data.dry_friction = strength;
  const PlanarBody block(data);
  const double deceleration = friction * g + strength / mass, time = v0 / deceleration;
  const State start = initial_state(block, 0, Vec3(0, 0, 0), Vec3(v0, 0, 0));
  for_every_solver([&](const MoreauOptions& options) {
    const State sliding = run(block, start, step, 0.5 * time, options);
    EXPECT_NEAR(sliding.u[0], v0 / 2, 1e-12);
    const State end = run(block, start, step, 1.3 * time, options);
    EXPECT_NEAR(end.u[0], 0, 1e-12);
    EXPECT_NEAR(end.q[0], v0 * v0 / (2 * deceleration), deceleration * step * step / 8);
    const EnergyLedger ledger = energy_ledger(block, end);
    const double share = strength / (mass * deceleration);
    // The last step may split the two as it likes: they act along the same row.
    const double last = 0.5 * mass * std::pow(deceleration * step, 2);
    EXPECT_NEAR(ledger.relays, -share * mass * v0 * v0 / 2, last);
    EXPECT_NEAR(ledger.relays - ledger.contact_loss, -mass * v0 * v0 / 2, 1e-12);
  });
}

}  // namespace
}  // namespace backlash::test::sliding_blocks
