// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/compliant/compliant.h"
#include "physics/equilibrium_models.h"
#include "support/models.h"
#include "support/runs.h"

/// Where mechanisms rest, by closed forms of statics.
namespace backlash::test::equilibrium {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Equilibrium, AWeightStretchesItsSpringByItsWeightOverTheStiffness) {
  const Assembly a = at_rest(R"(
bodies: {weight: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], axis: [0, -1], initial: {position: 0.3}}}
forces: {spring: {type: joint_spring, joint: guide, stiffness: 500, rest: 0.1}}
)");
  EXPECT_NEAR(a.start.q[0], 0.1 + 2 * g / 500, 1e-14);
  EXPECT_EQ(a.start.u[0], 0);
  EXPECT_LT(a.report.rest->equilibrium.iterations, 60);
}

TEST(Equilibrium, APendulumHangsWhereverItBegins) {
  for (const double angle : {-170, -91, 60, 179}) {
    SCOPED_TRACE(angle);
    const Assembly a = at_rest(fmt::format(R"(
bodies: {{rod: {{mass: 1, inertia: 0.1, com: [0, -0.5]}}}}
joints: {{pin: {{type: revolute, between: [ground, rod], initial: {{angle: {} deg}}}}}}
)",
                                           angle));
    EXPECT_NEAR(a.start.q[0], 0, 1e-12);
    EXPECT_FALSE(a.report.rest->equilibrium.escape);
  }
}

TEST(Equilibrium, WhatStandsOnItsHeadIsFoundAndSaidToBeUnstable) {
  const Assembly a = at_rest(R"(
bodies: {rod: {mass: 1, inertia: 0.1, com: [0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, rod]}}
)");
  EXPECT_EQ(a.start.q[0], 0);
  EXPECT_TRUE(a.report.rest->equilibrium.escape);
  ASSERT_EQ(a.report.warnings.size(), 1u);
  EXPECT_THAT(a.report.warnings[0], AllOf(HasSubstr("not stable"), HasSubstr("pin")));
}

/// Nothing pulls at the wheel: it stays where it was put, whatever the others do.
TEST(Equilibrium, ABalancedWheelStaysWhereItIsPut) {
  const Assembly a = at_rest(R"(
bodies: {wheel: {mass: 3, inertia: 0.1}, rod: {mass: 1, inertia: 0.1, com: [0, -0.5]}}
joints:
  axle: {type: revolute, between: [ground, wheel], initial: {angle: 0.7}}
  pin: {type: revolute, between: [ground, rod], initial: {angle: 2}}
)");
  EXPECT_NEAR(a.start.q[0], 0.7, 1e-13);
  EXPECT_NEAR(a.start.q[1], 0, 1e-12);
}

TEST(Equilibrium, ABallSinksIntoACompliantFloorUntilItCarries) {
  const Assembly a = at_rest(R"(
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1e-3, shape: {circle: 0.05}}
joints: {rail: {type: prismatic, between: [ground, ball], axis: [0, 1], initial: {position: 0.3}}}
laws: {steel: {model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.8}}
contacts: {floor: {between: [ball, ground], law: steel}}
simulation: {method: compliant}
)");
  EXPECT_NEAR(0.05 - a.start.q[0], std::pow(2 * g / 1e9, 2.0 / 3), 1e-15);
  EXPECT_NEAR(load(a, "floor"), 2 * g, 1e-8);
}

/// Each law at rest: K δ, K δᵉ, and a formula of the user's.
TEST(Equilibrium, EveryCompliantLawCarriesByItsForceAtRest) {
  const auto depth = [](const std::string& law) {
    return 0.05 - at_rest(fmt::format(R"(
bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  ball: {{mass: 2, inertia: 1e-3, shape: {{circle: 0.05}}}}
joints: {{rail: {{type: prismatic, between: [ground, ball], axis: [0, 1], initial: {{position: 0.0501}}}}}}
laws: {{l: {{{}}}}}
contacts: {{floor: {{between: [ball, ground], law: l}}}}
simulation: {{method: compliant}}
)",
                                      law))
                      .start.q[0];
  };
  EXPECT_NEAR(depth("model: kelvin-voigt, stiffness: 1e6, damping: 100"), 2 * g / 1e6, 1e-14);
  EXPECT_NEAR(
      depth("model: impact, stiffness: 1e8 N/m^2, exponent: 2, damping: 100, depth: 0.1 mm"),
      std::sqrt(2 * g / 1e8), 1e-14);
  EXPECT_NEAR(depth("model: expression, force: \"1e7*delta^1.2 + 50*ddelta\""),
              std::pow(2 * g / 1e7, 1 / 1.2), 1e-14);
}

