// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_call.h"
#include "support/files.h"
#include "support/temporary_folder.h"

/// Runs whose numbers cannot be, or whose end never comes.
namespace backlash::test_plausible {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A ball that falls on a floor which is a force, and the method's options.
std::string ball(const std::string& law, const std::string& options) {
  return R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, initial: {position: [0, 0.101]}}
contacts: {hit: {between: [ball, ground.floor], law: floor}}
laws: {floor: )" +
         law + "}\nsimulation: {method: compliant, " + options + "}\noutput: {every: 0.1}\n";
}

TEST(PlausibleRun, FailsWhereABodyIsAsDeepInAnotherAsItIsLarge) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml",
             ball("{model: calibrated, stiffness: 1 N/m^1.5, restitution: 0.5}", "until: 2"));
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("the bodies of contact 'hit' overlap by 0.2"),
                                HasSubstr("the smaller of them is large (0.2 m)")));
}

/// A ball that is thrown at the floor, and is metres deep in it at the middle of a long step: the
/// end of the step, where it is out again, looks as it should.
TEST(PlausibleRun, FailsWhereABodyIsDeepInAnotherAtTheMiddleOfAStep) {
  constexpr double radius = 0.1, speed = 300;
  const std::string text = R"(
backlash: 1
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, initial: {position: [0, 10], velocity: [0, -300]}}
contacts: {hit: {between: [ball, ground.floor], law: floor}}
laws: {floor: {restitution: 0.5}}
)";
  const auto run_with = [&](const std::string& step) {
    const TemporaryFolder folder;
    write_file(folder / "m.yaml", text + "simulation: {until: 0.1, step: " + step + "}\n");
    return test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  };
  const ProgramResult failed = run_with("25 ms");  // met at 9.9 m / 300 m/s = 33 ms
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err,
              AllOf(HasSubstr("at t = 0.0375 s, in the middle of a step of 0.025 s"),
                    HasSubstr(fmt::format("the bodies of contact 'hit' overlap by {:.3g} m",
                                          speed * 0.0375 - 10 + radius)),
                    HasSubstr("more than the smaller of them is large (0.2 m)"),
                    HasSubstr("a step of 5e-05 s keeps them apart")));
  for (const char* step : {"5e-5", "auto"}) EXPECT_EQ(run_with(step).exit_code, 0);
}

/// A ball that is thrown at a bar or a wall which are forces too soft to stop it.
TEST(PlausibleRun, FailsWhereABodyIsNearlyThroughAnother) {
  const std::string thrown = R"(
backlash: 1
bodies:
  wall: {mass: 1, inertia: 0.1, shape: WALL, initial: {position: [1, 0]}}
  ball: {mass: 1, inertia: 0.001, shape: {circle: 0.05}, initial: {velocity: [SPEED, 0]}}
contacts: {hit: {between: [wall, ball], law: soft}}
laws: {soft: {model: calibrated, restitution: 0.5, stiffness: STIFFNESS}}
simulation: {method: compliant, until: UNTIL}
)";
  struct Case {
    const char *wall, *speed, *stiffness, *until;
  };
  for (const auto& [wall, speed, stiffness, until] :
       {Case{"{capsule: {from: [0, -0.5], to: [0, 0.5], radius: 0.03}}", "3000", "1e9 N/m^1.5",
             "0.01"},
        Case{"{box: [0.02, 1]}", "10", "1e4 N/m", "0.3"}}) {
    SCOPED_TRACE(wall);
    const TemporaryFolder folder;
    std::string text = thrown;
    for (const auto& [key, value] :
         {std::pair{"WALL", wall}, {"SPEED", speed}, {"STIFFNESS", stiffness}, {"UNTIL", until}})
      text.replace(text.find(key), std::string(key).size(), value);
    write_file(folder / "m.yaml", text);
    const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, AllOf(HasSubstr("the bodies of contact 'hit' overlap by 0.0"),
                                  HasSubstr("from where they are still pushed apart")));
  }
}

/// Of a rigid contact no stiffness is at fault.
TEST(PlausibleRun, AdvisesNoStifferLawWhereThereIsNone) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", R"(
backlash: 1
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, initial: {position: [0, 0.2], velocity: [0, -1e4]}}
contacts: {hit: {between: [ball, ground.floor], law: floor}}
laws: {floor: {restitution: 0}}
simulation: {scheme: theta, step: 1e-3, until: 0.1}
)");
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("the bodies of contact 'hit' overlap by"),
                    HasSubstr("shorter steps keep them apart"), Not(HasSubstr("stiff"))));
}

