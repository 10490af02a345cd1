// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/assemble.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"
#include "support/refusal.h"

namespace backlash {
namespace {

using test::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Joint revolute(const std::string& name, const std::string& A, const std::string& B, Vec2 p_AP,
               Vec2 p_BQ) {
  return {.name = name, .body_A = A, .body_B = B, .kind = Revolute{in_space(p_AP), in_space(p_BQ)}};
}

Body bar(const std::string& name, double length, double mass) {
  return {.name = name,
          .mass = mass,
          .inertia = {.zz = mass * length * length / 12},
          .com = Vec3(length / 2, 0, 0)};
}

Model slider_crank_model(Coordinates coordinates) {
  const SliderCrankData d;
  Model model{.title = "slider-crank", .gravity = Vec3(0, -d.gravity, 0)};
  model.bodies = {{.name = "crank", .com = Vec3(d.crank_length / 2, 0, 0)},
                  {.name = "rod", .com = Vec3(d.rod_length / 2, 0, 0)},
                  {.name = "slider"}};
  for (std::size_t i = 0; i < 3; ++i) {
    model.bodies[i].mass = d.mass[i];
    model.bodies[i].inertia.zz = d.inertia[i];
  }
  const Vec2 origin = Vec2::Zero();
  model.joints = {revolute("main", "ground", "crank", origin, origin),
                  revolute("big", "crank", "rod", Vec2(d.crank_length, 0), origin),
                  revolute("small", "rod", "slider", Vec2(d.rod_length, 0), origin),
                  {.name = "guide", .body_A = "ground", .body_B = "slider", .kind = Prismatic{}}};
  const double speeds[] = {150, -225, 75};
  for (std::size_t i = 0; i < 3; ++i) model.joints[i].initial[0] = {0.0, speeds[i]};
  model.joints[3].clearance = PrismaticClearance{
      .gap = d.clearance, .length = 2 * d.half_length, .width = 2 * d.half_width, .law = "steel"};
  model.laws = {{"steel", d.law}};
  model.simulation.coordinates = coordinates;
  return model;
}

double angle_of(const System& system, const State& state, int body) {
  return system.body_motion(configuration(system, state.t, state.q), state.u, body).angle;
}

TEST(Assemble, SliderCrankMovesAsTheHandDerivedOneDoes) {
  const Assembly assembly = assemble(slider_crank_model(Coordinates::joint));
  const SliderCrank by_hand;
  EXPECT_EQ(assembly.report.dofs, 3);
  EXPECT_EQ(assembly.report.dofs_by_counting, 3);
  EXPECT_THAT(assembly.report.loops, ElementsAre());
  Moreau one(*assembly.system, {}), other(by_hand, {});
  State a = assembly.start, b = slider_crank_start(by_hand);
  for (int n = 0; n < 1000; ++n) {
    const StepResult& r = one.step(a, 1e-5);
    const StepResult& s = other.step(b, 1e-5);
    ASSERT_EQ(r.contacts.size(), s.contacts.size());
    for (std::size_t i = 0; i < r.contacts.size(); ++i) {
      EXPECT_EQ(
          assembly.system->info().contacts[static_cast<std::size_t>(r.contacts[i].key.pair)].name,
          by_hand.info().contacts[static_cast<std::size_t>(s.contacts[i].key.pair)].name);
      // A gap is known to some 1e-16 m, and its change is closed in a step of 1e-5 s, by 0.15 kg.
      EXPECT_NEAR(r.contacts[i].impulse[0], s.contacts[i].impulse[0],
                  1e-9 * s.contacts[i].impulse[0] + 1e-11);
      EXPECT_NEAR(r.contacts[i].gamma_after[1], s.contacts[i].gamma_after[1], 1e-9 * 20);
    }
    for (int body = 0; body < 3; ++body) {
      const BodyMotion p =
          assembly.system->body_motion(configuration(*assembly.system, a), a.u, body);
      const BodyMotion q = by_hand.body_motion(configuration(by_hand, b), b.u, body);
      ASSERT_NEAR(p.angle, q.angle, 1e-12) << "step " << n;
      ASSERT_LT((p.p_W - q.p_W).norm(), 1e-12) << "step " << n;
      ASSERT_LT((p.v_W - q.v_W).norm(), 1e-9) << "step " << n;
    }
  }
}

TEST(Assemble, AbsoluteCoordinatesConvergeToJointCoordinates) {
  const auto difference = [](double step) {
    State end[2];
    for (const int k : {0, 1}) {
      const Assembly assembly =
          assemble(slider_crank_model(k == 0 ? Coordinates::joint : Coordinates::absolute));
      if (k == 1) {
        EXPECT_EQ(assembly.report.dofs, 3);
        EXPECT_EQ(assembly.report.loops.size(), 3u);
        EXPECT_THAT(assembly.report.warnings, ElementsAre());  // the joints say where bodies start
      }
      Moreau integrator(*assembly.system, {.step = step});
      end[k] = assembly.start;
      EXPECT_EQ(simulate(integrator, end[k], 2e-3).status, StepStatus::done);  // free flight
      end[k].q[0] = angle_of(*assembly.system, end[k], 0);
    }
    return std::abs(end[0].q[0] - end[1].q[0]);
  };
  const double coarse = difference(2e-5), fine = difference(1e-5);
  EXPECT_LT(fine, 1e-6);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);  // both are of second order
}

/// Crank, coupler and rocker on a frame of length `frame`; the pin between coupler and rocker
/// closes the loop.
Model four_bar(double crank, double coupler, double rocker, double frame) {
  Model model{.title = "four-bar", .gravity = Vec3(0, -9.81, 0)};
  model.bodies = {bar("crank", crank, 1), bar("coupler", coupler, 2), bar("rocker", rocker, 1.5)};
  model.joints = {revolute("a", "ground", "crank", Vec2(0, 0), Vec2(0, 0)),
                  revolute("b", "crank", "coupler", Vec2(crank, 0), Vec2(0, 0)),
                  revolute("d", "ground", "rocker", Vec2(frame, 0), Vec2(0, 0)),
                  revolute("c", "coupler", "rocker", Vec2(coupler, 0), Vec2(rocker, 0))};
  model.joints[0].initial[0] = {std::numbers::pi / 2, 10.0};
  model.joints[2].initial[0] = {1.5, {}};
  return model;
}

TEST(Assemble, FourBarClosesItsLoopAndKeepsWhatWasGiven) {
  Model model = four_bar(0.2, 0.5, 0.4, 0.6);
  model.joints[2].initial[0] = {};  // the crank alone is given: coupler and rocker must follow
  const Assembly assembly = assemble(model);
  EXPECT_EQ(assembly.report.dofs, 1);
  EXPECT_EQ(assembly.report.dofs_by_counting, 1);
  EXPECT_THAT(assembly.report.loops, ElementsAre("c"));
  EXPECT_TRUE(assembly.report.redundant.empty());
  const State& start = assembly.start;
  EXPECT_DOUBLE_EQ(start.q[0], std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(start.u[0], 10);
  Vector errors(2);
  assembly.system->bilateral_errors(configuration(*assembly.system, 0, start.q), errors);
  EXPECT_LT(errors.norm(), 1e-13);
  EXPECT_FALSE(assembly.report.adjusted.empty());
}

TEST(Assemble, FourBarConservesItsEnergyToSecondOrder) {
  const auto imbalance = [](double step) {
    const Assembly assembly = assemble(four_bar(0.2, 0.5, 0.4, 0.6));
    Moreau integrator(*assembly.system, {.step = step});
    State state = assembly.start;
    const EnergyLedger start = energy_ledger(*assembly.system, state);
    EXPECT_EQ(simulate(integrator, state, 0.5).status, StepStatus::done);
    const EnergyLedger end = energy_ledger(*assembly.system, state);
    Vector errors(2);
    assembly.system->bilateral_errors(configuration(*assembly.system, state.t, state.q), errors);
    EXPECT_LT(errors.norm(), 1e-10 * assembly.system->info().length);
    return std::abs(energy_imbalance(start, end)) / start.mechanical();
  };
  const double coarse = imbalance(1e-3), fine = imbalance(5e-4);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.7);
}

TEST(Assemble, AnEventOnTheLoadOfAJointWithoutLockOrDriveIsRefused) {
  for (const char* extra : {"", "  G: {type: prismatic, between: [ground, b], axis: [0, 1]}\n"})
    EXPECT_THAT(
        [&] {
          test::assembled(fmt::format(R"(
bodies: {{b: {{mass: 1, inertia: 0.1}}, c: {{mass: 1, inertia: 0.1}}}}
joints:
  B: {{type: prismatic, between: [ground, c]}}
  A: {{type: prismatic, between: [ground, b]}}
{}events: {{e: {{when: B.load > 3 N, stop: true}}}}
)",
                                      extra));
        },
        ThrowsMessage<InputError>(HasSubstr("joint 'B' has no lock and no drive")));
}

