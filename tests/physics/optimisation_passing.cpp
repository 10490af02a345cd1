// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Bodies that rest on each other do not pass through each other in a step by optimisation, however
// long it is (theory 12.15).
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::optimisation_passing {
namespace {

struct PressedRun {
  State end;
  RunSummary summary;
  double force = 0;  ///< of the contact in the last step [N]
};

PressedRun run_pressed(const Assembly& assembly, const OptimisationOptions& options, double until) {
  Optimisation integrator(*assembly.system, options);
  PressedRun run{.end = assembly.start, .summary = {}};
  run.summary = simulate(integrator, run.end, until, [&](const State&, const StepResult& result) {
    ASSERT_EQ(result.contacts.size(), 1u) << result.t_start;
    run.force = result.contacts[0].impulse[0] / result.step;
  });
  EXPECT_EQ(run.summary.status, StepStatus::done) << integrator.last_result().trouble;
  return run;
}

std::vector<OptimisationOptions> choices(std::vector<double> steps) {
  std::vector<OptimisationOptions> all;
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp}) {
    for (const double step : steps) all.push_back({.step = step, .optimiser = optimiser});
    all.push_back({.step_control = StepControl::free, .optimiser = optimiser});
  }
  return all;
}

/// In a step the load would move the pin, left to itself, by up to four times the thickness.
void expect_pin_stays(const std::string& plate, const std::string& pin, double height,
                      double force) {
  const Assembly assembly = assembled(fmt::format(R"(
bodies:
  ground: {{shape: {{{}}}}}
  pin: {{mass: 0.1, inertia: 1e-5, shape: {{{}}}}}
joints:
  guide: {{type: prismatic, between: [ground, pin], axis: [0, 1], initial: {{position: {}}}}}
forces:
  press: {{type: force, body: pin, force: [0, '-{}*step(t, 0.01, 0.1, 0.02, 1)']}}
laws: {{p: {{restitution: 0}}}}
contacts: {{c: {{between: [ground, pin], law: p}}}}
)",
                                                  plate, pin, height, force));
  for (const OptimisationOptions& options : choices({1e-3, 7e-4, 1e-4})) {
    const PressedRun run = run_pressed(assembly, options, 0.03);
    SCOPED_TRACE(fmt::format("{} {} s", name(options.optimiser), options.step));
    EXPECT_NEAR(run.end.q[0], height, 1e-15);
    EXPECT_NEAR(run.force, force, 1e-9 * force);
    EXPECT_EQ(run.summary.rejected_steps, 0);
  }
}

TEST(OptimisationPassing, DoesNotHappenToAPinThatIsPressedOntoAThinPlate) {
  expect_pin_stays("capsule: {from: [-50 mm, 0], to: [50 mm, 0], radius: 0.5 mm}", "point: [0, 0]",
                   0.5e-3, 200);
}

TEST(OptimisationPassing, DoesNotHappenToARollerThatIsPressedOntoAThinBox) {
  expect_pin_stays("box: [100 mm, 2 mm]", "circle: 3 mm", 4e-3, 600);
}

/// It is not closed before, and the load makes it fast only in the step itself.
TEST(OptimisationPassing, DoesNotHappenToAPinThatHasNotTouchedYet) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shape: {capsule: {from: [-50 mm, 0], to: [50 mm, 0], radius: 0.5 mm}}}
  pin: {mass: 0.1, inertia: 1e-5, shape: {point: [0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, pin], axis: [0, 1], initial: {position: 0.6 mm}}
forces: {press: {type: force, body: pin, force: [0, -200]}}
laws: {p: {restitution: 0}}
contacts: {c: {between: [ground, pin], law: p}}
)");
  for (const OptimisationOptions& options : choices({1e-3})) {
    Optimisation integrator(*assembly.system, options);
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, 0.01).status, StepStatus::done);
    EXPECT_NEAR(state.q[0], 0.5e-3, 1e-15) << name(options.optimiser);
  }
}

/// A lever with a nose of 10 mm on a drum of 100 mm, which it would turn past in a step. By moments
/// about the pivot N = F L / (a − μ b'), with the arm b' = b + 2 r of the friction.
TEST(OptimisationPassing, DoesNotHappenToAShoeOnADrum) {
  const Assembly assembly = assembled(R"(
parameters: {R: 100 mm, F: 200 N, a: 200 mm, b: 30 mm, L: 350 mm, r: 10 mm}
bodies:
  drum: {mass: 4, inertia: 0.02, shape: {circle: R}}
  lever: {mass: 0.8, inertia: 0.01, com: [L/2, 0], shape: {circle: r, at: [a, -b-r]}}
joints:
  axle: {type: revolute, between: [ground, drum], initial: {speed: 15}}
  pivot: {type: revolute, between: [ground, lever], at: [[-a, R+b+2*r], [0, 0]]}
forces:
  push: {type: force, body: lever, at: [L, 0], force: [0, -F]}
  drive: {type: torque, body: drum, torque: 20}
laws: {lining: {restitution: 0, friction: 0.4}}
contacts: {shoe: {between: [drum, lever], law: lining}}
)");
  const double a = 0.2, lever = 0.03 + 2 * 0.01, force = 200 * 0.35 / (a - 0.4 * lever);
  const double until = 0.6, speed = 15 + until * (20 - 0.4 * force * 0.1) / 0.02;
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp})
    for (const double step : {0.01, 0.02, 0.03}) {
      SCOPED_TRACE(fmt::format("{} {} s", name(optimiser), step));
      const PressedRun run = run_pressed(assembly, {.step = step, .optimiser = optimiser}, until);
      EXPECT_NEAR(run.end.q[1], 0, 1e-13);
      EXPECT_NEAR(run.force, force, 1e-9 * force);
      EXPECT_NEAR(run.end.u[0], speed, 1e-9 * speed);
      EXPECT_EQ(run.summary.steps, std::lround(until / step));
    }
}

/// What is shortened so that nothing is passed counts as a step that was tried in vain.
TEST(OptimisationPassing, CountsStepsThatItShortens) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shapes: {latch: {box: [1 mm, 4 mm]}}}
  flyer: {mass: 1e-3, inertia: 1e-6, shapes: {front: {circle: 0.5 mm}}}
joints:
  rail: {type: prismatic, between: [ground, flyer], initial: {position: 50 mm, speed: -30}}
laws: {hit: {restitution: 0.5}}
contacts: {touch: {between: [ground, flyer], law: hit}}
)");
  Optimisation integrator(*assembly.system, {.step = 1e-3});
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.01);
  EXPECT_EQ(summary.status, StepStatus::done);
  EXPECT_NEAR(state.u[0], 15, 1e-9);
  EXPECT_GT(summary.rejected_steps, 0);
  EXPECT_LT(summary.smallest_step, 1e-3);
}

}  // namespace
}  // namespace backlash::test::optimisation_passing
