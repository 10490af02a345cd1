// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "cases/example.h"

// Mechanisms with clearances through contact, each step by two optimisers.

namespace backlash::test::optimisation_examples {
namespace {

OptimisationOptions options_of(double step, Optimiser optimiser) {
  OptimisationOptions options;
  options.warm_start = WarmStart::point;  // the optimiser in every step
  options.step = step;
  options.optimiser = optimiser;
  return options;
}

/// A block that falls on a table, and a block on it, each face to face.
constexpr const char* two_blocks = R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  lower: {mass: 2, inertia: 0.01, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.051]}}
  upper: {mass: 1, inertia: 0.005, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.152]}}
contacts:
  feet: {between: [ground.floor, lower], law: plastic}
  faces: {between: [lower, upper], law: plastic}
laws: {plastic: {friction: 0.3}}
simulation: {method: optimisation, step: 1e-3, until: 0.2}
)";

/// Whatever shares of the load the corners of a face have, which nothing decides.
TEST(OptimisationOnExamples, BlocksFaceToFaceTouchOnceAndStay) {
  for (const char* optimiser : {"ipopt", "slsqp"}) {
    SCOPED_TRACE(optimiser);
    Model model = parse_model(two_blocks, "blocks.yaml");
    set_option(model.simulation.options, "optimiser", std::string(optimiser));
    RunRecorder recorder;
    const RunOutcome outcome = run(model, {}, recorder);
    EXPECT_EQ(outcome.report.status, RunStatus::done);
    std::map<EventKind, int> count;
    for (const Event& event : recorder.recording().events) ++count[event.kind];
    EXPECT_EQ(count[EventKind::impact], 2 + 4);
    EXPECT_EQ(count[EventKind::rest], 2 + 4);
    EXPECT_EQ(count[EventKind::release], 0);
  }
}

/// 5 kg that fall by 10 µm on both ends: each takes half of the momentum, and of the weight in the
/// two steps that the impact lasts.
TEST(OptimisationOnExamples, TheHardestImpactIsThatOfBothItsSteps) {
  const double h = 1e-4;
  const Model model = Example("prismatic_clearance/model.yaml").model;
  RunRecorder recorder;
  const HardestImpact hardest = run(model, {}, recorder).report.run.hardest;
  EXPECT_NEAR(hardest.impulse, 2.5 * (hardest.speed + 2 * h * 9.81), 1e-9);
  for (const Event& event : recorder.recording().events) {
    if (event.kind != EventKind::rest) continue;
    EXPECT_NEAR(event.impulse_n, hardest.impulse, 1e-9);
  }
}

/// The largest overlap at a state [m].
double overlap(const System& system, const State& state) {
  std::vector<ContactFrame> frames;
  system.find_contacts(configuration(system, state), 0, {}, frames);
  double deepest = 0;
  for (const ContactFrame& frame : frames) deepest = std::max(deepest, -frame.gap);
  return deepest;
}

/// Steps until so many had contact, each also by the second optimiser from the same state: the
/// forces must be the same.
void expect_same_forces(const Example& example, double step, int contact_steps) {
  const System& system = example.system();
  Optimisation interior(system, options_of(step, Optimiser::ipopt)),
      sequential(system, options_of(step, Optimiser::slsqp));
  State state = example.assembly.start;
  int counted = 0;
  while (counted < contact_steps) {
    State other = state;
    const StepResult& a = interior.step(state, {});
    ASSERT_EQ(a.status, StepStatus::done) << a.trouble << " at " << state.t;
    EXPECT_LT(overlap(system, state), 1e-13 * system.info().length);
    EXPECT_LT(example.loop_error(state), 1e-12 * system.info().length);
    if (a.contacts.empty()) continue;
    const StepResult& b = sequential.step(other, {});
    ASSERT_EQ(b.status, StepStatus::done) << b.trouble << " at " << state.t;
    ASSERT_EQ(a.contacts.size(), b.contacts.size()) << "at " << state.t;
    double largest = 0;
    for (const ContactOutcome& contact : a.contacts)
      largest = std::max(largest, contact.impulse[0]);
    for (std::size_t i = 0; i < a.contacts.size(); ++i)
      for (int row = 0; row < 2; ++row)
        EXPECT_NEAR(a.contacts[i].impulse[row], b.contacts[i].impulse[row], 1e-7 * largest)
            << system.contact_name(a.contacts[i].key) << " at " << state.t;
    ++counted;
  }
}