TEST(Assemble, ALoopThatIsTooShortNamesTheJointThatStaysOpen) {
  EXPECT_THAT([] { assemble(four_bar(0.2, 0.1, 0.1, 0.6)); },
              ThrowsMessage<InputError>(HasSubstr("joints.c: the loop cannot be closed")));
}

TEST(Assemble, ParallelogramWithASecondCouplerNamesTheRowThatSaysNothingNew) {
  Model model = four_bar(0.2, 0.6, 0.2, 0.6);
  model.joints[2].initial[0] = {std::numbers::pi / 2, {}};
  model.bodies.push_back(bar("second", 0.6, 1));
  model.joints.push_back(revolute("e", "crank", "second", Vec2(0.1, 0), Vec2(0, 0)));
  model.joints.push_back(revolute("f", "second", "rocker", Vec2(0.6, 0), Vec2(0.1, 0)));
  const Assembly assembly = assemble(model);
  EXPECT_EQ(assembly.report.dofs_by_counting, 0);
  EXPECT_EQ(assembly.report.dofs, 1);
  ASSERT_EQ(assembly.report.redundant.size(), 1u);
  EXPECT_EQ(assembly.report.redundant[0].origin.item, "f");
  Moreau integrator(*assembly.system, {.step = 1e-4});
  State state = assembly.start;
  EXPECT_EQ(simulate(integrator, state, 0.2).status, StepStatus::done);
  EXPECT_NEAR(angle_of(*assembly.system, state, 0), angle_of(*assembly.system, state, 2), 1e-9);
}

