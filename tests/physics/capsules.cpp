// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::capsules {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

/// Between the centres of the ends, and of these [m].
constexpr double length = 0.3, radius = 0.02;

/// A bar with its ends at ±length/2 from its origin, and the ground with one shape.
Assembly bar_on(const std::string& ground, const std::string& bar, double gravity,
                double restitution = 0) {
  return assembled(fmt::format(R"(
gravity: [0, -{}]
bodies:
  ground: {{shape: {{{}}}}}
  bar: {{{}, shape: {{capsule: {{from: [-{length}/2, 0], to: [{length}/2, 0], radius: {}}}}}}}
laws: {{smooth: {{restitution: {}, friction: 0}}}}
contacts: {{touch: {{between: [ground, bar], law: smooth}}}}
)",
                               gravity, ground, bar, radius, restitution,
                               fmt::arg("length", length)));
}

const std::string floor_shape = "line: {normal: [0, 1]}";

TEST(Capsule, HasTheMassOfItsBarAndItsTwoHalfDisks) {
  const double area = 2 * radius * length + pi * radius * radius;
  const Model model = parse_model(fmt::format(R"(
backlash: 1
bodies:
  bar: {{density: 7800, thickness: 0.01, shape: {{capsule: {{from: [0, 0], to: [0, {}], radius: {}}}}}}}
)",
                                              length, radius),
                                  "model.yaml");
  const Body& bar = model.bodies[0];
  EXPECT_NEAR(bar.mass, 78 * area, 1e-12);
  EXPECT_NEAR((bar.com - Vec3(0, length / 2, 0)).norm(), 0, 1e-15);
}

TEST(Capsule, LiesOnBothEndsWhichCarryTheWeightByTheirLevers) {
  const double mass = 2, step = 1e-3;
  for (const double aside : {0.0, 0.05, -0.11}) {  // of the centre of mass
    const Assembly assembly =
        bar_on(floor_shape,
               fmt::format("mass: {}, inertia: 0.02, com: [{}, 0], initial: {{position: [0, {}]}}",
                           mass, aside, radius),
               g);
    const State end = run(*assembly.system, assembly.start, step, 0.1, {},
                          [&](const State&, const StepResult& result) {
                            ASSERT_EQ(result.contacts.size(), 2u);
                            for (int i = 0; i < 2; ++i) {
                              const double lever = length / 2 + (i == 0 ? -aside : aside);
                              EXPECT_NEAR(result.contacts[std::size_t(i)].impulse[0] / step,
                                          mass * g * lever / length, 1e-9);
                            }
                          });
    EXPECT_NEAR(motion_of(*assembly.system, end).p_W.y(), radius, 1e-12);
  }
}

TEST(Capsule, StrikesTheFloorWithOneEndAndTurnsByTheImpulseThere) {
  const double mass = 2, inertia = 0.02, angle = 0.4, speed = 3;
  const double lever = length / 2 * std::cos(angle);
  const double height = length / 2 * std::sin(angle) + radius;
  for (const double restitution : {0.0, 0.6}) {
    const Assembly assembly =
        bar_on(floor_shape,
               fmt::format("mass: {}, inertia: {}, initial: {{position: [0, {}], angle: {}, "
                           "velocity: [0, -{}]}}",
                           mass, inertia, height, angle, speed),
               0, restitution);
    const OneStep after = one_step(*assembly.system, assembly.start, 1e-6);
    const double impulse = (1 + restitution) * speed / (1 / mass + lever * lever / inertia);
    ASSERT_EQ(after.result.contacts.size(), 1u);
    EXPECT_NEAR(after.result.contacts[0].impulse[0], impulse, 1e-5);
    const BodyMotion bar = motion_of(*assembly.system, after.state);
    EXPECT_NEAR(bar.v_W.y(), -speed + impulse / mass, 1e-5);
    EXPECT_NEAR(bar.w_W.z(), -lever * impulse / inertia, 1e-4);
  }
}

/// Its ends run on a circle around the ring's centre, so that it turns about that.
TEST(Capsule, SwingsInASmoothRingAsAPendulumWhoseHalfPeriodIsTheEllipticIntegral) {
  const double mass = 2, inertia = 0.02, ring = 0.4, angle = 0.6;
  const double arm = std::sqrt(std::pow(ring - radius, 2) - length * length / 4);
  const double half = 2 * std::sqrt((inertia + mass * arm * arm) / (mass * g * arm)) *
                      std::comp_ellint_1(std::sin(angle / 2));
  const Assembly assembly =
      bar_on(fmt::format("ring: {}", ring - hair),
             fmt::format("mass: {}, inertia: {}, initial: {{position: [{}, {}], angle: {}}}", mass,
                         inertia, arm * std::sin(angle), -arm * std::cos(angle), angle),
             g);
  const State end = run(*assembly.system, assembly.start, half / 4000, half);
  const BodyMotion bar = motion_of(*assembly.system, end);
  EXPECT_LT((bar.p_W - Vec3(-arm * std::sin(angle), -arm * std::cos(angle), 0)).norm(), 1e-3);
  EXPECT_LT(std::abs(bar.w_W.z()), 1e-2);
}

}  // namespace
}  // namespace backlash::test::capsules