TEST(PlausibleRun, FailsWhereBodiesAreTooFastForAnyStep) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", R"(
backlash: 1
bodies:
  ground: {shapes: {post: {circle: 0.5 mm, at: [0, 0.15]}}}
  rod: {mass: 0.1, inertia: 1e-3, shape: {capsule: {from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}
joints: {pin: {type: revolute, between: [ground, rod], initial: {angle: 1.4, speed: 1e8}}}
laws: {hit: {restitution: 0.5}}
contacts: {touch: {between: [ground, rod], law: hit}}
simulation: {step: 1e-3, until: 0.01}
)");
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("could pass through each other in the shortest step"),
                                HasSubstr("(contact in question: touch)")));
}

/// A ball that falls on a floor which is a formula: it bounces for ever, in steps that are short
/// beside the time it takes to turn round.
std::string ball_on_a_formula(const std::string& stiffness, const std::string& simulation) {
  return R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.004, initial: {position: [0, 0.5]}}
forces: {floor: {type: force, body: ball, force: [0, ")" +
         stiffness + "*max(0, -ball.y)\"]}}\nsimulation: {until: 1, " + simulation + "}\n";
}

TEST(PlausibleRun, FailsWhereAFormulaIsTooStiffForTheSteps) {
  for (const char* simulation : {"step: 1e-4", "step: auto"}) {
    SCOPED_TRACE(simulation);
    const TemporaryFolder folder;
    write_file(folder / "m.yaml", ball_on_a_formula("1e10", simulation));
    const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("a formula or table is too stiff or too sudden"));
  }
}

TEST(PlausibleRun, TakesAFormulaThatItsStepsResolve) {
  for (const char* simulation :
       {"step: 1e-4", "step: auto", "method: optimisation, step: 1e-4, optimiser: slsqp"}) {
    SCOPED_TRACE(simulation);
    const TemporaryFolder folder;
    write_file(folder / "m.yaml", ball_on_a_formula("1e5", simulation));  // ω Δt = 0.03
    const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("a formula or table")));
  }
}

/// From rest at 1 µm the whole motion is decided in a step that jumps over the pole.
TEST(PlausibleRun, FailsBesideAPoleOfAFormula) {
  for (const char* tension : {"1/length^2", "-1/length^2", "1/length"})
    for (const char* simulation : {"step: 1e-3", "method: compliant, integrator: rk4, step: 1e-3",
                                   "method: moreau, scheme: theta, step: 1e-3"}) {
      SCOPED_TRACE(std::string(tension) + ", " + simulation);
      const TemporaryFolder folder;
      write_file(folder / "m.yaml", std::string(R"(
backlash: 1
bodies: {ground: {}, ball: {mass: 1, inertia: 0.004, initial: {position: [1e-6, 0]}}}
forces: {pull: {type: tension, between: [ground, ball], tension: ")") +
                                        tension + "\"}}\nsimulation: {until: 1, " + simulation +
                                        "}\n");
      const ProgramResult result =
          test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err,
                  AnyOf(HasSubstr("a formula or table is too stiff or too sudden"),
                        HasSubstr("the method itself has"), HasSubstr("equations not solved")));
    }
}

TEST(PlausibleRun, SaysThatContactsGaveEnergyWhichBodiesBeganDeepInEachOther) {
  const std::string law = "{model: hertz, stiffness: 1e6 N/m}";
  for (const char* height : {"0.09", "0.101"}) {
    const TemporaryFolder folder;
    std::string text = ball(law, "until: 0.2, initial_penetration: 0.05");
    text.replace(text.find("0.101"), 5, height);
    write_file(folder / "m.yaml", text);
    const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const bool deep = height == std::string("0.09");  // ½ k δ² = 50 J
    const std::string given = "contacts did 50 J of work on the mechanism";
    EXPECT_EQ(result.out.find(given) != std::string::npos, deep) << result.out;
  }
}

/// A block that slides down a slope: contact that lasts, and is stiff.
std::string sliding_block(const std::string& options) {
  return R"(
backlash: 1
gravity: [4, -9]
bodies:
  ground: {shapes: {slope: {line: {normal: [0, 1]}}}}
  block: {mass: 1, inertia: 0.001, shape: {box: [0.1, 0.04]}, initial: {position: [0, 0.02]}}
contacts: {foot: {between: [block, ground.slope], law: wood}}
laws: {wood: {model: calibrated, stiffness: 1e8 N/m^1.5, restitution: 0.3, friction: 0.2}}
simulation: {method: compliant, until: 1)" +
         options + "}\noutput: {every: 0.01}\n";
}

/// By Adams' methods alone this takes a million steps.
TEST(PlausibleRun, ChangesToBackwardDifferencesWhereContactThatLastsIsStiff) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", sliding_block(""));
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(file_text(folder / "r/summary.json"));
  EXPECT_LT(summary["steps"], 20000);
  EXPECT_THAT(summary.dump(), HasSubstr("the integrator was bdf instead of adams"));
  const auto rows = read_csv(folder / "r/states.csv");
  const auto column = std::ranges::find(rows[0], "block.vx [m/s]") - rows[0].begin();
  ASSERT_LT(column, std::ssize(rows[0]));
  const double speed = std::stod(rows.back()[static_cast<std::size_t>(column)]);
  EXPECT_NEAR(speed, 4 - 0.2 * 9, 1e-3);  // but for its first bounces
}