TEST(Assemble, JointsMayBeGivenFromTheTipToTheGround) {
  Model forward = slider_crank_model(Coordinates::joint), backward = forward;
  for (std::size_t i = 0; i < 3; ++i) {
    Joint& joint = backward.joints[i];
    auto& pin = std::get<Revolute>(joint.kind);
    std::swap(joint.body_A, joint.body_B);
    std::swap(pin.p_AP, pin.p_BQ);
    joint.initial[0] = {0.0, -*joint.initial[0].speed};
  }
  const Assembly a = assemble(forward), b = assemble(backward);
  Moreau one(*a.system, {.step = 1e-5}), other(*b.system, {.step = 1e-5});
  State p = a.start, q = b.start;
  simulate(one, p, 5e-3);
  simulate(other, q, 5e-3);
  for (int body = 0; body < 3; ++body)
    EXPECT_NEAR(angle_of(*a.system, p, body), angle_of(*b.system, q, body), 1e-12);
  EXPECT_NEAR(p.q[1], -q.q[1], 1e-12);
}

TEST(Assemble, ADrivenCrankFollowsItsFunctionOfTimeAndItsWorkIsBooked) {
  Model model = four_bar(0.2, 0.5, 0.4, 0.6);
  const std::string_view names[] = {"t"};
  model.joints[0].initial[0] = {};
  model.joints[0].drive = Drive{parse_expression("1 + 3*t + sin(5*t)", names)};
  const Assembly assembly = assemble(model);
  EXPECT_NEAR(assembly.start.q[0], 1, 1e-14);
  EXPECT_NEAR(assembly.start.u[0], 8, 1e-12);
  Moreau integrator(*assembly.system, {.step = 1e-4});
  State state = assembly.start;
  const EnergyLedger start = energy_ledger(*assembly.system, state);
  ASSERT_EQ(simulate(integrator, state, 0.7).status, StepStatus::done);
  EXPECT_NEAR(state.q[0], 1 + 3 * 0.7 + std::sin(3.5), 1e-11);
  const EnergyLedger end = energy_ledger(*assembly.system, state);
  EXPECT_GT(std::abs(end.bilaterals), 0.1);
  EXPECT_LT(std::abs(energy_imbalance(start, end)), 1e-4 * std::abs(end.bilaterals));
}

