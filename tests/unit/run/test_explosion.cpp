// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/check/check.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/built_methods.h"

/// Runs whose numbers explode say why.
namespace backlash::test_explosion {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

RunReport report_of(const std::string& text) {
  RunObserver nobody;
  return run(parse_model("backlash: 1\n" + text, "model.yaml"), {}, nobody).report;
}

/// A method with steps of equal length, and the |λ| Δt of an undamped motion where it ceases to be
/// stable (theory 8.3, 8.4).
struct Explicit {
  const char* name;
  double limit;
};
constexpr std::array explicit_methods{
    Explicit{"method: moreau", 2},
    Explicit{"method: compliant, integrator: rk4", 2 * std::numbers::sqrt2}};

/// A weight on two springs, of which one is a hundred times as stiff.
std::string oscillator(double rate, const std::string& simulation) {
  return fmt::format(R"(
bodies: {{weight: {{mass: 2, inertia: 1}}}}
joints: {{guide: {{type: prismatic, between: [ground, weight], initial: {{position: 0.1}}}}}}
forces:
  soft: {{type: joint_spring, joint: guide, stiffness: {}}}
  stiff: {{type: joint_spring, joint: guide, stiffness: {}}}
simulation: {{{}}}
)",
                     2 * rate * rate / 101, 200 * rate * rate / 101, simulation);
}

TEST(Explosion, BeginsAtTheLimitOfStabilityThatIsToldAndNamesTheSpring) {
  constexpr double step = 1e-3;
  for (const Explicit& method : explicit_methods)
    for (const double part : {0.99, 1.01}) {
      SCOPED_TRACE(fmt::format("{}, {}", method.name, part));
      const double rate = part * method.limit / step;
      const std::string text =
          oscillator(rate, fmt::format("{}, step: {}, until: 2", method.name, step));
      const RunReport report = report_of(text);
      const std::string told = fmt::format(
          "the step 0.001 s is beyond the stability limit {:.2g} s", method.limit / rate);
      const CheckReport checked = check(parse_model("backlash: 1\n" + text, "model.yaml"));
      if (part < 1) {  // by Runge and Kutta's method it dies away instead
        EXPECT_THAT(report.message, Not(HasSubstr("stability")));
        EXPECT_EQ(count(checked, Severity::warning), 0);
        continue;
      }
      EXPECT_EQ(report.status, RunStatus::failed);
      EXPECT_THAT(report.message, AllOf(HasSubstr(told), HasSubstr("of force 'stiff'")));
      EXPECT_GE(count(checked, Severity::warning), 1);
    }
}

/// An arm and a rod whose joint has a spring, stiff for steps of a millisecond; MORE.
std::string two_arms(const char* spring, const std::string& more) {
  return fmt::format(R"(
bodies:
  arm: {{mass: 1, inertia: 0.01, com: [0.1, 0]}}
  rod: {{mass: 1, inertia: 0.02, com: [0.2, 0]}}
joints:
  shoulder: {{type: revolute, between: [ground, arm], initial: {{angle: 0.3}}}}
  elbow: {{type: revolute, between: [arm, rod], at: [[0.2, 0], [0, 0]], initial: {{angle: 0.5}}}}
forces: {{bow: {}}}
{})",
                     spring, more);
}

/// However far it goes before it ends, what is told is of the mechanism and not of the explosion.
TEST(Explosion, TellsTheLimitOfTheMotionBeforeIt) {
  for (const Explicit& method : explicit_methods)
    for (const char* energy : {"0.1", "1e99"})
      for (const char* spring :
           {"{type: joint_spring, joint: elbow, stiffness: 1e6 N m/rad}",
            "{type: joint_force, joint: elbow, force: \"-1e6 N m*(elbow.q + elbow.q^3)\"}"}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", method.name, energy, spring));
        const std::string text = two_arms(
            spring, fmt::format("simulation: {{{}, step: 1e-3, until: 1, energy_error: {}}}",
                                method.name, energy));
        const RunReport report = report_of(text);
        EXPECT_EQ(report.status, RunStatus::failed);
        EXPECT_THAT(report.message,
                    AllOf(HasSubstr("the step 0.001 s is beyond the stability limit 0.000"),
                          HasSubstr("of force 'bow'"), Not(HasSubstr("mass matrix"))));
      }
}

/// Nothing in the first steps, which `check` looks at, shows it.
TEST(Explosion, NamesASpringThatAnEventSwitchesOn) {
  for (const Explicit& method : explicit_methods) {
    SCOPED_TRACE(method.name);
    const RunReport report = report_of(
        two_arms("{type: joint_spring, joint: elbow, stiffness: 1e6 N m/rad, active: false}",
                 fmt::format("events: {{go: {{at: 0.5, activate: [bow]}}}}\n"
                             "simulation: {{{}, step: 1e-3, until: 1}}",
                             method.name)));
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_NEAR(report.t, 0.5, 0.01);
    EXPECT_THAT(report.message, HasSubstr("of force 'bow'"));
  }
}