TEST(PlausibleRun, EndsWhereItsEndIsOutOfReachAndSaysWhy) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", sliding_block(", max_steps: 100"));
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("out of reach"), HasSubstr("more than max_steps"),
                                HasSubstr("'foot."), HasSubstr("method: moreau")));
}

/// Whatever the method: a weight that swings, in steps of which it allows no more.
TEST(PlausibleRun, EndsWhereItsEndIsOutOfReachOfTheStepsOfAnyMethod) {
  for (const std::string method :
       {"method: moreau, step: auto, max_step: 1e-4", "method: compliant, max_step: 1e-4",
        "method: optimisation, optimiser: slsqp, step_control: free, min_step: 1e-4, "
        "max_step: 1.1e-4"})
    for (const bool allowed : {true, false}) {
      SCOPED_TRACE(method + (allowed ? "" : ", max_steps: 1000"));
      const TemporaryFolder folder;
      write_file(folder / "m.yaml", R"(
backlash: 1
bodies: {weight: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], initial: {position: 0.1}}}
forces: {spring: {type: joint_spring, joint: guide, stiffness: 100}}
output: {every: step}
simulation: {until: 1, )" + method + (allowed ? "" : ", max_steps: 1000") +
                                        "}\n");
      const ProgramResult result =
          test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
      EXPECT_EQ(result.exit_code, allowed ? 0 : 1) << result.err;
      if (allowed) continue;
      EXPECT_THAT(result.err, AllOf(HasSubstr("the end of the run is out of reach: at steps of "),
                                    HasSubstr("more than max_steps (1000)"),
                                    HasSubstr("a force or a speed must be that fast; take ")));
      EXPECT_EQ(read_csv(folder / "r/states.csv").size(), 2002u);  // with header and start
    }
}

/// Their force is that of a spring, and nothing holds it back.
TEST(PlausibleRun, DrivesBodiesThatBeginDeepApartAndSaysSo) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", R"(
backlash: 1
gravity: [1, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  low: {mass: 1, inertia: 1e-2, shape: {box: [0.3, 0.1]}, initial: {position: [0, 0.05]}}
  high: {mass: 0.5, inertia: 1e-3, shape: {box: [0.1, 0.04]}, initial: {position: [0, 0.12], angle: 0.2}}
contacts: {foot: {between: [low, ground.floor], law: hard}, pair: {between: [low, high], law: hard}}
laws: {hard: {model: calibrated, stiffness: 1e9 N/m, restitution: 0.5, friction: 0.3}}
simulation: {method: compliant, until: 1, initial_penetration: 0.02}
)");
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(file_text(folder / "r/summary.json"));
  EXPECT_THAT(summary["warnings"].dump(),
              AllOf(HasSubstr("'pair."), HasSubstr("begin without overlap")));
}

/// Bodies that touch at rest meet nobody, and what they lose afterwards is no loss of impacts; nor
/// do those whose speed is round-off beside what their weight makes over a tolerance.
TEST(PlausibleRun, HasNoImpactsOfContactsThatTouchFromTheStart) {
  for (const char* start : {"[0, 0.02]}", "[0, 0.02], velocity: [0, -1e-11]}"}) {
    SCOPED_TRACE(start);
    const TemporaryFolder folder;
    std::string text = sliding_block(", integrator: bdf");
    text.replace(text.find("[0, 0.02]}"), 10, start);
    write_file(folder / "m.yaml", text);
    const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json summary = json::parse(file_text(folder / "r/summary.json"));
    EXPECT_EQ(summary["impacts"], 0);
    EXPECT_EQ(summary["energy"]["impact_loss"], 0);
    for (const auto& row : read_csv(folder / "r/events.csv")) EXPECT_NE(row[1], "impact");
  }
}

/// But a slow landing is one.
TEST(PlausibleRun, HasAnImpactOfABallThatLandsSlowlyAtTheStart) {
  const TemporaryFolder folder;
  std::string text =
      ball("{model: calibrated, stiffness: 1e6 N/m^1.5, restitution: 0.5}", "until: 0.1");
  text.replace(text.find("0.101]"), 6, "0.1], velocity: [0, -0.01]");
  write_file(folder / "m.yaml", text);
  const ProgramResult result = test_run::run({folder / "m.yaml", "-o", folder / "r", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GE(json::parse(file_text(folder / "r/summary.json"))["impacts"], 1);
}

}  // namespace
}  // namespace backlash::test_plausible
