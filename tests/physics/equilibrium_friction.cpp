// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "physics/equilibrium_models.h"

/// What friction holds, and whether what rests is stable.
namespace backlash::test::equilibrium {
namespace {

/// Both sides of the switch: friction that holds, and friction that does not.
TEST(Equilibrium, ABlockStaysOnAnInclineThatIsFlatterThanItsFriction) {
  const auto block = [](double friction) {
    return at_rest(fmt::format(R"(
bodies:
  ground: {{shapes: {{slope: {{line: {{normal: [-sin(20 deg), cos(20 deg)]}}}},
                    stop: {{line: {{point: [-1, 0], normal: [cos(20 deg), sin(20 deg)]}}}}}}}}
  block: {{mass: 2, inertia: 1e-3, shape: {{point: [0, 0]}}, initial: {{position: [0, 0]}}}}
joints: {{free: {{type: planar, between: [ground, block]}}}}
forces: {{upright: {{type: torsion_spring, between: [ground, block], stiffness: 1}}}}
laws: {{rough: {{friction: {}}}, smooth: {{restitution: 0}}}}
contacts:
  slope: {{between: [block, ground.slope], law: rough}}
  stop: {{between: [block, ground.stop], law: smooth}}
)",
                               friction));
  };
  const double a = 20 * std::numbers::pi / 180;
  const Assembly held = block(0.4);  // tan 20° = 0.364
  EXPECT_NEAR(held.start.q.head(2).norm(), 0, 1e-14);
  EXPECT_NEAR(load(held, "slope"), 2 * g * std::cos(a), 1e-10);
  EXPECT_NEAR(std::abs(held.report.rest->equilibrium.loads[0].force[1]), 2 * g * std::sin(a),
              1e-10);
  const Assembly slid = block(0.3);
  EXPECT_NEAR(Vec2(slid.start.q.head(2)).dot(Vec2(std::cos(a), std::sin(a))), -std::cos(a), 1e-10);
  EXPECT_NEAR(load(slid, "slope"), 2 * g * std::cos(a), 1e-10);
  EXPECT_GT(load(slid, "stop"), 0);
}

TEST(Equilibrium, DryFrictionOfAJointHoldsWhatItCan) {
  const auto angle = [](double torque) {
    return at_rest(fmt::format(R"(
bodies: {{rod: {{mass: 1, inertia: 0.1, com: [0, -0.5]}}}}
joints: {{pin: {{type: revolute, between: [ground, rod], initial: {{angle: 60 deg}},
               friction: {{strength: {}}}}}}}
)",
                               torque))
        .start.q[0];
  };
  const double moment = g * 0.5;
  EXPECT_NEAR(angle(0.9 * moment), std::numbers::pi / 3, 1e-14);  // sin 60° = 0.87
  EXPECT_NEAR(angle(0.4 * moment), std::asin(0.4), 1e-9);
}

/// The pin carries the weight m g: it holds while m g l sin φ ≤ μ r m g.
TEST(Equilibrium, FrictionOfAPinThatCarriesHoldsWhatItsLoadAllows) {
  const auto rest = [](double angle) {
    return at_rest(fmt::format(R"(
bodies: {{rod: {{mass: 3, inertia: 0.1, com: [0, -0.5]}}}}
joints: {{pin: {{type: revolute, between: [ground, rod], initial: {{angle: {}}},
               friction: {{static: 0.4, kinetic: 0.2, radius: 0.3}}}}}}
)",
                               angle));
  };
  const double held = std::asin(0.4 * 0.3 / 0.5);
  EXPECT_NEAR(rest(0.9 * held).start.q[0], 0.9 * held, 1e-14);
  EXPECT_EQ(rest(0.9 * held).report.rest->equilibrium.stability, Stability::held);
  EXPECT_NEAR(rest(1).start.q[0], held, 1e-8);
}

/// A block on an incline, whose guide carries m g cos a.
TEST(Equilibrium, FrictionOfAGuideHoldsBelowTheAngleOfFriction) {
  const auto travel = [](double degrees) {
    return at_rest(fmt::format(R"(
bodies: {{block: {{mass: 2, inertia: 0.1}}}}
joints: {{rail: {{type: prismatic, between: [ground, block], axis: {} deg,
                friction: {{coefficient: 0.3, length: 0.2}}, limits: {{lower: -0.5, law: hard}}}}}}
laws: {{hard: {{}}}}
)",
                               degrees))
        .start.q[0];
  };
  EXPECT_NEAR(travel(16), 0, 1e-14);  // tan 16° = 0.287
  EXPECT_NEAR(travel(18), -0.5, 1e-9);
}

TEST(Equilibrium, SaysWhetherItIsStable) {
  const auto stability = [](const char* text) {
    return at_rest(text).report.rest->equilibrium.stability;
  };
  EXPECT_EQ(stability(R"(
bodies: {rod: {mass: 1, inertia: 0.1, com: [0, -0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], initial: {angle: 1}}}
)"),
            Stability::stable);
  EXPECT_EQ(stability(R"(
bodies: {wheel: {mass: 3, inertia: 0.1}}
joints: {axle: {type: revolute, between: [ground, wheel]}}
)"),
            Stability::indifferent);
  EXPECT_EQ(stability(R"(
bodies: {rod: {mass: 1, inertia: 0.1, com: [0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, rod]}}
)"),
            Stability::unstable);
  EXPECT_EQ(stability(R"(
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  box: {mass: 2, inertia: 0.1, shape: {box: [0.4, 0.2]}, initial: {position: [0, 0.1]}}
laws: {steel: {friction: 0.3}}
contacts: {floor: {between: [box, ground], law: steel}}
)"),
            Stability::held);
}

/// What slid until friction could hold it rests at the limit of its friction: k x = m g (sin α − μ
/// cos α).
TEST(Equilibrium, SaysWhereFrictionIsAtItsLimit) {
  const auto rest = [](double friction) {
    return assembled(fmt::format(R"(
initial: equilibrium
gravity: [2, -10]
bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  box: {{mass: 1, inertia: 0.01, shape: {{box: [0.2, 0.1]}}, initial: {{position: [0, 0.05]}}}}
laws: {{dry: {{friction: {}}}}}
contacts: {{floor: {{between: [ground, box], law: dry}}}}
forces: {{spring: {{type: spring, between: [ground, box], at: [[0, 0.05], [0, 0]], stiffness: 100, length: 0}}}}
)",
                                 friction));
  };
  const Assembly slid = rest(0.1), stays = rest(0.3);
  EXPECT_NEAR(slid.start.q[0], (2 - 0.1 * 10) / 100, 1e-9);
  EXPECT_TRUE(slid.report.rest->equilibrium.friction_at_limit);
  EXPECT_NEAR(stays.start.q[0], 0, 1e-9);
  EXPECT_FALSE(stays.report.rest->equilibrium.friction_at_limit);
}

}  // namespace
}  // namespace backlash::test::equilibrium