TEST(OptimisationOnExamples, TheSliderCrankHasTheSameForcesByTwoOptimisers) {
  expect_same_forces(Example("slider_crank/model.yaml"), 2e-5, 120);
}

TEST(OptimisationOnExamples, TheFourBarWithClearancesHasTheSameForcesByTwoOptimisers) {
  expect_same_forces(Example("four_bar/clearance.yaml"), 2e-5, 120);
}

TEST(OptimisationOnExamples, AJournalHasTheSameForcesByTwoOptimisers) {
  expect_same_forces(Example("slider_crank_revolute_clearance/model.yaml"), 2e-5, 120);
}

/// Cams of profiles without any simple form, whose contacts begin with an impact and last: they
/// slide, roll and stick on each other.
Example rigid_cams(double friction) {
  Model model = Example("bouncing_cams/model.yaml").model;
  model.laws.front().law = ContactLaw{.restitution = 0, .friction = friction};
  return Example(std::move(model));
}

TEST(OptimisationOnExamples, CamsOfProfilesHaveTheSameForcesByTwoOptimisers) {
  expect_same_forces(rigid_cams(0), 1e-4, 120);
}

TEST(OptimisationOnExamples, CamsOfProfilesHaveTheSameForcesOfFrictionByTwoOptimisers) {
  expect_same_forces(rigid_cams(0.2), 1e-4, 120);
}

/// The locking disc drags at a wheel that the friction of its axle and the disc hold: its velocity
/// is zero but for round-off, of either sign.
TEST(OptimisationOnExamples, TheGenevaWheelIsHeldWithoutDividedSteps) {
  const Example geneva("geneva/model.yaml");
  Optimisation integrator(geneva.system(), options_of(5e-5, Optimiser::slsqp));
  State state = geneva.assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.04);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_EQ(summary.rejected_steps, 0);
  ASSERT_EQ(state.contacts.size(), 1u);
  // Held by the load of 30 mN m less the axle's 10: the force is a steady one.
  const State held = state;
  integrator.step(state, {});
  EXPECT_NEAR(state.contacts[0].impulse[0], held.contacts[0].impulse[0],
              1e-6 * held.contacts[0].impulse[0]);
}

/// The bound on the angle that paper 002 has besides binds before the ends of the slider touch:
/// their forces vanish in favour of a moment.
TEST(OptimisationOnExamples, ABoundOnTheMisalignmentTakesTheForcesFromTheEnds) {
  Model model = Example("prismatic_clearance/model.yaml", {"s_f=10 mm", "g=0"}).model;
  std::get<PrismaticClearance>(*model.joints.front().clearance).max_misalignment =
      1e-5 / (2 * 0.02);
  const Example example(std::move(model));
  Optimisation integrator(example.system(), options_of(1e-4, Optimiser::ipopt));
  State state = example.assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.01);
  ASSERT_EQ(summary.status, StepStatus::done);
  const StepResult& last = integrator.last_result();
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_EQ(example.system().contact_name(last.contacts[0].key), "guide.right");
  EXPECT_NEAR(last.contacts[0].impulse[0] / last.step, 50 * 0.01 * std::cos(state.q[2]), 1e-9);
  EXPECT_NEAR(state.q[2], -1e-5 / (2 * 0.02), 1e-15);
}

}  // namespace
}  // namespace backlash::test::optimisation_examples
