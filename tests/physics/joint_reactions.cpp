// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/last_step.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::joint_reactions {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

/// Those after the last step of a run, and the states around it.
struct End {
  State before, now;
  Outputs outputs;
  double middle() const { return 0.5 * (before.t + now.t); }
};

End run_to(const Assembly& assembly, double step, double until) {
  End end{.before = assembly.start, .now = assembly.start, .outputs = {}};
  run(*assembly.system, assembly.start, step, until, {},
      [&](const State& state, const StepResult&) {
        std::swap(end.before, end.now);
        end.now = state;
      });
  end.outputs = outputs_of(*assembly.system, end.before, end.now);
  return end;
}

std::string with(const std::string& text, const std::string& coordinates) {
  return text + fmt::format("simulation: {{coordinates: {}}}\n", coordinates);
}

/// A bar released at 60° from hanging, its centre 0.8 m below the pin; the joint given either way
/// round.
TEST(JointReaction, OfAPendulumIsTheCentripetalForceAndWhatItsWeightLeavesOver) {
  const double m = 1.5, l = 0.8, J = 0.2;
  for (const char* bodies : {"[ground, bar]", "[bar, ground]"})
    for (const char* coordinates : {"joint", "absolute"}) {
      SCOPED_TRACE(fmt::format("{} {}", bodies, coordinates));
      const double sign = std::string(bodies) == "[ground, bar]" ? 1 : -1;  // what B feels
      const Assembly assembly = assembled(with(
          fmt::format("gravity: [0, -9.81]\n"
                      "bodies: {{bar: {{mass: 1.5, inertia: 0.2, com: [0, -0.8]}}}}\n"
                      "joints: {{pin: {{type: revolute, between: {}, initial: {{angle: {}}}}}}}\n",
                      bodies, sign * pi / 3),
          coordinates));
      const End end = run_to(assembly, 1e-4, 0.4);
      const double theta = 0.5 * (motion_of(*assembly.system, end.before).angle +
                                  motion_of(*assembly.system, end.now).angle);
      const double about_pin = J + m * l * l;
      const double omega2 = 2 * m * g * l / about_pin * (std::cos(theta) - std::cos(pi / 3));
      const double alpha = -m * g * l / about_pin * std::sin(theta);
      const double along = m * (g * std::cos(theta) + l * omega2);  // towards the pin
      const double across = m * (g * std::sin(theta) + l * alpha);  // along growing θ
      EXPECT_NEAR(end.outputs.at("pin.fx"),
                  sign * (-along * std::sin(theta) + across * std::cos(theta)), 1e-5);
      EXPECT_NEAR(end.outputs.at("pin.fy"),
                  sign * (along * std::cos(theta) + across * std::sin(theta)), 1e-5);
      EXPECT_NEAR(end.outputs.at("pin.torque"), 0, 1e-10);
    }
}

TEST(JointReaction, OfABallOnAThreadIsItsTension) {
  const double m = 1.5, l = 0.8;
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies: {ball: {mass: 1.5, inertia: 0, com: [0, -0.8]}}
joints: {pin: {type: revolute, between: [ground, ball], initial: {angle: 60 deg}}}
)");
  const End end = run_to(assembly, 1e-4, 0.4);
  const double theta = 0.5 * (end.before.q[0] + end.now.q[0]);
  const double omega2 = 2 * g / l * (std::cos(theta) - std::cos(pi / 3));
  const double tension = m * (g * std::cos(theta) + l * omega2);
  EXPECT_NEAR(end.outputs.at("pin.fx"), -tension * std::sin(theta), 1e-5);
  EXPECT_NEAR(end.outputs.at("pin.fy"), tension * std::cos(theta), 1e-5);
}

TEST(JointReaction, OfACantileverIsTheWeightAndItsMoment) {
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(with(R"(
gravity: [0, -9.81]
bodies:
  arm: {mass: 2, inertia: 0.1, com: [0.3, 0]}
  tip: {mass: 1, inertia: 0.1}
  falling: {mass: 1, inertia: 1}
joints:
  wall: {type: fixed, between: [ground, arm], at: [[1, 0], [0, 0]]}
  end: {type: fixed, between: [tip, arm], at: [[0, 0], [0.5, 0]]}
)",
                                             coordinates));
    const End end = run_to(assembly, 1e-3, 0.01);
    EXPECT_NEAR(end.outputs.at("wall.fx"), 0, 1e-9);
    EXPECT_NEAR(end.outputs.at("wall.fy"), 3 * g, 1e-9);
    EXPECT_NEAR(end.outputs.at("wall.torque"), g * (2 * 0.3 + 1 * 0.5), 1e-9);
    EXPECT_NEAR(end.outputs.at("end.fy"), -1 * g, 1e-9);  // the tip hangs on the arm, which is B
    EXPECT_NEAR(end.outputs.at("end.torque"), 0, 1e-9);
  }
}