TEST(Assemble, ADriveThatTheLoopAlreadyFixesIsRefused) {
  Model model = four_bar(0.2, 0.5, 0.4, 0.6);
  model.joints[0].initial[0] = {};
  const std::string_view names[] = {"t"};
  model.joints[0].drive = Drive{parse_expression("1 + t", names)};
  model.joints[2].drive = Drive{parse_expression("1.5 + t", names)};
  model.joints[2].initial[0] = {};
  EXPECT_THAT([&] { assemble(model); },
              ThrowsMessage<InputError>(HasSubstr("the drive of joint 'd' has nothing to move")));
}

TEST(Assemble, APendulumBetweenStopsBouncesBackByItsRestitution) {
  Model model{.title = "pendulum"};
  model.bodies = {bar("arm", 1, 1)};
  model.joints = {revolute("pin", "ground", "arm", Vec2(0, 0), Vec2(0, 0))};
  model.joints[0].initial[0] = {0.0, 2.0};
  model.joints[0].limits = Limits{-0.5, 0.5, "rubber"};
  model.laws = {{"rubber", ContactLaw{.restitution = 0.5}}};
  const Assembly assembly = assemble(model);
  EXPECT_EQ(assembly.system->info().contacts[0].name, "pin.lower");
  Moreau integrator(*assembly.system, {.step = 1e-4});
  State state = assembly.start;
  simulate(integrator, state, 0.4);  // hits +0.5 after 0.25 s
  EXPECT_NEAR(state.u[0], -1, 1e-12);
  simulate(integrator, state, 1.5);  // hits −0.5 one second later
  EXPECT_NEAR(state.u[0], 0.5, 1e-12);
}

TEST(Assemble, DryFrictionInAJointStopsItAfterOmegaJOverStrength) {
  Model model{.title = "flywheel"};
  model.bodies = {{.name = "wheel", .mass = 1, .inertia = {.zz = 0.2}}};
  model.joints = {revolute("pin", "ground", "wheel", Vec2(0, 0), Vec2(0, 0))};
  model.joints[0].initial[0] = {0.0, 3.0};
  model.joints[0].friction = JointFriction{0.5};
  const Assembly assembly = assemble(model);
  Moreau integrator(*assembly.system, {.step = 1e-3});
  State state = assembly.start;
  simulate(integrator, state, 1.0);
  EXPECT_NEAR(state.u[0], 3 - 0.5 / 0.2, 1e-12);
  simulate(integrator, state, 2.0);
  EXPECT_NEAR(state.u[0], 0, 1e-14);
  EXPECT_NEAR(state.q[0], 0.5 * 3 * 3 * 0.2 / 0.5, 1e-3);
}

TEST(Assemble, ASpringedMassSwingsAtItsFrequency) {
  Model model{.title = "oscillator"};
  model.bodies = {{.name = "mass", .mass = 2, .inertia = {.zz = 1}}};
  model.joints = {{.name = "rail", .body_A = "ground", .body_B = "mass", .kind = Prismatic{}}};
  model.joints[0].initial[0] = {0.1, 0.0};
  Force spring{.name = "spring"};
  spring.element =
      Spring{.from = {"ground", Vec3(-1, 0, 0)}, .to = {"mass"}, .stiffness = 50, .length = 1};
  model.forces = {spring};
  const Assembly assembly = assemble(model);
  Moreau integrator(*assembly.system, {.step = 1e-4});
  State state = assembly.start;
  simulate(integrator, state, 1);
  EXPECT_NEAR(state.q[0], 0.1 * std::cos(5), 1e-7);
}

