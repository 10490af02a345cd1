// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"
#include "support/recorded_run.h"

namespace backlash::test::quantities {
namespace {

using ::testing::HasSubstr;

/// A motor that turns a disk of J = 0.02 kg m²: ω = ω0 (1 − e^(−t/τ)), τ = J ω0/M.
constexpr const char* motor = R"(backlash: 1
parameters: {ratio: 2, share: 50 %}
bodies: {disk: {mass: 1, inertia: 0.02}}
joints: {main: {type: revolute, between: [ground, disk]}}
forces: {motor: {type: motor, joint: main, stall_torque: 4 N m, no_load_speed: 100 rad/s}}
simulation: {step: 1e-4, until: 0.5}
output:
  every: 0.05
  quantities:
    power: motor.torque*main.u
    half: share*power
    total: energy.kinetic/(1 J)
    late: if(t > 0.2 s, 1, 0)
    turn: main.q + 1 rad
)";

TEST(Quantities, AreFormulasOfChannelsWithTheirUnits) {
  const RecordedRun run = recorded_run(motor);
  const double J = 0.02, M = 4, w0 = 100, tau = J * w0 / M;
  for (const std::size_t row : {1u, 4u, 9u}) {
    const double t = run.at("t", row), w = w0 * (1 - std::exp(-t / tau));
    EXPECT_NEAR(run.at("power", row), M * (1 - w / w0) * w, 1e-3);
    EXPECT_DOUBLE_EQ(run.at("power", row), run.at("motor.torque", row) * run.at("main.u", row));
    EXPECT_DOUBLE_EQ(run.at("half", row), 0.5 * run.at("power", row));
    EXPECT_NEAR(run.at("total", row), 0.5 * J * w * w, 1e-2);
    EXPECT_EQ(run.at("late", row), t > 0.2 ? 1 : 0);
    EXPECT_DOUBLE_EQ(run.at("turn", row), run.at("main.q", row) + 1);
  }
  EXPECT_EQ(run.unit("power"), "W");
  EXPECT_EQ(run.unit("half"), "W");
  EXPECT_EQ(run.unit("total"), "-");
  EXPECT_EQ(run.unit("turn"), "rad");
}

/// Bare numbers do not take the unit from a formula, and later formulas may go on with it.
TEST(Quantities, KeepTheirUnitsInProductsWithBareNumbers) {
  std::string text = motor;
  text.replace(text.find("    half:"), 0,
               "    slow: main.u/2\n    sum: slow + main.u\n    open: 2*slow + 3*sum\n"
               "    bare: 2*3 + 1\n    area: motor.torque/0.02\n    stress: area + 1 bar\n");
  const RecordedRun run = recorded_run(text);
  EXPECT_EQ(run.unit("slow"), "rad/s");
  EXPECT_EQ(run.unit("sum"), "rad/s");
  EXPECT_EQ(run.unit("open"), "rad/s");
  EXPECT_EQ(run.unit("bare"), "-");
  EXPECT_EQ(run.unit("stress"), "Pa");
  EXPECT_DOUBLE_EQ(run.at("sum", 4), 1.5 * run.at("main.u", 4));
}

TEST(Quantities, KnowTheUnitsOfParametersThatEventsSet) {
  std::string text = motor;
  text.replace(text.find("ratio: 2,"), 9, "ratio: 2, M: 5 N m, n: 30 rpm, bare: 3,");
  text.replace(text.find("    half:"), 0,
               "    push: M*main.u\n    sum: motor.torque + M\n    speed: main.u - n\n"
               "    more: motor.torque + bare\n");
  text.replace(text.find("simulation:"), 0,
               "events: {change: {at: 0.3, set: {M: 7 N m, n: 60 rpm, bare: 4}}}\n");
  text.replace(text.find("forces: {"), 9,
               "forces: {use: {type: joint_force, joint: main, force: 0*M*(n/(1 rpm) + bare)}, ");
  const RecordedRun run = recorded_run(text);
  EXPECT_EQ(run.unit("M.value"), "N m");
  EXPECT_EQ(run.unit("n.value"), "rad/s");
  EXPECT_EQ(run.unit("bare.value"), "-");
  EXPECT_EQ(run.unit("push"), "W");
  EXPECT_EQ(run.unit("sum"), "N m");
  EXPECT_EQ(run.unit("more"), "N m");
  EXPECT_DOUBLE_EQ(run.at("sum", 1), run.at("motor.torque", 1) + 5);
  EXPECT_DOUBLE_EQ(run.at("sum", 9), run.at("motor.torque", 9) + 7);
}

/// Power over power is 0/0 at rest: no value there, and one warning.
TEST(Quantities, ThatAreNotDefinedHaveNoValueAndAreWarnedOf) {
  std::string text = motor;
  text.replace(text.find("    half:"), 0,
               "    efficiency: energy.kinetic/power\n    shown: 1 + efficiency\n"
               "    far: 1/(t - 0.1 s)\n");
  const RecordedRun run = recorded_run(text);
  EXPECT_TRUE(std::isnan(run.at("efficiency", 0)));
  EXPECT_TRUE(std::isnan(run.at("shown", 0)));
  EXPECT_TRUE(std::isfinite(run.at("efficiency", 1)));
  EXPECT_EQ(run.rows(), 11u);
  ASSERT_GE(run.report.run_warnings.size(), 2u);
  EXPECT_THAT(
      run.report.run_warnings.front(),
      AllOf(HasSubstr("quantity 'efficiency' is not defined in 1 row"), HasSubstr("t = 0 s")));
}

TEST(Quantities, RefuseChannelsThatThereAreNotAndSumsOfUnlikeThings) {
  const auto error = [](const std::string& formula) {
    const std::string text = motor;
    const std::size_t begin = text.find("motor.torque*main.u");
    try {
      recorded_run(std::string(text).replace(begin, 19, formula));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("motor.torqe*main.u"),
              AllOf(HasSubstr("model.yaml:10:12"), HasSubstr("'motor.torqe'"),
                    HasSubstr("did you mean 'motor.torque'")));
  EXPECT_THAT(error("motor.torque + main.u"), HasSubstr("adds"));
  EXPECT_THAT(error("nothing*2"), HasSubstr("there is no parameter 'nothing'"));
}

/// A block of 2 kg at rest on the floor, by two corners.
constexpr const char* block = R"(backlash: 1
gravity: [0, -10]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  box: {mass: 2, inertia: 0.1, shape: {box: [0.4, 0.2]}, initial: {position: [0, 0.1]}}
laws: {steel: {friction: 0.3}}
contacts: {floor: {between: [box, ground], law: steel}}
simulation: {step: 1e-3, until: 0.1}
output:
  every: 0.05
  quantities:
    weight: floor.force
    left: floor.box.corner1.force
    right: floor.box.corner2.force
    depth: -floor.gap
    top: floor.box.corner3.gap
)";

TEST(Quantities, OfContactsAreSumsOfTheirForcesAndTheirLeastGap) {
  const RecordedRun run = recorded_run(block);
  EXPECT_NEAR(run.at("weight", 2), 20, 1e-9);
  EXPECT_NEAR(run.at("left", 2), 10, 1e-9);
  EXPECT_NEAR(run.at("right", 2), 10, 1e-9);
  EXPECT_NEAR(run.at("depth", 2), 0, 1e-9);
  EXPECT_NEAR(run.at("top", 2), 0.2, 1e-9);
  EXPECT_EQ(run.unit("weight"), "N");
  EXPECT_EQ(run.unit("depth"), "m");
}

/// Of several pairs the names say both bodies, with a '-' that formulas write as '_'.
TEST(Quantities, NameContactsOfSeveralPairs) {
  const auto text = [](const char* formula) {
    return std::string(R"(backlash: 1
gravity: [0, -10]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.1]}}
  disk: {mass: 3, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [1, 0.1]}}
  peg: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.3]}}
