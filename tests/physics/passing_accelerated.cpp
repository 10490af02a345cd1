// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Bodies that forces make fast do not pass through each other in the long accurate steps of the
// compliant method (theory 10.15).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::passing_accelerated {
namespace {

/// The speed of the first impact, and the time; none: NAN.
struct FirstImpact {
  double speed = NAN, t = NAN;
};

FirstImpact first_impact(const Assembly& assembly, const CompliantOptions& options, double until) {
  Compliant integrator(*assembly.system, options);
  State state = assembly.start;
  FirstImpact first;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State&, const StepResult& result) {
        for (const ContactOutcome& contact : result.contacts)
          if (contact.state == ContactState::impact && std::isnan(first.t))
            first = {-contact.gamma_before[0], contact.t};
      });
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
  return first;
}

/// A cart of 2 kg on a rail, its front 0.05 m ahead, and a wall at x.
Assembly cart(const std::string& front, const std::string& wall, double speed, double force) {
  return assembled(fmt::format(R"(
profiles: {{lens: {{periodic: true, points: [[0.05, 0], [0, 0.2], [-0.05, 0], [0, -0.2]]}}}}
bodies:
  cart: {{mass: 2, inertia: 0.01, shape: {{{}}}}}
  ground: {{shape: {{{}}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], initial: {{speed: {}}}}}}}
laws: {{hard: {{model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.5}}}}
contacts: {{wall: {{between: [ground, cart], law: hard}}}}
forces: {{push: {{type: joint_force, joint: rail, force: {} N}}}}
)",
                               front, wall, speed, force));
}

const std::vector<std::string>& fronts() {
  static const std::vector<std::string> all{
      "box: [0.1, 0.1]",
      "circle: 0.05",
      "point: [0.05, 0]",
      "capsule: {from: [0, -0.1], to: [0, 0.1], radius: 0.05}",
      "polygon: [[-0.05, -0.1], [0.05, -0.1], [0.05, 0.1], [-0.05, 0.1]]",
      "outline: {path: [[-0.05, -0.1], [0.05, -0.1], [0.05, 0.1], [-0.05, 0.1]]}"};
  return all;
}

/// Thin ones, with their front at x = 1 m.
const std::vector<std::string>& walls() {
  static const std::vector<std::string> all{
      "segment: [[1, 1], [1, -1]]",
      "line: {point: [1, 0], normal: [-1, 0]}",
      "box: [0.02, 2], at: [1.01, 0]",
      "capsule: {from: [1.001, -1], to: [1.001, 1], radius: 0.001}",
      "polygon: [[1, -1], [1.01, -1], [1.01, 1], [1, 1]]",
      "outline: {path: [[1, -1], [1.01, -1], [1.01, 1], [1, 1]]}"};
  return all;
}

constexpr double mass = 2, force = 100, way = 0.95;

TEST(PassingAccelerated, DoesNotHappenToWhatIsPushedFromRest) {
  const double speed = std::sqrt(2 * force * way / mass), t = speed * mass / force;
  int pairs = 0;
  for (const std::string& front : fronts())
    for (const std::string& wall : walls()) {
      if (front.starts_with("point") && wall.starts_with("segment")) continue;  // one-sided
      SCOPED_TRACE(front + " against " + wall);
      const FirstImpact impact = first_impact(cart(front, wall, 0, force), {}, 0.25);
      EXPECT_NEAR(impact.speed, speed, 1e-6 * speed);
      EXPECT_NEAR(impact.t, t, 1e-7);
      ++pairs;
    }
  EXPECT_GT(pairs, 30);
}

/// Both ends of a step that goes there and back again are free.
TEST(PassingAccelerated, DoesNotHappenToWhatIsThrownThereAndBack) {
  const double speed = std::sqrt(100 - 2 * force * way / mass);
  for (const std::string& front : fronts())
    for (const std::string& wall : walls()) {
      if (front.starts_with("point") && wall.starts_with("segment")) continue;
      SCOPED_TRACE(front + " against " + wall);
      const FirstImpact impact = first_impact(cart(front, wall, 10, -force), {}, 0.4);
      EXPECT_NEAR(impact.speed, speed, 1e-6 * 10);
    }
}

/// Procedure 1 interpolates to the surface, over steps whose error it does not know.
TEST(PassingAccelerated, DoesNotHappenWithAnyOnset) {
  const double speed = std::sqrt(2 * force * way / mass);
  for (const Onset onset : {Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none})
    for (const std::string& wall : walls()) {
      SCOPED_TRACE(std::string(name(onset)) + ": " + wall);
      const FirstImpact impact =
          first_impact(cart("circle: 0.05", wall, 0, force), {.onset = onset}, 0.25);
      const bool exact = onset == Onset::root || onset == Onset::procedure_2;
      EXPECT_NEAR(impact.speed, speed, (exact ? 1e-4 : 0.1) * speed);
    }
}

TEST(PassingAccelerated, DoesNotHappenToAThinArmThatATorqueTurnsFromRest) {
  const double J = 1e-3, torque = 0.1, radius = 0.15, thickness = 1e-3;
  for (const double start : {0.0, -2.0, -4.5}) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies:
  ground: {{shape: {{circle: 0.5 mm, at: [0, 0.15]}}}}
  arm: {{mass: 0.1, inertia: 1e-3, shape: {{capsule: {{from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}}}}
joints: {{pin: {{type: revolute, between: [ground, arm], initial: {{angle: {}}}}}}}
laws: {{hard: {{model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.5}}}}
contacts: {{wall: {{between: [ground, arm], law: hard}}}}
forces: {{push: {{type: joint_force, joint: pin, force: 0.1 N m}}}}
)",
                                                    start));
    const double angle = std::numbers::pi / 2 - std::asin(thickness / radius) - start;
    const FirstImpact impact = first_impact(assembly, {}, 1.2 * std::sqrt(2 * angle * J / torque));
    const double speed = std::sqrt(2 * torque * angle / J) * std::sqrt(radius * radius - 1e-6);
    EXPECT_NEAR(impact.speed, speed, 1e-5 * speed) << start;
  }
}

}  // namespace
}  // namespace backlash::test::passing_accelerated
