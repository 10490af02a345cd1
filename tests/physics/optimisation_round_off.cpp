// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

/// What round-off of large coordinates does to the steps of the method optimisation (theory 12.13).
namespace backlash::test {
namespace {

/// A driven slider-crank without contacts, whose crank begins after so many turns.
std::string driven_slider_crank(int turns, const char* coordinates) {
  return fmt::format(R"(
gravity: [0, -9.81]
parameters: {{angle: 2*pi*{}, speed: 30}}
bodies:
  crank: {{mass: 0.5, inertia: 1e-3, com: [0.05, 0]}}
  rod: {{mass: 0.3, inertia: 3e-3, com: [0.15, 0]}}
  slider: {{mass: 1, inertia: 1e-3}}
joints:
  main: {{type: revolute, between: [ground, crank], initial: {{angle: angle}},
         drive: {{angle: angle + speed*t}}}}
  big: {{type: revolute, between: [crank, rod], at: [[0.1, 0], [0, 0]],
        initial: {{angle: -angle}}}}
  small: {{type: revolute, between: [rod, slider], at: [[0.3, 0], [0, 0]]}}
  guide: {{type: prismatic, between: [ground, slider]}}
simulation: {{coordinates: {}}}
)",
                     turns, coordinates);
}

/// The reactions of the last step of a run in which no step was divided.
Outputs reactions_at_the_end(const Assembly& assembly, double step, double until) {
  OptimisationOptions options;
  options.step = step;
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start, before = state, last = state;
  const RunSummary summary = simulate(integrator, state, until, [&](const State& now, const auto&) {
    before = last;
    last = now;
  });
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_EQ(summary.rejected_steps, 0);
  return outputs_of(*assembly.system, before, last);
}

TEST(OptimisationRoundOff, ALoopHasTheSameForcesAfterAThousandTurns) {
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const auto reactions = [&](int turns) {
      return reactions_at_the_end(assembled(driven_slider_crank(turns, coordinates)), 2e-4, 0.02);
    };
    const Outputs first = reactions(0), late = reactions(1000);
    for (const char* joint : {"main", "big", "small", "guide"})
      for (const char* part : {".fx", ".fy"})
        EXPECT_NEAR(late.at(joint + std::string(part)), first.at(joint + std::string(part)), 1e-4);
    EXPECT_GT(std::abs(first.at("main.fx")), 50);
  }
}

/// The crank turns uniformly, so each turn repeats the one before.
TEST(OptimisationRoundOff, ALoopRunsForHundredsOfTurns) {
  const Assembly assembly = assembled(driven_slider_crank(0, "joint"));
  const double step = 2 * std::numbers::pi / 30 / 80;  // 80 of them are a turn
  const Outputs early = reactions_at_the_end(assembly, step, 2 * 80 * step),
                late = reactions_at_the_end(assembly, step, 400 * 80 * step);
  for (const char* name : {"main.fx", "big.fy", "small.fx", "guide.fy"})
    EXPECT_NEAR(late.at(name), early.at(name), 1e-5 * (1 + std::abs(early.at(name))));
}

}  // namespace
}  // namespace backlash::test