TEST(JointReaction, OfARailHoldsWhatActsAcrossItAndTheMomentAboutQ) {
  for (const char* bodies : {"[ground, block]", "[block, ground]"})
    for (const char* coordinates : {"joint", "absolute"}) {
      SCOPED_TRACE(fmt::format("{} {}", bodies, coordinates));
      const Assembly assembly = assembled(with(fmt::format(R"(
gravity: [0, -9.81]
bodies: {{block: {{mass: 2, inertia: 0.1}}}}
joints:
  rail: {{type: prismatic, between: {}, axis: [1, 0], friction: {{strength: 3}}}}
forces: {{push: {{type: force, body: block, at: [0, 0.2], force: [5, 0]}}}}
)",
                                                           bodies),
                                               coordinates));
      const End end = run_to(assembly, 1e-3, 0.5);
      const bool on_block = std::string(bodies) == "[ground, block]";
      const double sign = on_block ? 1 : -1;
      // Q is the block's origin, or the ground's, from which the block has moved by x.
      const double x = 0.5 * (motion_of(*assembly.system, end.before).p_W.x() +
                              motion_of(*assembly.system, end.now).p_W.x());
      const double about_block = 5 * 0.2;
      EXPECT_NEAR(end.now.u[0], (on_block || end.now.u.size() == 3 ? 1 : -1) * (5 - 3) / 2.0 * 0.5,
                  1e-9);
      EXPECT_NEAR(end.outputs.at("rail.fx"), -sign * 3, 1e-9);
      EXPECT_NEAR(end.outputs.at("rail.fy"), sign * 2 * g, 1e-9);
      EXPECT_NEAR(end.outputs.at("rail.torque"),
                  on_block ? about_block : -(about_block + x * 2 * g), 1e-5);
    }
}

TEST(JointReaction, OfADrivenJointIsWhatTheDriveTakes) {
  // θ = ½ α t²: the torque is J α about the pin, and the weight's moment.
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(with(R"(
gravity: [0, -9.81]
bodies: {arm: {mass: 2, inertia: 0.1, com: [0.3, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], drive: {angle: 3*t^2}}}
)",
                                             coordinates));
    const End end = run_to(assembly, 1e-4, 0.3);
    const double t = end.middle(), theta = 3 * t * t;
    EXPECT_NEAR(end.outputs.at("pin.torque"),
                6 * (0.1 + 2 * 0.3 * 0.3) + 2 * g * 0.3 * std::cos(theta), 1e-5);
  }
}

TEST(JointReaction, OfAFourBarAtRestIsThatOfStatics) {
  // A square frame of bars, held by a drive at the crank: the coupler's weight goes to both sides.
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(with(R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.1, com: [0.25, 0]}
  coupler: {mass: 4, inertia: 0.1, com: [0.25, 0]}
  rocker: {mass: 1, inertia: 0.1, com: [0.25, 0]}
joints:
  A: {type: revolute, between: [ground, crank], drive: {angle: pi/2 + 0*t}}
  B: {type: revolute, between: [crank, coupler], at: [[0.5, 0], [0, 0]], initial: {angle: -pi/2}}
  C: {type: revolute, between: [coupler, rocker], at: [[1, 0], [0.5, 0]], initial: {angle: pi/2}}
  D: {type: revolute, between: [ground, rocker], at: [[1, 0], [0, 0]], initial: {angle: pi/2}}
)",
                                             coordinates));
    const End end = run_to(assembly, 1e-4, 0.01);
    // The coupler, its weight at a quarter of its length, rests on B (3/4) and C (1/4).
    EXPECT_NEAR(end.outputs.at("B.fy"), 4 * g * 0.75, 1e-7);
    EXPECT_NEAR(end.outputs.at("C.fy"), -4 * g * 0.25, 1e-7);
    EXPECT_NEAR(end.outputs.at("A.fy"), g + 4 * g * 0.75, 1e-7);
    EXPECT_NEAR(end.outputs.at("D.fy"), g + 4 * g * 0.25, 1e-7);
    for (const char* name : {"A.fx", "B.fx", "C.fx", "D.fx", "A.torque", "B.torque"})
      EXPECT_NEAR(end.outputs.at(name), 0, 1e-7) << name;
  }
}

