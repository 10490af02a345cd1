// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The energy that impacts take means the same with every method: all that contacts did along their
// normals and by friction, from when bodies met until they were apart or rested on each other.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::impact_loss {
namespace {

constexpr double v = 1, slip = 2, mu = 0.1, mass = 1.5;

/// A puck, which does not turn, meets a wall with the speed v while it slides along it.
Model puck(const char* method, const char* law) {
  return parse_model(fmt::format(R"(
backlash: 1
bodies:
  ground: {{shapes: {{wall: {{line: {{normal: [0, 1]}}}}}}}}
  carriage: {{mass: 0.5, inertia: 1e-3}}
  puck: {{mass: 1, inertia: 1e-3, shape: {{circle: 50 mm}}}}
joints:
  along: {{type: prismatic, between: [ground, carriage], axis: [1, 0], initial: {{speed: {}}}}}
  across: {{type: prismatic, between: [carriage, puck], axis: [0, 1],
            initial: {{position: 60.003 mm, speed: {}}}}}
contacts: {{hit: {{between: [ground.wall, puck], law: chosen}}}}
laws: {{chosen: {{{}, friction: {}}}}}
simulation: {{method: {}, {}until: 0.02}}
)",
                                 slip, -v, law, mu, method,
                                 std::string(method) == "compliant" ? "" : "step: 1e-4, "),
                     "puck.yaml");
}

/// ½ m (1 − ε²) v² and μ Λ_N times the mean slip, Λ_N = m (1 + ε) v; m is that of the puck, and
/// the slip is stopped together with the carriage.
double loss(double restitution) {
  const double impulse = (1 + restitution) * v;
  return 0.5 * (1 - restitution * restitution) * v * v +
         mu * impulse * (slip - 0.5 * mu * impulse / mass);
}

/// Of the summary, and of the events: where an impact takes more than a step, of the one that ends
/// it.
void expect_loss(const Model& model, double expected, double tolerance) {
  RunRecorder recorder;
  const RunOutcome outcome = run(model, {}, recorder);
  ASSERT_EQ(outcome.report.status, RunStatus::done);
  EXPECT_NEAR(outcome.report.end.impact_loss, expected, tolerance);
  EXPECT_NEAR(outcome.report.run.hardest.energy, expected, tolerance);
  double of_events = 0;
  for (const Event& event : recorder.recording().events)
    if (event.kind != EventKind::stick) of_events = event.energy_loss;
  EXPECT_NEAR(of_events, expected, tolerance);
}

TEST(ImpactLoss, HasNormalAndTangentialPartsOfWholeImpactsWithEveryMethod) {
  expect_loss(puck("moreau", "restitution: 0.5"), loss(0.5), 1e-12);
  expect_loss(puck("optimisation", "restitution: 0.5"), loss(0.5), 1e-12);
  expect_loss(puck("compliant", "model: calibrated, restitution: 0.5, stiffness: 1e9 N/m^1.5"),
              loss(0.5), 1e-4);
}

/// Moreau's in one step, the optimisation's in two. What friction does afterwards, at a contact
/// without load, is nothing.
TEST(ImpactLoss, OfPlasticImpactsIsTheSameInOneStepAndInTwo) {
  for (const char* method : {"moreau", "optimisation"}) {
    SCOPED_TRACE(method);
    RunRecorder recorder;
    const RunOutcome outcome = run(puck(method, "restitution: 0"), {}, recorder);
    EXPECT_NEAR(outcome.report.end.impact_loss, loss(0), 1e-12);
    EXPECT_NEAR(outcome.report.run.hardest.energy, loss(0), 1e-12);
  }
}

}  // namespace
}  // namespace backlash::test::impact_loss
