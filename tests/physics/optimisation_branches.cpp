// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Steps by optimisation go on the way that the mechanism came, through exactly singular positions
// with contacts closed (theory 12.16).
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test {
namespace {

/// A driven crank and a rod of the same length r, whose slider pushes a sprung plunger: the slider
/// is at x = 2 r cos ω t, or, on the other branch, rests in the middle.
TEST(OptimisationBranches, PassesTheMiddleOfAnIsoscelesSliderCrankUnderLoad) {
  const double r = 0.1, w = 5, slider = 0.6, plunger = 0.4, k = 400, F = 400, h0 = 25e-3;
  const Assembly assembly = assembled(fmt::format(R"(
parameters: {{r: {}, w: {}, F0: {}}}
bodies:
  crank: {{mass: 0.2, inertia: 1e-3}}
  rod: {{mass: 0.3, inertia: 3e-4, com: [r/2, 0]}}
  slider: {{mass: {}, inertia: 1e-4, shape: {{line: {{point: [20 mm, 0], normal: [1, 0]}}}}}}
  plunger: {{mass: {}, inertia: 1e-4, shape: {{circle: 5 mm}}}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{speed: w}}}}
  B: {{type: revolute, between: [crank, rod], at: [[r, 0], [0, 0]], initial: {{guess: 0}}}}
  C: {{type: revolute, between: [rod, slider], at: [[r, 0], [0, 0]]}}
  G: {{type: prismatic, between: [ground, slider], axis: [1, 0], initial: {{guess: 2*r}}}}
  P: {{type: prismatic, between: [ground, plunger], axis: [1, 0], initial: {{position: 2*r+25 mm}}}}
forces: {{s: {{type: joint_spring, joint: P, stiffness: {}, rest: 0, preload: -F0}}}}
laws: {{p: {{restitution: 0}}}}
contacts: {{touch: {{between: [slider, plunger], law: p}}}}
)",
                                                  r, w, F, slider, plunger, k));
  const auto& names = assembly.system->info().position_names;
  const auto column = std::ranges::find(names, "G.q") - names.begin();
  ASSERT_LT(column, std::ssize(names));
  for (const auto& [optimiser, h] : {std::pair{Optimiser::ipopt, 1e-4},
                                     {Optimiser::ipopt, 4e-4},
                                     {Optimiser::slsqp, 2e-4},
                                     {Optimiser::slsqp, 5e-5}}) {
    SCOPED_TRACE(fmt::format("{} {} s", name(optimiser), h));
    Optimisation integrator(*assembly.system, {.step = h, .optimiser = optimiser});
    State state = assembly.start;
    double off = 0, force_off = 0;
    const auto observe = [&](const State& now, const StepResult& result) {
      const double x = 2 * r * std::cos(w * now.t);
      off = std::max(off, std::abs(now.q[column] - x));
      ASSERT_EQ(result.contacts.size(), 1u) << now.t;
      // The spring and the inertia of the plunger, as implicit Euler has it half a step later.
      const double by_hand = F + k * (x + h0) - plunger * w * w * x;
      if (result.t_start > 0)
        force_off =
            std::max(force_off, std::abs(result.contacts[0].impulse[0] / result.step - by_hand));
    };
    // Both passages, at ω t = π/2 and 3π/2; with the steps of 0.1 ms the second would take long.
    const RunSummary summary = simulate(integrator, state, h > 1e-4 ? 1 : 0.33, observe);
    EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
    EXPECT_EQ(summary.impacts, 0);
    EXPECT_LT(off, 1e-9);
    EXPECT_LT(force_off, 1.5 * plunger * 2 * r * w * w * w * h);
  }
}

}  // namespace
}  // namespace backlash::test