const std::string slider_crank = ideal_slider_crank(150);

TEST(JointReaction, OfASliderCrankIsTheSameInBothCoordinatesToSecondOrder) {
  const Assembly by_joints = assembled(with(slider_crank, "joint"));
  const Assembly absolute = assembled(with(slider_crank, "absolute"));
  const auto difference = [&](double step) {
    const End one = run_to(by_joints, step, 0.01), other = run_to(absolute, step, 0.01);
    double most = 0;
    for (const char* joint : {"main", "big", "small", "guide"})
      for (const char* quantity : {"fx", "fy", "torque"}) {
        const std::string name = fmt::format("{}.{}", joint, quantity);
        most = std::max(most, std::abs(one.outputs.at(name) - other.outputs.at(name)));
      }
    EXPECT_GT(std::abs(one.outputs.at("guide.fy")), 1);
    return most;
  };
  const double coarse = difference(2e-5), fine = difference(1e-5);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.5);
}

TEST(JointReaction, BalancesMassTimesAccelerationOfEveryBody) {
  // With impacts: whatever the contacts do, the forces on a body make up its acceleration.
  std::string rattling = slider_crank;
  rattling.replace(rattling.rfind("slider]}"), 8,
                   "slider], clearance: {length: 0.1, width: 0.05, gap: 1 mm, law: steel}}");
  const Assembly assembly =
      assembled(rattling + "laws: {steel: {restitution: 0.4, friction: 0.1}}\n");
  const System& system = *assembly.system;
  State before = assembly.start;
  int impacts = 0;
  run(system, assembly.start, 1e-5, 0.01, {}, [&](const State& now, const StepResult& result) {
    const Outputs o = outputs_of(system, before, now);
    const Vec3 a = (motion_of(system, now, 2).v_W - motion_of(system, before, 2).v_W) / result.step;
    const double size = 1 + std::abs(o.at("guide.fy")) + std::abs(o.at("small.fy"));
    EXPECT_NEAR(o.at("guide.fx") + o.at("small.fx"), 0.076 * a.x(), 2e-2 * size);
    EXPECT_NEAR(o.at("guide.fy") + o.at("small.fy"), 0.076 * (a.y() + g), 2e-2 * size);
    EXPECT_EQ(o.at("small.torque"), 0);
    for (const ContactOutcome& c : result.contacts) impacts += c.state == ContactState::impact;
    before = now;
  });
  EXPECT_GT(impacts, 4);
}

TEST(JointReaction, OfGearsAndRacksIsWhatTheySendOn) {
  constexpr const char* text = R"(
bodies: {{one: {{mass: 1, inertia: 0.2}}, two: {{mass: 1, inertia: 0.3}}, rack: {{mass: 2, inertia: 1}}}}
joints:
  a: {{type: revolute, between: [ground, one]}}
  b: {{type: revolute, between: [ground, two], at: [[1, 0], [0, 0]]}}
  rail: {{type: prismatic, between: [ground, rack]}}
  mesh: {{type: gear, joints: [a, b], ratio: -2{}}}
  teeth: {{type: rack, pinion: a, rack: rail, radius: 0.1}}
forces: {{motor: {{type: torque, body: one, torque: 1}}}}
laws: {{steel: {{restitution: 0}}}}
)";
  const double acceleration = 1 / (0.2 + 4 * 0.3 + 0.01 * 2);
  for (const char* clearance : {"", ", clearance: {gap: 0, law: steel}"}) {
    const Assembly assembly = assembled(fmt::format(text, clearance));
    const End end = run_to(assembly, 1e-3, 0.1);
    EXPECT_NEAR(end.outputs.at("mesh.torque"), -2 * acceleration * 0.3, 1e-9);
    EXPECT_NEAR(end.outputs.at("teeth.force"), 0.1 * acceleration * 2, 1e-9);
    EXPECT_EQ(end.outputs.count("mesh.play"), std::string(clearance).empty() ? 0u : 1u);
  }
}