TEST(Assemble, ABoxFallsOnALineByItsTwoCorners) {
  Model model{.title = "box", .gravity = Vec3(0, -9.81, 0)};
  model.bodies = {{.name = "box", .mass = 2, .inertia = {.zz = 0.1}}};
  model.bodies[0].shapes = {{.name = "outline", .shape = box(0.4, 0.2)}};
  model.bodies[0].initial = InitialMotion{.X_WB = planar_pose({0, 0.1}, 0)};
  model.ground.shapes = {{.name = "floor", .shape = Line{}}};
  model.contacts = {
      {.name = "feet", .A = {{"ground", "floor"}}, .B = {{"box", "outline"}}, .law = "wood"}};
  model.laws = {{"wood", ContactLaw{.restitution = 0, .friction = 0.5}}};
  const Assembly assembly = assemble(model);
  EXPECT_EQ(candidates(assembly.system->info()), 4);
  Moreau integrator(*assembly.system, {.step = 1e-3});
  State state = assembly.start;
  double force = 0;
  simulate(integrator, state, 0.2, [&](const State&, const StepResult& result) {
    force = 0;
    for (const ContactOutcome& contact : result.contacts) force += contact.impulse[0] / result.step;
  });
  EXPECT_NEAR(force, 2 * 9.81, 1e-9);
  EXPECT_NEAR(state.q[1], 0.1, 1e-9);
  EXPECT_NEAR(state.q[2], 0, 1e-12);
}

TEST(Assemble, InitialMotionOfACarriedBodyIsNotDroppedInSilence) {
  Model model = slider_crank_model(Coordinates::joint);
  model.bodies[1].initial.emplace();
  EXPECT_THAT(assemble(model).report.warnings,
              ElementsAre(HasSubstr("'" + model.bodies[1].name + "' is carried by joint")));
}

/// A drive holds its coordinate also where the joint closes a loop.
TEST(Assemble, InitialValuesOfALoopJointAreUsedWhereItIsDriven) {
  const auto warnings = [](const std::string& drive) {
    return test::assembled(fmt::format(R"(
parameters: {{speed: 1}}
bodies:
  crank: {{mass: 1, inertia: 1}}
  coupler: {{mass: 1, inertia: 1}}
  rocker: {{mass: 1, inertia: 1}}
joints:
  A: {{type: revolute, between: [ground, crank], initial: {{angle: 60 deg}}}}
  B: {{type: revolute, between: [crank, coupler], at: [[1, 0], [0, 0]], initial: {{angle: -50 deg}}}}
  C: {{type: revolute, between: [coupler, rocker], at: [[2, 0], [1.5, 0]],
      initial: {{angle: 60 deg}}}}
  D: {{type: revolute, between: [ground, rocker], at: [[2, 0], [0, 0]],
      initial: {{angle: 1.2, speed: 1}}{}}}
)",
                                       drive))
        .report.warnings;
  };
  EXPECT_THAT(warnings(", drive: {angle: 1.2 + speed*t}"), ElementsAre());
  EXPECT_THAT(warnings(""), ElementsAre(HasSubstr("its initial values are not used")));
}

TEST(Assemble, InitialOverlapNamesThePairAndTheDepth) {
  Model model = slider_crank_model(Coordinates::joint);
  model.joints[0].initial[0].position = 0.1;
  EXPECT_THAT([&] { assemble(model); },
              ThrowsMessage<InputError>(HasSubstr("'guide.1' overlaps by")));
}

TEST(Assemble, OverlapIsToldWithItsPlaceInTheFileItsPairAndItsUnit) {
  EXPECT_EQ(refusal(R"(
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.095]}}
contacts:
  hit: {between: [ball, ground.floor], law: steel}
laws: {steel: {}}
)"),
            "model.yaml:7:8: contacts.hit: contact 'hit' overlaps by 0.005 m at the start; at most "
            "1e-06 m is allowed (simulation.initial_penetration)");
  EXPECT_THAT(refusal(R"(
bodies: {arm: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, arm], initial: {angle: 1}, limits: {upper: 0.75, law: steel}}}
laws: {steel: {}}
)"),
              HasSubstr("joints.pin: contact 'pin.upper' overlaps by 0.25 rad at the start"));
}