TEST(Equilibrium, ARigidBallInAVeeIsCarriedByBothSides) {
  const Assembly a = at_rest(R"(
bodies:
  ground: {shapes: {left: {line: {normal: [sin(30 deg), cos(30 deg)]}},
                    right: {line: {normal: [-sin(60 deg), cos(60 deg)]}}}}
  ball: {mass: 2, inertia: 1e-3, shape: {circle: 0.05}, initial: {position: [0.02, 0.2]}}
laws: {dead: {restitution: 0}}
contacts:
  left: {between: [ball, ground.left], law: dead}
  right: {between: [ball, ground.right], law: dead}
)");
  EXPECT_NEAR(load(a, "left"), 2 * g * std::cos(std::numbers::pi / 6), 1e-10);
  EXPECT_NEAR(load(a, "right"), 2 * g * std::sin(std::numbers::pi / 6), 1e-10);
  for (const ContactLoad& carried : a.report.rest->equilibrium.loads)
    EXPECT_NEAR(carried.gap, 0, 1e-15);
}

/// The curvature of the contact alone brings it back: its load times the change of its normal.
TEST(Equilibrium, ARigidBallRestsInTheMiddleOfABowl) {
  const Assembly a = at_rest(R"(
bodies:
  ground: {shape: {ring: 0.5}}
  ball: {mass: 2, inertia: 1e-3, shape: {circle: 0.05}, initial: {position: [0.3, -0.2]}}
laws: {dead: {restitution: 0}}
contacts: {bowl: {between: [ball, ground], law: dead}}
)");
  EXPECT_NEAR(a.start.q[0], 0, 1e-12);
  EXPECT_NEAR(a.start.q[1], -0.45, 1e-13);
  EXPECT_NEAR(load(a, "bowl"), 2 * g, 1e-9);
  EXPECT_FALSE(a.report.rest->equilibrium.escape);
}

/// A pendulum behind gears of any ratio, with and without play, sinks in as many moves.
TEST(Equilibrium, TakesNoMoreMovesBehindAGear) {
  const auto rest = [](double ratio, const char* more) {
    return at_rest(fmt::format(R"(
bodies:
  arm: {{mass: 1, inertia: 0.01, com: [0.5, 0]}}
  wheel: {{mass: 0.1, inertia: 1e-4}}
  rotor: {{mass: 0.1, inertia: 1e-4}}
laws: {{steel: {{}}}}
joints:
  a: {{type: revolute, between: [ground, arm], initial: {{angle: -5 deg}}}}
  w: {{type: revolute, between: [ground, wheel]}}
  r: {{type: revolute, between: [ground, rotor]}}
  first: {{type: coupling, coordinates: [a.q, w.q], ratio: {}}}
  second: {{type: coupling, coordinates: [w.q, r.q], ratio: -{}{}}}
forces: {{return: {{type: joint_spring, joint: r, stiffness: 1e-13}}}}
)",
                               ratio, ratio, more));
  };
  const int direct = rest(1, "").report.rest->equilibrium.iterations;
  for (const char* play : {"", ", clearance: {gap: 0.01, law: steel}"})
    for (const double ratio : {10.0, 100.0}) {
      SCOPED_TRACE(fmt::format("{} {}", ratio, play));
      const Assembly a = rest(ratio, play);
      EXPECT_LT(a.report.rest->equilibrium.iterations, 2 * direct);
      EXPECT_NEAR(a.start.q[0], -std::numbers::pi / 2, 1e-3);
    }
}

/// A spindle of 2 mm per turn under a weight.
TEST(Equilibrium, TakesNoMoreMovesBehindAScrew) {
  const Assembly a = at_rest(R"(
bodies: {nut: {mass: 10, inertia: 0.1}, spindle: {mass: 1, inertia: 1e-3}}
joints:
  s: {type: revolute, between: [ground, spindle]}
  n: {type: prismatic, between: [ground, nut], axis: [0, 1]}
  thread: {type: coupling, coordinates: [s.q, n.q], ratio: 2 mm/rev}
forces: {spring: {type: joint_spring, joint: n, stiffness: 500 N/m}}
)");
  EXPECT_NEAR(a.start.q[1], -10 * g / 500, 1e-9);
  EXPECT_NEAR(a.start.q[0], a.start.q[1] / 0.002 * 2 * std::numbers::pi, 1e-5);
  EXPECT_LT(a.report.rest->equilibrium.iterations, 200);
}