TEST(JointOutput, TellsTheCoordinatesOfJointsOutsideOfTheTree) {
  const Assembly by_joints = assembled(with(slider_crank, "joint"));
  const Assembly absolute = assembled(with(slider_crank, "absolute"));
  const End one = run_to(by_joints, 1e-5, 5e-3), other = run_to(absolute, 1e-5, 5e-3);
  EXPECT_EQ(one.outputs.count("big.q"), 0u);
  EXPECT_NEAR(other.outputs.at("big.q"), one.now.q[1], 1e-6);
  EXPECT_NEAR(other.outputs.at("big.u"), one.now.u[1], 1e-3);
  const Vec3 slider = motion_of(*by_joints.system, one.now, 2).p_W;
  EXPECT_NEAR(one.outputs.at("guide.q"), slider.x(), 1e-15);
}

TEST(JointOutput, TellsWhereAJournalLiesInItsBearing) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies: {wheel: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, wheel],
               clearance: {gap: 0.5 mm, journal_radius: 10 mm, law: steel}}}
laws: {steel: {restitution: 0}}
)");
  const End falling = run_to(assembly, 1e-4, 5e-3), lying = run_to(assembly, 1e-5, 0.02);
  EXPECT_NEAR(falling.outputs.at("pin.ey"), -0.5 * g * 25e-6, 1e-8);
  EXPECT_NEAR(falling.outputs.at("pin.fy"), 0, 1e-12);
  EXPECT_NEAR(lying.outputs.at("pin.eccentricity"), 0.5e-3, 1e-6);
  EXPECT_NEAR(lying.outputs.at("pin.eccentricity_ratio"), 1, 2e-3);
  EXPECT_NEAR(lying.outputs.at("pin.contact_angle"), -pi / 2, 1e-9);
  EXPECT_NEAR(lying.outputs.at("pin.fy"), g, 1e-6);
}

/// A slider of 100 × 50 mm with 1 mm of play; scenarios of paper 001, fig. 8.
TEST(JointOutput, TellsWhichCornersOfASliderTouch) {
  const auto outputs_at = [](double y, double angle) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies: {{slider: {{mass: 1, inertia: 1e-3, initial: {{position: [0, {}], angle: {}}}}}}}
joints:
  place: {{type: planar, between: [ground, slider], initial: {{position: [0, {}], angle: {}}}}}
  guide: {{type: prismatic, between: [ground, slider],
          clearance: {{gap: 1 mm, length: 100 mm, width: 50 mm, law: steel}}}}
laws: {{steel: {{}}}}
simulation: {{initial_penetration: 1e-5}}
)",
                                                    y, angle, y, angle));
    return outputs_of(*assembly.system, assembly.start, assembly.start);
  };
  const auto scenario = [&](double y, double angle) {
    return outputs_at(y, angle).at("guide.scenario");
  };
  EXPECT_EQ(scenario(0, 0), 0);
  EXPECT_EQ(scenario(0.5e-3, 0), 0);
  EXPECT_EQ(scenario(1e-3, 0), 2);   // a face
  EXPECT_EQ(scenario(-1e-3, 0), 2);  // the other face
  const double a = 0.05, b = 0.025, c = 1e-3, tilt = 0.01;
  // Corner 2, at the far end of the upper side, touches where y + a sin φ + b cos φ = b + c.
  EXPECT_EQ(scenario(b + c - a * std::sin(tilt) - b * std::cos(tilt), tilt), 1);
  // Opposite corners: a sin φ + b cos φ = b + c at y = 0.
  const double jammed = std::asin((b + c) / std::hypot(a, b)) - std::atan2(b, a);
  EXPECT_EQ(scenario(0, jammed), 3);
  const Outputs o = outputs_at(0.5e-3, 0.004);
  EXPECT_NEAR(o.at("guide.offset"), 0.5e-3, 1e-15);
  EXPECT_NEAR(o.at("guide.tilt"), 0.004, 1e-15);
  const double across = b * std::cos(0.004), along = a * std::sin(0.004);
  EXPECT_NEAR(o.at("guide.gap1"), (b + c - (0.5e-3 - along + across)) / c, 1e-12);
  EXPECT_NEAR(o.at("guide.gap2"), (b + c - (0.5e-3 + along + across)) / c, 1e-12);
  EXPECT_NEAR(o.at("guide.gap3"), (b + c + (0.5e-3 - along - across)) / c, 1e-12);
  EXPECT_NEAR(o.at("guide.gap4"), (b + c + (0.5e-3 + along - across)) / c, 1e-12);
}

}  // namespace
}  // namespace backlash::test::joint_reactions