/// Too large for `check` to look at. Its fastest mode swings every mass against its neighbours, at
/// nearly 2 √(k/m).
TEST(Explosion, OfALargeMechanismTellsTheLimit) {
  constexpr int links = 60;
  std::string bodies = "bodies:\n", forces = "forces:\n";
  for (int i = 0; i < links; ++i) {
    bodies += fmt::format(
        "  b{}: {{mass: 1, inertia: 1, initial: {{position: [{}, 0], velocity: [{}, 0]}}}}\n", i,
        i + 1, i % 2 == 0 ? 1 : -1);
    forces +=
        fmt::format("  s{}: {{type: spring, between: [{}, b{}], stiffness: 1e7, length: 1}}\n", i,
                    i == 0 ? "ground" : fmt::format("b{}", i - 1), i);
  }
  const RunReport report = report_of(bodies + forces + "simulation: {step: 1e-3, until: 1}\n");
  const double rate = 2 * std::sqrt(1e7);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.message,
              HasSubstr(fmt::format("the step 0.001 s is beyond the stability limit "
                                    "{:.2g} s of the fastest free motion",
                                    2 / rate)));
}

/// In the first step, beyond all numbers: no advice about solvers, and no energy that is none.
TEST(Explosion, OfASpringOfAnyStiffnessIsNamed) {
  const std::string pressed = R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.05]}}
contacts: {foot: {between: [ground, box], law: wood}}
laws: {wood: {restitution: 0.2, friction: 0.3}}
forces: {pull: {type: spring, between: [ground, box], at: [[0.3, 0.3], [0, 0]],
                stiffness: STIFFNESS, length: 0.2}}
simulation: {LENGTH, until: 1}
)";
  for (const char* step : {"step: 1e-3", "step: auto"})
    for (const char* stiffness : {"1e9 N/m", "1e60 N/m", "1e150 N/m", "1e200 N/m"}) {
      SCOPED_TRACE(fmt::format("{}, {}", stiffness, step));
      std::string text = pressed;
      text.replace(text.find("STIFFNESS"), 9, stiffness);
      text.replace(text.find("LENGTH"), 6, step);
      const RunReport report = report_of(text);
      if (report.status == RunStatus::done) continue;  // automatic steps follow what they can
      EXPECT_THAT(report.message,
                  AllOf(HasSubstr("is beyond the stability limit"), HasSubstr("of force 'pull'"),
                        Not(HasSubstr("solver")), Not(HasSubstr("nan"))));
    }
}

/// The θ-scheme is stable whatever the stiffness, but numbers end somewhere.
TEST(Explosion, OfImpulsesBeyondAllNumbersAdvisesNoOtherSolver) {
  const RunReport report = report_of(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.05]}}
  hat: {mass: 0.1, inertia: 0.001, shape: {box: [0.1, 0.1]}, initial: {position: [0.02, 0.15]}}
contacts: {foot: {between: [ground, box], law: wood}, top: {between: [hat, box], law: wood}}
laws: {wood: {restitution: 0.2, friction: 0.3}}
forces: {pull: {type: spring, between: [ground, hat], at: [[0.3, 0.3], [0, 0]],
                stiffness: 1e200 N/m, length: 0.2}}
simulation: {scheme: theta, step: 1e-3, until: 1}
)");
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.message, AllOf(HasSubstr("beyond all numbers"), Not(HasSubstr("solver")),
                                    Not(HasSubstr("inf "))));
}

/// A ball on a floor that is a force, with K δ^1.5: π/ω is what an impact on a spring would last.
TEST(Explosion, OfImpactsThatAStepJumpsOverNamesTheContact) {
  const RunReport report = report_of(R"(
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, initial: {position: [0, 0.11], velocity: [0, -1]}}
contacts: {hit: {between: [ball, ground.floor], law: steel}}
laws: {steel: {model: hertz, stiffness: 1e12 N/m^1.5}}
simulation: {method: compliant, integrator: rk4, step: 1e-3, until: 1}
)");
  // The impact of theory 9: 2.943 δ_max/v, δ_max = (5 m v²/(4 K))^(2/5).
  const double depth = std::pow(5.0 / 4 * 1e-12, 0.4);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.message,
              HasSubstr(fmt::format("the step 0.001 s is longer than an impact of contact 'hit', "
                                    "{:.2g} s",
                                    2.943 * depth)));
}

/// No step could hold it: a spring of the wrong sign.
TEST(Explosion, OfAMotionThatForcesDriveIsToldFromOneOfTheMethod) {
  for (const std::string method : {"moreau", "compliant", "optimisation"}) {
    if (!test::is_built(find_integrator(method))) continue;
    SCOPED_TRACE(method);
    const RunReport report =
        report_of(fmt::format(R"(
bodies: {{weight: {{mass: 1, inertia: 1}}}}
joints: {{guide: {{type: prismatic, between: [ground, weight], initial: {{position: 0.1}}}}}}
forces: {{push: {{type: joint_force, joint: guide, force: "1e3 N/m*guide.q"}}}}
simulation: {{method: {}{}, until: 100}}
)",
                              method, method == "compliant" ? "" : ", step: 1e-3"));
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_THAT(report.message,
                AllOf(HasSubstr("numbers explode: there guide.u is "),
                      HasSubstr("by the work of forces"), Not(HasSubstr("stability"))));
  }
}

}  // namespace
}  // namespace backlash::test_explosion
