// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

namespace backlash::test {
namespace {

/// A box that comes to rest on two corners with friction: their tangential rows differ by its tilt
/// alone, some 1e-5 rad, on which iterations get stuck.
Assembly settling_box() {
  return assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.1, shape: {box: [0.4, 0.2]}, initial: {position: [0, 0.12], angle: 1 deg, velocity: [0.1, 0]}}
contacts: {rest: {between: [box, ground.floor], law: wood}}
laws: {wood: {restitution: 0.3, friction: 0.2}}
)");
}

RunSummary settle(const Assembly& box, const MoreauOptions& options) {
  MoreauOptions with_step = options;
  with_step.step = 1e-3;
  Moreau integrator(*box.system, with_step);
  State state = box.start;
  return simulate(integrator, state, 1);
}

TEST(Fallback, SolvesTheStepsThatAnIterativeSolverDoesNotAndCountsThem) {
  const Assembly box = settling_box();
  long fallbacks = 0;
  for_every_solver([&](MoreauOptions options) {
    options.solver_options.max_iterations = 1000;
    const RunSummary run = settle(box, options);
    EXPECT_EQ(run.status, StepStatus::done) << name(run.status);
    EXPECT_LE(run.worst_residual, options.solver_options.tolerance);
    if (options.solver == "auto") {
      EXPECT_EQ(run.fallback_steps, 0);
    }
    fallbacks += run.fallback_steps;
  });
  EXPECT_GT(fallbacks, 0);
}

TEST(Fallback, CanBeRefused) {
  const RunSummary run =
      settle(settling_box(), {.solver = "gauss-seidel",
                              .solver_options = {.tolerance = 1e-12, .max_iterations = 1000},
                              .fall_back = false});
  EXPECT_EQ(run.status, StepStatus::contact_not_solved);
  EXPECT_EQ(run.fallback_steps, 0);
}

/// A box that meets the floor with two corners at once in the first step of all: the compression is
/// the first problem that is to be solved.
TEST(Fallback, ACompressionThatIsNotSolvedInTheFirstStepEndsTheRunAndSaysSo) {
  for (const char* law : {"poisson", "stronge"}) {
    const Assembly box = assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  box: {{mass: 1, inertia: 0.1, shape: {{box: [0.4, 0.2]}}, initial: {{position: [0, 0.1], velocity: [1, -1]}}}}
contacts: {{hit: {{between: [box, ground.floor], law: wood}}}}
laws: {{wood: {{restitution: 0.3, friction: 0.2, impact: {}}}}}
)",
                                               law));
    Moreau integrator(*box.system, {.step = 1e-3,
                                    .solver = "gauss-seidel",
                                    .solver_options = {.tolerance = 1e-12, .max_iterations = 1},
                                    .fall_back = false});
    State state = box.start;
    EXPECT_EQ(integrator.step(state, 1e-3).status, StepStatus::contact_not_solved) << law;
    EXPECT_TRUE(state.u == box.start.u);
    EXPECT_EQ(state.t, box.start.t);
  }
}

}  // namespace
}  // namespace backlash::test
