// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"
#include "support/systems/ball_on_table.h"
#include "support/systems/oscillator.h"
#include "support/systems/planar_body.h"

// E − E₀ − work received: what the integrator gained or lost by itself.

namespace backlash::test::balances {
namespace {

constexpr double g = 9.81;

double imbalance(const System& system, const State& start, const State& end) {
  return std::abs(energy_imbalance(energy_ledger(system, start), energy_ledger(system, end)));
}

TEST(EnergyBalance, OfADampedOscillatorClosesAtOrderTwo) {
  const Oscillator oscillator({.mass = 2, .stiffness = 300, .hardening = 500, .damping = 3});
  const State start = initial_state(oscillator, 0, Vector::Constant(1, 0.3), Vector::Zero(1));
  for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
    const auto error = [&](int steps) {
      return imbalance(oscillator, start,
                       run(oscillator, start, 0.9 / steps, 0.9, {.scheme = scheme}));
    };
    EXPECT_GT(observed_order(error, 500, 4000), 1.8);
  }
  const State end = run(oscillator, start, 1e-4, 5);
  const double energy = energy_ledger(oscillator, start).mechanical();
  EXPECT_NEAR(energy_ledger(oscillator, end).applied, -energy, 1e-2 * energy);  // all is damped
}

TEST(EnergyBalance, OfADampedFallIsThePowerOfTheDrag) {
  const PlanarBody body({.mass = 2, .damping = 1.5});
  const State start = initial_state(body, 0, Vec3(0, 5, 0), Vec3(3, 1, 0));
  const auto error = [&](int steps) {
    return imbalance(body, start, run(body, start, 1.0 / steps, 1));
  };
  EXPECT_GT(observed_order(error, 100, 1600), 1.8);
  // ẋ = 3 e^(−ct/m)
  const State end = run(body, start, 1e-4, 1);
  EXPECT_NEAR(end.u[0], 3 * std::exp(-1.5 / 2), 1e-8);
}

TEST(EnergyBalance, OfAPushedAndSlidingBlockIsExact) {
  const double friction = 0.3, mass = 2, force = 9, until = 0.7;
  PlanarBodyData data = block_on_incline(mass, 0.2, {.friction = friction});
  data.applied = {force, 0};
  const PlanarBody block(data);
  const State start = initial_state(block, 0, Vec3(0, 0, 0), Vec3(0.5, 0, 0));
  for_every_solver([&](const MoreauOptions& options) {
    const State end = run(block, start, 1e-3, until, options);
    const EnergyLedger ledger = energy_ledger(block, end);
    EXPECT_LT(imbalance(block, start, end), 1e-11);
    EXPECT_NEAR(ledger.applied, force * end.q[0], 1e-11);
    EXPECT_NEAR(ledger.contact_loss, friction * mass * g * std::cos(0.2) * end.q[0], 1e-11);
    EXPECT_NEAR(ledger.contacts, -ledger.contact_loss, 1e-13);
    EXPECT_EQ(ledger.impact_loss, 0);
  });
}

TEST(EnergyBalance, OfABlockThatTumblesOnItsCornersClosesAndEachCornerOnlyTakes) {
  PlanarBodyData data{.mass = 1.5, .inertia = 0.02};
  const ContactLaw law{.restitution = 0.4, .friction = 0.5};
  data.touches = {{.name = "a", .p_BC = {-0.2, -0.1}, .law = law},
                  {.name = "b", .p_BC = {0.2, -0.1}, .law = law},
                  {.name = "c", .p_BC = {0.2, 0.1}, .law = law},
                  {.name = "d", .p_BC = {-0.2, 0.1}, .law = law}};
  const PlanarBody block(data);
  const State start = initial_state(block, 0, Vec3(0, 1, 0.3), Vec3(2, 0, 5));
  for_every_solver([&](const MoreauOptions& options) {
    // Two corners on one floor have almost equal tangents when the block is about to lie flat. The
    // iterations stall on how they share friction, so they take it only as far as it tumbles.
    const bool iterates = options.solver == "gauss-seidel" || options.solver == "newton" ||
                          options.solver == "augmented-lagrangian";
    double loss[4] = {};
    const State end = run(block, start, 1e-4, iterates ? 1.5 : 2.5, options,
                          [&](const State&, const StepResult& result) {
                            for (const ContactOutcome& c : result.contacts)
                              loss[c.key.pair] += c.loss;
                          });
    for (const double of_corner : loss) EXPECT_GE(of_corner, -1e-15);
    EXPECT_LT(energy_ledger(block, end).contacts, -0.5 * energy_ledger(block, start).kinetic);
    EXPECT_LT(imbalance(block, start, end), 1e-9);  // constant M and force: exact
    if (!iterates) {
      EXPECT_LT(end.u.norm(), 1e-8);  // it lies still
    }
  });
}

TEST(EnergyBalance, OfABallOnAShakenTableIsTheTablesWorkAndTheLoss) {
  const BallOnTable ball(
      {.mass = 2, .amplitude = 0.01, .frequency = 60, .law = {.restitution = 0.5}});
  const State start = initial_state(ball, 0, Vector::Constant(1, 0.05), Vector::Zero(1));
  const State end = run(ball, start, 1e-4, 3);
  const EnergyLedger ledger = energy_ledger(ball, end);
  EXPECT_GT(ledger.contact_loss, 0);
  EXPECT_GT(ledger.contacts + ledger.contact_loss, 0);  // what the table did
  EXPECT_LT(imbalance(ball, start, end), 1e-11);
}

TEST(Penetration, BeyondTheLimitIsProjectedToItAndItsEnergyBooked) {
  const double height = 0.7, limit = 1e-4, step = 1e-2;
  const BallOnTable ball({.mass = 2});
  const State start = initial_state(ball, 0, Vector::Constant(1, height), Vector::Zero(1));
  double deepest = 0;
  const State free =
      run(ball, start, step, 1, {.contact_scheme = ContactScheme::original},
          [&](const State& state, const StepResult&) { deepest = std::min(deepest, state.q[0]); });
  ASSERT_LT(deepest, -limit);  // ε = 0: it stays as deep as the step of the impact left it
  for_every_solver([&](MoreauOptions options) {
    options.penetration_limit = limit;
    const State end = run(
        ball, start, step, 1, options,
        [&](const State& state, const StepResult&) { EXPECT_GE(state.q[0], -limit * (1 + 1e-9)); });
    EXPECT_NEAR(end.q[0], -limit, 1e-12);
    const EnergyLedger ledger = energy_ledger(ball, end);
    EXPECT_NEAR(ledger.projections, 2 * g * (-limit - free.q[0]), 1e-10);
    EXPECT_LT(imbalance(ball, start, end), 1e-11);
    EXPECT_NEAR(end.u[0], 0, 1e-11);
  });
}

TEST(Penetration, WithinTheLimitIsLeftAlone) {
  const BallOnTable ball({.mass = 2});
  const State start = initial_state(ball, 0, Vector::Constant(1, 0.7), Vector::Zero(1));
  const State free = run(ball, start, 1e-2, 1, {.contact_scheme = ContactScheme::original}),
              limited = run(ball, start, 1e-2, 1, {.penetration_limit = 0.1});
  EXPECT_EQ(free.q[0], limited.q[0]);
  EXPECT_EQ(energy_ledger(ball, limited).projections, 0);
}

TEST(Penetration, OfTwoCornersIsProjectedAtBoth) {
  PlanarBodyData data{.mass = 1.5, .inertia = 0.02};
  data.touches = {{.name = "a", .p_BC = {-0.2, -0.1}}, {.name = "b", .p_BC = {0.2, -0.1}}};
  const PlanarBody block(data);
  const State start = initial_state(block, 0, Vec3(0, 0.1, 0.01), Vec3(0, -3, 0));
  const double limit = 1e-5;
  const State end = run(block, start, 1e-3, 0.3, {.penetration_limit = limit});
  Vector gaps(2);
  block.gaps(configuration(block, end.t, end.q), gaps);
  EXPECT_GE(gaps.minCoeff(), -limit * (1 + 1e-9));
  EXPECT_LE(gaps.maxCoeff(), 0);
  EXPECT_LT(imbalance(block, start, end), 1e-10);
}

}  // namespace
}  // namespace backlash::test::balances