TEST(Assemble, ABodyThatCanMoveWithoutInertiaIsNamedWithItsJoint) {
  const char* chain = R"(
bodies:
  carriage: {{mass: 1, inertia: 0}}
  arm: {{mass: 1, inertia: {}}}
  tip: {{mass: {}, inertia: 0}}
joints:
  rail: {{type: prismatic, between: [ground, carriage]}}
  pin: {{type: revolute, between: [carriage, arm]}}
  end: {{type: fixed, between: [arm, tip], at: [[0.5, 0], [0, 0]]}}
)";
  const auto with = [&](double inertia, double tip) {
    return refusal(fmt::format(fmt::runtime(chain), inertia, tip));
  };
  EXPECT_EQ(with(0.1, 0), "accepted");  // the carriage cannot turn
  EXPECT_EQ(with(0, 0.1), "accepted");  // the tip makes up for the arm
  EXPECT_EQ(with(0, 0).substr(0, 93),
            "model.yaml:5:8: bodies.arm: the body can move in joint 'pin', but has mass 1 kg and "
            "inertia 0");
  EXPECT_THAT(refusal("bodies: {point: {mass: 1, inertia: 0}}"),
              HasSubstr("bodies.point: the body can move, but has mass 1 kg and inertia 0"));
}

TEST(Assemble, AModelInWhichNothingCanMoveIsRefused) {
  EXPECT_EQ(refusal(R"(
bodies: {wall: {mass: 1, inertia: 1}}
joints: {weld: {type: fixed, between: [ground, wall]}}
)"),
            "nothing can move: the joints hold all bodies to the ground");
}

TEST(Assemble, ALoopThatBeginsInLineIsClosedAllTheSame) {
  // Two bars of 0.3 m on pins 0.5 m apart, both given along the line of the pins.
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = test::assembled(fmt::format(R"(
bodies: {{one: {{mass: 1, inertia: 1}}, two: {{mass: 1, inertia: 1}}}}
joints:
  a: {{type: revolute, between: [ground, one]}}
  b: {{type: revolute, between: [one, two], at: [[0.3, 0], [0, 0]]}}
  c: {{type: revolute, between: [ground, two], at: [[0.5, 0], [0.3, 0]], friction: {{strength: 1}}}}
simulation: {{coordinates: {}}}
)",
                                                          coordinates));
    const double angle = test::motion_of(*assembly.system, assembly.start, 0).angle;
    EXPECT_NEAR(std::abs(std::cos(angle)), 0.25 / 0.3, 1e-9);
    EXPECT_FALSE(assembly.report.adjusted.empty());
  }
}

TEST(Assemble, ALoopThatCannotBeClosedSaysByHowMuchItIsOff) {
  // Two bars of 0.3 m cannot reach from pin to pin over 1 m: at best 0.4 m are missing.
  EXPECT_EQ(
      refusal(R"(
bodies: {one: {mass: 1, inertia: 1}, two: {mass: 1, inertia: 1}}
joints:
  a: {type: revolute, between: [ground, one], initial: {angle: 0.1}}
  b: {type: revolute, between: [one, two], at: [[0.3, 0], [0, 0]], initial: {angle: 0.1}}
  c: {type: revolute, between: [ground, two], at: [[1, 0], [0.3, 0]]}
)"),
      "model.yaml:7:6: joints.c: the loop cannot be closed; at best the joint is off by 0.4 m "
      "(c.x)");
}

/// A constant speed begins at 0 where no initial position is given.
TEST(Assemble, ADriveWithoutPlaceToBeginAtIsNamedWhereTheLoopCannotBeClosed) {
  const auto error = [](const char* initial) {
    return refusal(fmt::format(R"(
bodies: {{a: {{mass: 1, inertia: 1}}, b: {{mass: 1, inertia: 1}}, s: {{mass: 1, inertia: 1}}}}
joints:
  A: {{type: revolute, between: [ground, a], initial: {{{}: 30 deg}}}}
  B: {{type: revolute, between: [a, b], at: [[0.1, 0], [0, 0]]}}
  C: {{type: revolute, between: [b, s], at: [[0.2, 0], [0, 0]]}}
  G: {{type: prismatic, between: [ground, s], drive: {{speed: 0.1}}}}
)",
                               initial));
  };
  for (const char* initial : {"angle", "guess"})
    EXPECT_THAT(error(initial),
                HasSubstr("; the drive of joint 'G' begins at 0 m, and the joint has no "
                          "initial.position that says where"));
}

TEST(Assemble, ABodyThatCanTurnNeedsInertia) {
  Model model = slider_crank_model(Coordinates::joint);
  model.bodies[2].inertia.zz = 0;
  EXPECT_THAT([&] { assemble(model); }, ThrowsMessage<InputError>(HasSubstr("inertia 0")));
}

}  // namespace
}  // namespace backlash
