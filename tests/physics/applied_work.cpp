// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

// Forces without a potential do their work along all of the motion, also along what projections
// add to it (theory 4.37).

namespace backlash::test::applied_work {
namespace {

RunOutcome outcome_of(const std::string& text) {
  RunObserver nobody;
  RunOutcome outcome = run(parse_model("backlash: 1\n" + text, "applied_work.yaml"), {}, nobody);
  EXPECT_EQ(outcome.report.status, RunStatus::done) << outcome.report.message;
  return outcome;
}

/// A ball of 1 kg that is thrown on a floor and stays there, with a force on it.
std::string landing(const std::string& load, double speed, const std::string& simulation) {
  return fmt::format(R"(bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  ball: {{mass: 1, inertia: 1e-3, shape: {{circle: 10 mm}}, initial: {{position: [0, 60 mm], velocity: [0, {}]}}}}
contacts: {{hit: {{between: [ground, ball], law: clay}}}}
laws: {{clay: {{restitution: 0}}}}
simulation: {{{}, until: 0.1}}
{}
)",
                     -speed, simulation, load);
}

constexpr const char* pushed = "forces: {push: {type: force, body: ball, force: [0, -9.81]}}";
constexpr const char* falling = "gravity: [0, -9.81]";

/// Wherever in its step it lands.
TEST(AppliedWork, IsTheForceTimesTheWayOfABodyThatLands) {
  for (const char* simulation : {"step: 1e-3", "step: 1e-3, scheme: theta",
                                 "step: 1e-3, scheme: theta, theta: 1", "step: auto"})
    for (const double speed : {3.0, 2.77, 0.913}) {
      SCOPED_TRACE(fmt::format("{}, {} m/s", simulation, speed));
      const RunOutcome push = outcome_of(landing(pushed, speed, simulation));
      const RunOutcome fall = outcome_of(landing(falling, speed, simulation));
      EXPECT_NEAR(push.report.end.applied, 9.81 * (0.06 - push.end.q[1]), 1e-12);
      EXPECT_NEAR(push.end.q[1], fall.end.q[1], 1e-13);
      EXPECT_NEAR(push.report.made_by_method(), fall.report.made_by_method(), 1e-12);
    }
}

/// Two rotors of four lobes each: those of the driven one push the other aside, again and again.
std::string rotors(const std::string& brake) {
  std::string points;
  for (int i = 0; i < 32; ++i) {
    const double angle = i * M_PI / 16, radius = 0.02 + 0.003 * std::cos(4 * angle);
    points += fmt::format("{}[{:.6f}, {:.6f}]", i == 0 ? "" : ", ", radius * std::cos(angle),
                          radius * std::sin(angle));
  }
  return fmt::format(R"(profiles: {{rotor: {{periodic: true, points: [{}]}}}}
bodies:
  one: {{mass: 1, inertia: 2e-4, shape: {{profile: rotor}}}}
  two: {{mass: 1, inertia: 2e-4, shape: {{profile: rotor, angle: 45 deg}}}}
joints:
  j1: {{type: revolute, between: [ground, one], drive: {{speed: 20}}}}
  j2: {{type: revolute, between: [ground, two], at: [[41 mm, 0], [0, 0]]{}
contacts: {{mesh: {{between: [one, two], law: clay}}}}
laws: {{clay: {{restitution: 0}}}}
simulation: {{step: 1e-4, until: 0.4}}
)",
                     points, brake);
}

TEST(AppliedWork, IsTheTorqueTimesTheAngleOfARotorThatAnotherPushes) {
  const RunOutcome braked =
      outcome_of(rotors("}\nforces: {brake: {type: torque, body: two, torque: 0.2}}"));
  const double angle = braked.end.q[1];
  EXPECT_NE(braked.report.end.projections, 0);
  EXPECT_NEAR(braked.report.end.applied, 0.2 * angle, 1e-11);
}

}  // namespace
}  // namespace backlash::test::applied_work