TEST(Equilibrium, APreloadedSpringStaysAtRestUntilItsPreloadIsExceeded) {
  const auto position = [](double preload) {
    return at_rest(fmt::format(R"(
bodies: {{weight: {{mass: 2, inertia: 1}}}}
joints: {{guide: {{type: prismatic, between: [ground, weight], axis: [0, -1], initial: {{position: 0.02}}}}}}
forces: {{spring: {{type: preloaded_spring, joint: guide, stiffness: 500, preload: {}}}}}
)",
                               preload))
        .start.q[0];
  };
  EXPECT_NEAR(position(30), 0, 1e-12);
  EXPECT_NEAR(position(10), (2 * g - 10) / 500, 1e-12);
}

/// A parallelogram hangs by two loops' rows; a spring pulls it aside. In both coordinates.
TEST(Equilibrium, ALoopRestsWhereItsSpringBalancesItsWeight) {
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const Assembly a = at_rest(fmt::format(R"(
bodies:
  left: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
  right: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
  coupler: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{angle: -30 deg}}}}
  B: {{type: revolute, between: [left, coupler], at: [[1, 0], [0, 0]], initial: {{angle: 30 deg}}}}
  C: {{type: revolute, between: [ground, right], at: [[1, 0], [0, 0]], initial: {{angle: -30 deg}}}}
  D: {{type: revolute, between: [right, coupler], at: [[1, 0], [1, 0]]}}
forces: {{spring: {{type: torsion_spring, between: [ground, left], stiffness: 12, angle: 0.2}}}}
simulation: {{coordinates: {}}}
)",
                                           coordinates));
    const double angle = motion_of(*a.system, a.start, 0).angle;
    EXPECT_NEAR(12 * (angle - 0.2) + 2 * g * std::cos(angle), 0, 1e-10);
    EXPECT_NEAR(motion_of(*a.system, a.start, 1).angle, angle, 1e-12);
    EXPECT_FALSE(a.report.rest->equilibrium.escape);
  }
}

/// A journal hangs in its bearing, and hangs the rod below it: two contacts, one on the other.
TEST(Equilibrium, PlaysAreTakenUpInTheDirectionOfTheLoad) {
  for (const char* law : {"restitution: 0", "model: kelvin-voigt, stiffness: 1e7, damping: 100"}) {
    SCOPED_TRACE(law);
    const bool rigid = law[0] == 'r';
    const Assembly a = at_rest(fmt::format(R"(
bodies: {{upper: {{mass: 1, inertia: 0.1, com: [0, -0.5]}}, lower: {{mass: 2, inertia: 0.1, com: [0, -0.5]}}}}
joints:
  one: {{type: revolute, between: [ground, upper], initial: {{angle: 0.4}}, clearance: {{gap: 1 mm, law: l}}}}
  two: {{type: revolute, between: [upper, lower], at: [[0, -1], [0, 0]], initial: {{angle: -0.9}},
        clearance: {{gap: 1 mm, law: l}}}}
laws: {{l: {{{}}}}}
simulation: {{method: {}}}
)",
                                           law, rigid ? "moreau" : "compliant"));
    const BodyMotion upper = motion_of(*a.system, a.start, 0),
                     lower = motion_of(*a.system, a.start, 1);
    const double yield = rigid ? 0 : 1e-7;
    EXPECT_NEAR(upper.angle, 0, 1e-10);
    EXPECT_NEAR(lower.angle, 0, 1e-10);
    EXPECT_NEAR(upper.p_W.y(), -1e-3 - 3 * g * yield, 1e-12);
    EXPECT_NEAR(lower.p_W.y(), -1e-3 - 3 * g * yield - 1 - 1e-3 - 2 * g * yield, 1e-12);
    EXPECT_NEAR(load(a, "one.1"), 3 * g, 1e-7);
    EXPECT_NEAR(load(a, "two.1"), 2 * g, 1e-7);
  }
}

TEST(Equilibrium, ARunThatBeginsThereStaysThere) {
  const std::string model = R"(
bodies:
  ground: {shapes: {left: {line: {normal: [0.5, 0.8]}}, right: {line: {normal: [-0.3, 0.8]}}}}
  ball: {mass: 2, inertia: 1e-3, shape: {circle: 0.05}, initial: {position: [0.02, 0.2]}}
contacts:
  left: {between: [ball, ground.left], law: l}
  right: {between: [ball, ground.right], law: l}
)";
  const Assembly rigid = at_rest(model + "laws: {l: {restitution: 0.5}}\n");
  int events = 0;
  const State end =
      run(*rigid.system, rigid.start, 1e-3, 1, {}, [&](const State&, const StepResult& r) {
        events += static_cast<int>(r.released.size());
        for (const ContactOutcome& c : r.contacts) events += c.state == ContactState::impact;
      });
  EXPECT_LT((end.q - rigid.start.q).norm(), 1e-12);
  EXPECT_EQ(events, 0);
  const Assembly soft =
      at_rest(model +
              "laws: {l: {model: impact, stiffness: 1e8 N/m^1.5, damping: 100, depth: 0.1 mm}}\n"
              "simulation: {method: compliant}\n");
  State state = soft.start;
  Compliant integrator(*soft.system, {});
  simulate(integrator, state, 1, [](const State&, const StepResult&) {});
  EXPECT_LT((state.q - soft.start.q).norm(), 1e-10);
}