laws: {steel: {}}
contacts: {touch: {between: [[ball, disk], [ground, peg]], law: steel}}
simulation: {step: 1e-3, until: 0.1}
output: {every: 0.05, quantities: {load: ")") +
           formula + "\"}}\n";
  };
  EXPECT_NEAR(recorded_run(text("touch.ball_ground.force")).at("load", 2), 30, 1e-9);
  EXPECT_NEAR(recorded_run(text("touch.ball_peg.force")).at("load", 2), 10, 1e-9);
  EXPECT_NEAR(recorded_run(text("touch.force")).at("load", 2), 70, 1e-9);
  EXPECT_THAT([&] { recorded_run(text("touch.ball-peg.force")); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("'_' in the place of '-'")));
}

TEST(Quantities, RefuseContactsThatThereAreNot) {
  std::string text = block;
  text.replace(text.find("floor.box.corner3.gap"), 21, "floor.box.corner9.gap");
  EXPECT_THAT([&] { recorded_run(text); },
              ::testing::ThrowsMessage<InputError>(
                  AllOf(HasSubstr("no contact 'floor.box.corner9'"), HasSubstr("corner"))));
}

/// A slide of 3 kg that a preloaded spring holds against a force of 5 N; one that is driven; and
/// one that a torque limiter of 2 N m brakes.
constexpr const char* holding = R"(backlash: 1
bodies: {slide: {mass: 3, inertia: 1}, ram: {mass: 4, inertia: 1}, wheel: {mass: 1, inertia: 0.5}}
joints:
  rail: {type: prismatic, between: [ground, slide]}
  feed: {type: prismatic, between: [ground, ram], drive: {position: 0.5 m/s^2*t^2}}
  hub: {type: revolute, between: [ground, wheel], initial: {speed: 50}}
forces:
  push: {type: joint_force, joint: rail, force: 5}
  latch: {type: preloaded_spring, joint: rail, stiffness: 100, preload: 8}
  brake: {type: torque_limiter, joint: hub, limit: 2}
  pull: {type: spring, between: [ground, ram], at: [[-1, 0], [0, 0]], stiffness: 30, length: 1}
simulation: {step: 1e-3, until: 0.2}
output: {every: 0.1}
)";

TEST(ForceChannels, HaveWhatClutchesPreloadsDrivesAndSpringsDo) {
  const RecordedRun run = recorded_run(holding);
  const double x = run.at("feed.q", 2);
  EXPECT_NEAR(run.at("push.force", 2), 5, 1e-12);
  EXPECT_NEAR(run.at("latch.force", 2), -5, 1e-9);
  EXPECT_NEAR(run.at("brake.torque", 2), -2, 1e-9);
  EXPECT_NEAR(run.at("pull.tension", 2), 30 * x, 1e-9);
  EXPECT_NEAR(run.at("pull.length", 2), 1 + x, 1e-12);
  // The drive accelerates 4 kg by 1 m/s² against the spring, in the mean since the row before.
  const double mean_x = (0.5 / 3) * (0.2 * 0.2 * 0.2 - 0.1 * 0.1 * 0.1) / 0.1;
  EXPECT_NEAR(run.at("feed.drive_force", 2), 4 + 30 * mean_x, 1e-4);
  EXPECT_EQ(run.unit("feed.drive_force"), "N");
}

}  // namespace
}  // namespace backlash::test::quantities
