// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Steps by optimisation go on the way that the mechanism came, through exactly singular positions
// with contacts closed (theory 12.16).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::optimisation_branches {
namespace {

constexpr double r = 0.1, w = 5, plunger = 0.4, k = 400, F = 400;

/// A driven crank and a rod of the same length r, whose slider pushes a sprung plunger: the slider
/// is at x = 2 r cos φ, or, on the other branch, rests in the middle.
Assembly isosceles_slider_crank(double angle) {
  return assembled(fmt::format(R"(
parameters: {{r: {}, w: {}, F0: {}, start: {}}}
bodies:
  crank: {{mass: 0.2, inertia: 1e-3}}
  rod: {{mass: 0.3, inertia: 3e-4, com: [r/2, 0]}}
  slider: {{mass: 0.6, inertia: 1e-4, shape: {{line: {{point: [20 mm, 0], normal: [1, 0]}}}}}}
  plunger: {{mass: {}, inertia: 1e-4, shape: {{circle: 5 mm}}}}
joints:
  A: {{type: revolute, between: [ground, crank], initial: {{angle: start}}, drive: {{speed: w}}}}
  B: {{type: revolute, between: [crank, rod], at: [[r, 0], [0, 0]], initial: {{guess: -2*start}}}}
  C: {{type: revolute, between: [rod, slider], at: [[r, 0], [0, 0]], initial: {{guess: start}}}}
  G: {{type: prismatic, between: [ground, slider], axis: [1, 0], initial: {{guess: 2*r*cos(start)}}}}
  P: {{type: prismatic, between: [ground, plunger], axis: [1, 0],
       initial: {{position: 2*r*cos(start)+25 mm, speed: -2*r*w*sin(start)}}}}
forces: {{s: {{type: joint_spring, joint: P, stiffness: {}, rest: 0, preload: -F0}}}}
laws: {{p: {{restitution: 0}}}}
contacts: {{touch: {{between: [slider, plunger], law: p}}}}
)",
                               r, w, F, angle, plunger, k));
}

/// Through the middle, at φ = π/2, from a start shortly before it.
void expect_passage(double angle, const OptimisationOptions& options) {
  SCOPED_TRACE(fmt::format("{} {} s from {} rad", name(options.optimiser), options.step, angle));
  const Assembly assembly = isosceles_slider_crank(angle);
  const auto& bodies = assembly.system->info().bodies;
  const auto slider = static_cast<int>(std::ranges::find(bodies, "slider") - bodies.begin());
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start;
  double off = 0, force_off = 0;
  const auto observe = [&](const State& now, const StepResult& result) {
    const double x = 2 * r * std::cos(angle + w * now.t);
    off = std::max(off, std::abs(motion_of(*assembly.system, now, slider).p_W.x() - x));
    ASSERT_EQ(result.contacts.size(), 1u) << now.t;
    if (result.t_start == 0) return;  // with the velocity of the start itself (theory 12.17)
    // The spring and the inertia of the plunger.
    const double force = F + k * (x + 25e-3) - plunger * w * w * x;
    force_off = std::max(force_off, std::abs(result.contacts[0].impulse[0] / result.step - force));
  };
  const RunSummary summary = simulate(integrator, state, 0.03, observe);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_EQ(summary.impacts, 0);
  EXPECT_LT(off, 1e-9);
  EXPECT_LT(force_off, 1.5 * plunger * 2 * r * w * w * w * options.step);  // of first order
}

TEST(OptimisationBranches, PassTheMiddleOfAnIsoscelesSliderCrankUnderLoad) {
  for (const double angle : {1.5, 1.5001, 1.5002, 1.5003, 1.5004})
    for (const double step : {4e-4, 2e-4, 1e-4, 5e-5})
      expect_passage(angle, {.step = step, .optimiser = Optimiser::slsqp});
  for (const double step : {4e-4, 1e-4})
    expect_passage(1.5,
                   {.step = step, .optimiser = Optimiser::ipopt, .warm_start = WarmStart::point});
}

/// Near the middle only, where the row that keeps the slider's height vanishes: alone, not beside
/// others.
TEST(OptimisationBranches, CountStepsNearSingularPositions) {
  const Assembly assembly = isosceles_slider_crank(1.5);
  Optimisation integrator(*assembly.system, {.step = 1e-4});
  State state = assembly.start;
  const auto observe = [&](const State& now, const StepResult& result) {
    const double cosine = std::abs(std::cos(1.5 + w * now.t));
    if (cosine > 0.05 || cosine < 0.005) {
      EXPECT_EQ(result.singular, cosine < 0.005) << now.t;
    }
  };
  const RunSummary summary = simulate(integrator, state, 0.03, observe);
  EXPECT_GT(summary.singular_steps, 0);
  EXPECT_LT(summary.singular_steps, summary.steps);
}

}  // namespace
}  // namespace backlash::test::optimisation_branches