/// A disc on both sides of a hollow, pushed sideways: by statics the forces are
/// (weight/cos ± side/sin)/2 with the slope of the sides. Whatever the step, no contact
/// begins or ends.
TEST(Equilibrium, ADiscStaysInAHollowFromTheFirstStepOn) {
  const Assembly a = at_rest(R"(
profiles:
  bean: {periodic: true, points: [[0.9, 0.1], [0.5, -0.6], [-0.5, -0.6], [-0.9, 0.1], [-0.7, 0.8],
                                  [-0.2, 0.2], [0.2, 0.2], [0.7, 0.8]]}
bodies:
  ground: {shape: {profile: bean}}
  disc: {mass: 2, inertia: 0.02, shape: {circle: 0.5}, initial: {position: [0.05, 1.1]}}
forces: {side: {type: force, body: disc, force: [4, 0]}}
laws: {dead: {restitution: 0.5}}
contacts: {groove: {between: [disc, ground], law: dead}}
)");
  std::vector<ContactFrame> frames;
  a.system->find_contacts(configuration(*a.system, a.start), 1e-9, {}, frames);
  ASSERT_EQ(frames.size(), 2u);
  const double s = std::abs(frames[0].n_W.x()), c = std::abs(frames[0].n_W.y());
  std::vector<double> loads{load(a, "groove.1"), load(a, "groove.2")};
  std::ranges::sort(loads);
  EXPECT_NEAR(loads[0], (2 * g / c - 4 / s) / 2, 1e-9);
  EXPECT_NEAR(loads[1], (2 * g / c + 4 / s) / 2, 1e-9);
  for (const double step : {1e-2, 4e-3, 1e-3}) {
    SCOPED_TRACE(step);
    const State end =
        run(*a.system, a.start, step, 100 * step, {}, [&](const State& state, const StepResult& r) {
          EXPECT_EQ(r.contacts.size(), 2u) << state.t;
          for (const ContactOutcome& contact : r.contacts)
            EXPECT_TRUE(lasts(contact.state)) << state.t;
        });
    // The first step does not know the forces of a step before it, and moves by an error of
    // order 4.
    EXPECT_LT((end.q - a.start.q).norm(), 5 * std::pow(step, 4) + 1e-13);
    EXPECT_LT(end.u.norm(), 1e-12);
  }
}

/// A spring against an attraction by 1/length²: at rest where x (0.2 − x)² = 1e-3, the roots
/// (3 − √5)/20 and 0.1; beyond the second the attraction wins.
TEST(Equilibrium, IsRefusedWhereAForceGrowsWithoutBound) {
  const auto begin_at = [](const std::string& x) {
    return at_rest(R"(
bodies: {iron: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, iron], initial: {position: )" +
                   x + R"(}}}
forces:
  spring: {type: joint_spring, joint: guide, stiffness: 1000 N/m}
  magnet: {type: tension, between: [ground, iron], at: [[0.2, 0], [0, 0]], tension: 1 N*m^2/length^2}
)");
  };
  for (const char* x : {"0", "0.05", "0.0999"})
    EXPECT_NEAR(begin_at(x).start.q[0], (3 - std::sqrt(5)) / 20, 1e-12) << x;
  EXPECT_EQ(begin_at("0.1").report.rest->equilibrium.stability, Stability::unstable);
  for (const char* x : {"0.1001", "0.1055", "0.12", "0.15", "0.19", "0.1999999"})
    EXPECT_THAT([&] { begin_at(x); },
                ThrowsMessage<InputError>(HasSubstr("a force grows without bound")))
        << x;
}

TEST(Equilibrium, IsRefusedWhereThereIsNone) {
  EXPECT_THAT(
      [] {
        at_rest(R"(
bodies: {stone: {mass: 1, inertia: 1}}
joints: {fall: {type: prismatic, between: [ground, stone], axis: [0, 1]}}
)");
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("model.yaml:3:10"), HasSubstr("no equilibrium"), HasSubstr("'fall.u'"))));
  EXPECT_THAT(
      [] {
        at_rest(R"(
bodies: {rod: {mass: 1, inertia: 0.1, com: [0, -0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], initial: {angle: 1, speed: 2}}}
)");
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("joint 'pin' has an initial speed"), HasSubstr("initial: equilibrium"))));
}

}  // namespace
}  // namespace backlash::test::equilibrium
