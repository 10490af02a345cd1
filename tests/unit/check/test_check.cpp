// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/check.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CheckReport check_text(const std::string& text) { return check(parse_model(text, "model.yaml")); }

/// The findings about one item.
std::vector<Finding> about(const CheckReport& report, const std::string& item) {
  std::vector<Finding> found;
  for (const Finding& finding : report.findings)
    if (finding.item == item) found.push_back(finding);
  return found;
}

std::string all_messages(const CheckReport& report) {
  std::string text;
  for (const Finding& f : report.findings)
    text += fmt::format("{}: {}: {}\n", name(f.severity), f.item, f.message);
  return text;
}

/// A mass on a spring, both to be filled in.
std::string oscillator(double stiffness, double step, const std::string& more = "") {
  return fmt::format(R"(backlash: 1
bodies: {{mass: {{mass: 2, inertia: 1}}}}
joints: {{guide: {{type: prismatic, between: [ground, mass], axis: [1, 0], initial: {{position: 0.1}}}}}}
forces:
  weak: {{type: joint_spring, joint: guide, stiffness: 3}}
  stiff: {{type: joint_spring, joint: guide, stiffness: {}}}
simulation: {{step: {}, until: 1{}}}
)",
                     stiffness, step, more);
}

TEST(Check, WarnsOfInitialValuesThatADriveContradicts) {
  const auto driven = [](const char* initial, const char* drive) {
    return all_messages(check_text(fmt::format(R"(backlash: 1
bodies: {{wheel: {{mass: 1, inertia: 0.01}}}}
joints: {{axle: {{type: revolute, between: [ground, wheel], initial: {{{}}}, drive: {{{}}}}}}}
simulation: {{until: 0.01}}
)",
                                               initial, drive)));
  };
  EXPECT_EQ(driven("angle: 1 rad", "speed: 50 rad/s"), "");
  EXPECT_EQ(driven("angle: 1 rad, speed: 50 rad/s", "speed: 50 rad/s"), "");
  EXPECT_THAT(driven("angle: 1 rad, speed: 3 rad/s", "speed: 50 rad/s"),
              HasSubstr("joint 'axle': its drive starts with the speed 50 rad/s, so the initial "
                        "speed of 3 rad/s is not used"));
  EXPECT_THAT(driven("angle: 1 rad", "angle: 50*t"),
              HasSubstr("joint 'axle': its drive starts with the angle 0 rad, so the initial angle "
                        "of 1 rad is not used"));
}

TEST(Check, TakesAStepLongerThanTheRunForAnError) {
  const CheckReport report = check_text(oscillator(3, 2));
  EXPECT_EQ(count(report, Severity::error), 1);
  EXPECT_THAT(all_messages(report), HasSubstr("a step of 2 s is longer than the run of 1 s"));
}

TEST(Check, OfAPendulumFindsNothing) {
  const CheckReport report = check_text(R"(backlash: 1
gravity: [0, -9.81]
bodies: {rod: {mass: 2, inertia: 0.2, com: [0, -0.5]}}
joints: {pivot: {type: revolute, between: [ground, rod], initial: {angle: 0.2}}}
)");
  EXPECT_EQ(all_messages(report), "");
  EXPECT_EQ(report.assembly.report.dofs, 1);
  EXPECT_EQ(report.assembly.report.dofs_by_counting, 1);
  const double c = std::cos(0.2);  // small swings about 0.2 rad: λ² = m g s cos φ / (J + m s²)
  EXPECT_NEAR(report.fastest_rate, std::sqrt(2 * 9.81 * 0.5 * c / (0.2 + 2 * 0.25)), 0.02);
}

/// A lock that an event has yet to make holds nothing, and follows from nothing.
TEST(Check, DoesNotCallLocksOfEventsRedundant) {
  const CheckReport report = check_text(R"(backlash: 1
bodies: {disk: {mass: 1, inertia: 0.1}}
joints: {pin: {type: revolute, between: [ground, disk], initial: {speed: 1}}}
events: {stop: {at: 0.1 s, lock: [pin]}}
simulation: {step: 1e-3}
)");
  EXPECT_THAT(report.assembly.report.redundant, IsEmpty());
  EXPECT_EQ(report.assembly.report.dofs, 1);
  EXPECT_THAT(report.findings, IsEmpty()) << all_messages(report);
}

/// Three parallel bars carry a coupler: the third holds nothing new.
TEST(Check, CountsDegreesOfFreedomByGrueblerAndByRankAndNamesWhatIsRedundant) {
  const CheckReport report = check_text(R"(backlash: 1
bodies:
  left: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  middle: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  right: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  coupler: {mass: 1, inertia: 0.1, com: [1, 0]}
joints:
  A: {type: revolute, between: [ground, left], initial: {angle: 1}}
  B: {type: revolute, between: [left, coupler], at: [[1, 0], [0, 0]], initial: {angle: -1}}
  C: {type: revolute, between: [ground, middle], at: [[1, 0], [0, 0]], initial: {angle: 1}}
  D: {type: revolute, between: [middle, coupler], at: [[1, 0], [1, 0]]}
  E: {type: revolute, between: [ground, right], at: [[2, 0], [0, 0]], initial: {angle: 1}}
  F: {type: revolute, between: [right, coupler], at: [[1, 0], [2, 0]]}
)");
  const AssemblyReport& assembly = report.assembly.report;
  EXPECT_EQ(assembly.dofs_by_counting, 3 * 4 - 2 * 6);
  EXPECT_EQ(assembly.dofs, 1);
  EXPECT_THAT(assembly.loops, ElementsAre("D", "F"));
  ASSERT_THAT(assembly.redundant, SizeIs(1));
  EXPECT_EQ(assembly.redundant[0].origin.item, "F");
  const auto notes = about(report, fmt::format("constraint '{}'", assembly.redundant[0].name));
  ASSERT_THAT(notes, SizeIs(1)) << all_messages(report);
  EXPECT_EQ(notes[0].severity, Severity::note);
  EXPECT_EQ(notes[0].where.line, 13);
}

TEST(Check, WarnsOfAMechanismThatCannotMove) {
  const CheckReport report = check_text(R"(backlash: 1
bodies:
  left: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  right: {mass: 1, inertia: 0.1, com: [0.5, 0]}
joints:
  A: {type: revolute, between: [ground, left], initial: {angle: 1}}
  B: {type: revolute, between: [left, right], at: [[1, 0], [1, 0]]}
  C: {type: revolute, between: [ground, right], at: [[1, 0], [0, 0]]}
)");
  EXPECT_EQ(report.assembly.report.dofs, 0);
  EXPECT_THAT(all_messages(report), HasSubstr("warning: : the mechanism has no degree of freedom"));
}

TEST(Check, RefusesAModelWithoutAnyMotion) {
  const CheckReport report = check_text(R"(backlash: 1
bodies: {plate: {mass: 1, inertia: 1}}
joints: {weld: {type: fixed, between: [ground, plate]}}
)");
  EXPECT_THAT(all_messages(report), HasSubstr("error: : nothing can move"));
}

TEST(Check, WarnsWhereALoopClosesOnlyAgainstWhatWasGiven) {
  const auto four_bar = [](const std::string& more) {
    return check_text(R"(backlash: 1
bodies:
  crank: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  coupler: {mass: 1, inertia: 0.1, com: [1, 0]}
  rocker: {mass: 1, inertia: 0.1, com: [1, 0]}
joints:
  A: {type: revolute, between: [ground, crank], initial: {angle: 1}}
  B: {type: revolute, between: [crank, coupler], at: [[1, 0], [0, 0]])" +
                      more + R"(}
  C: {type: revolute, between: [coupler, rocker], at: [[2, 0], [2, 0]])" +
                      more + R"(}
  D: {type: revolute, between: [ground, rocker], at: [[2, 0], [0, 0]]}
)");
  };
  const CheckReport free = four_bar("");
  EXPECT_EQ(all_messages(free), "");
  EXPECT_THAT(free.assembly.report.adjusted, SizeIs(2));  // B and C were found
  const CheckReport forced = four_bar(", initial: {angle: 0.1}");
  ASSERT_THAT(about(forced, "coordinate 'A.q'"), SizeIs(1)) << all_messages(forced);
  EXPECT_EQ(about(forced, "coordinate 'A.q'")[0].where.line, 7);
  EXPECT_EQ(count(forced, Severity::warning), 3);
}

TEST(Check, SaysWhichJointOfALoopIsOffAndWhere) {
  const CheckReport report = check_text(R"(backlash: 1
bodies:
  crank: {mass: 1, inertia: 0.1, com: [0.5, 0]}
joints:
  A: {type: revolute, between: [ground, crank]}
  B: {type: revolute, between: [crank, ground], at: [[1, 0], [3, 0]]}
)");
  EXPECT_EQ(report.assembly.system, nullptr);
  ASSERT_EQ(count(report, Severity::error), 1);
  EXPECT_THAT(report.findings[0].message, HasSubstr("off by 2 m"));
  EXPECT_EQ(report.findings[0].where.line, 6);
}

TEST(Check, TellsEveryOverlapAndHowDeep) {
  const CheckReport report = check_text(R"(backlash: 1
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  left: {mass: 1, inertia: 1, shape: {circle: 0.5}, initial: {position: [0, 0.4]}}
  right: {mass: 1, inertia: 1, shape: {circle: 0.5}, initial: {position: [3, 0.3]}}
  high: {mass: 1, inertia: 1, shape: {circle: 0.5}, initial: {position: [6, 0.4999999]}}
contacts:
  L: {between: [left, ground], law: hard}
  R: {between: [right, ground], law: hard}
  H: {between: [high, ground], law: hard}
laws: {hard: {restitution: 0}}
)");
  EXPECT_EQ(count(report, Severity::error), 2);
  for (const auto& [item, line, depth] :
       {std::tuple("contact 'L'", 8, "0.1 m"), std::tuple("contact 'R'", 9, "0.2 m")}) {
    ASSERT_THAT(about(report, item), SizeIs(1)) << all_messages(report);
    EXPECT_THAT(about(report, item)[0].message, HasSubstr(std::string("overlaps by ") + depth));
    EXPECT_EQ(about(report, item)[0].where.line, line);
  }
  ASSERT_THAT(about(report, "contact 'H'"), SizeIs(1));
  EXPECT_EQ(about(report, "contact 'H'")[0].severity, Severity::note);  // 1e-7 m is allowed
}

TEST(Check, FindsWhatNothingUses) {
  const CheckReport report = check_text(R"(backlash: 1
parameters:
  m: 2 kg
  k: 3 N/m
bodies: {rod: {mass: m, inertia: 0.2, com: [0, -0.5]}}
joints: {pivot: {type: revolute, between: [ground, rod], limits: {lower: -1, law: used}}}
laws:
  used: {restitution: 0.5}
  forgotten: {restitution: 0.5}
)");
  EXPECT_THAT(report.findings, SizeIs(2)) << all_messages(report);
  ASSERT_THAT(about(report, "parameter 'k'"), SizeIs(1));
  EXPECT_EQ(about(report, "parameter 'k'")[0].severity, Severity::warning);
  EXPECT_EQ(about(report, "parameter 'k'")[0].where.line, 4);
  ASSERT_THAT(about(report, "law 'forgotten'"), SizeIs(1));
}

struct Inertia {
  const char* name;
  const char* value;
  int findings;
};

class CheckInertia : public ::testing::TestWithParam<Inertia> {};

/// A steel rod of 0.5 m and 1 kg: J = m l²/12 ≈ 0.021 kg m².
TEST_P(CheckInertia, IsComparedWithTheSizeOfTheBody) {
  const CheckReport report = check_text(fmt::format(R"(backlash: 1
bodies: {{rod: {{mass: 1, inertia: {}, com: [0.25, 0]}}}}
joints: {{pivot: {{type: revolute, between: [ground, rod]}}}}
output: {{points: {{end: {{body: rod, at: [0.5, 0]}}}}}}
)",
                                                    GetParam().value));
  EXPECT_THAT(about(report, "body 'rod'"), SizeIs(GetParam().findings)) << all_messages(report);
}

INSTANTIATE_TEST_SUITE_P(Of, CheckInertia,
                         ::testing::Values(Inertia{"a_rod", "0.021 kg m^2", 0},
                                           Inertia{"a_flywheel_on_it", "1 kg m^2", 0},
                                           Inertia{"a_point_mass", "0", 0},
                                           Inertia{"kg_mm2_taken_for_kg_m2", "20833", 1},
                                           Inertia{"kg_m2_taken_for_kg_mm2", "0.021 kg mm^2", 1}),
                         [](const auto& i) { return i.param.name; });

TEST(Check, NotesBodiesThatNothingHolds) {
  const CheckReport report = check_text(R"(backlash: 1
bodies: {stone: {mass: 1, inertia: 1}}
)");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].item, "body 'stone'");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
}

/// 3 m/s across a play of 2 × 1 mm: 0.03 mm in a step of 1e-5 s, 3 mm in one of 1e-3 s.
TEST(Check, WarnsOfStepsThatLeapOverAClearance) {
  const auto leaping = [](double step) {
    return check_text(fmt::format(R"(backlash: 1
bodies: {{slider: {{mass: 1, inertia: 1e-3, initial: {{velocity: [0, 3]}}}}}}
joints:
  guide: {{type: prismatic, between: [ground, slider],
          clearance: {{length: 0.1, width: 0.05, gap: 1 mm, law: steel}}}}
laws: {{steel: {{restitution: 0.5}}}}
simulation: {{step: {}, until: 0.1, coordinates: absolute}}
)",
                                  step));
  };
  EXPECT_EQ(all_messages(leaping(1e-5)), "");
  const CheckReport noted = leaping(1e-4), warned = leaping(1e-3);
  ASSERT_THAT(about(noted, "contact 'guide.1'"), SizeIs(1)) << all_messages(noted);
  EXPECT_EQ(about(noted, "contact 'guide.1'")[0].severity, Severity::note);
  ASSERT_THAT(about(warned, "contact 'guide.1'"), SizeIs(1));
  const Finding finding = about(warned, "contact 'guide.1'")[0];
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_THAT(finding.message, HasSubstr("closes at 3 m/s"));
  EXPECT_THAT(finding.message, HasSubstr("0.003 m in a step"));
  EXPECT_THAT(finding.message,
              HasSubstr("the travel from side to side (twice the gap) is 0.002 m"));
  EXPECT_EQ(finding.where.line, 4);
}

TEST(Check, WarnsOfStepsThatLeapThroughAThinBody) {
  const CheckReport report = check_text(R"(backlash: 1
bodies:
  ball: {mass: 1, inertia: 1, shape: {circle: 5 mm}, initial: {position: [-0.5, 0], velocity: [40, 0]}}
  plate: {mass: 1, inertia: 1, shape: {box: [2 mm, 1]}}
contacts: {hit: {between: [ball, plate], law: steel}}
laws: {steel: {restitution: 0.5}}
simulation: {step: 1e-3, until: 0.1}
)");
  bool warned = false;
  for (const Finding& finding : report.findings)
    warned = warned || finding.message.find("thinner shape is 0.002 m") != std::string::npos;
  EXPECT_TRUE(warned) << all_messages(report);
}

/// A rod that stands on its end at an angle θ to the floor: sliding towards its foot side,
/// p = 1 + 3 cos²θ − 3 μ sin θ cos θ < 0 beyond the critical friction.
class CheckPainleve : public ::testing::TestWithParam<double> {};

CheckReport rod_on_floor(double angle, double friction, const std::string& step = "1e-5") {
  const double half = 0.5;
  return check_text(fmt::format(
      R"(backlash: 1
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  rod: {{mass: 2, inertia: {}, shapes: {{foot: {{point: [{}, 0]}}}},
        initial: {{position: [0, {}], angle: {}}}}}
contacts: {{foot: {{between: [rod.foot, ground.floor], law: chalk}}}}
laws: {{chalk: {{friction: {}}}}}
simulation: {{step: {}, until: 1e-4}}
)",
      2 * half * half / 3, -half, half * std::sin(angle), angle, friction, step));
}

TEST_P(CheckPainleve, IsFoundFromTheCriticalFrictionOn) {
  const double angle = GetParam(), s = std::sin(angle), c = std::cos(angle);
  const double critical = (1 + 3 * c * c) / (3 * std::abs(s * c));
  EXPECT_EQ(all_messages(rod_on_floor(angle, critical - 1e-3)), "");
  const CheckReport report = rod_on_floor(angle, critical + 1e-3);
  ASSERT_THAT(about(report, "contact 'foot'"), SizeIs(1)) << all_messages(report);
  const Finding finding = about(report, "contact 'foot'")[0];
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_THAT(finding.message, HasSubstr("Painlevé"));
  EXPECT_THAT(finding.advice, HasSubstr(fmt::format("below {:.4g}", critical)));
  EXPECT_EQ(finding.where.line, 6);
}

INSTANTIATE_TEST_SUITE_P(AtAngles, CheckPainleve,
                         ::testing::Values(0.5, std::atan(2.0), 1.4, std::numbers::pi - 1.1));

TEST(Check, FindsTheEigenfrequencyAndTheSpringThatMakesIt) {
  const double rate = std::sqrt((3 + 8e6) / 2.0);
  const CheckReport fine = check_text(oscillator(8e6, 1e-5));
  EXPECT_EQ(all_messages(fine), "");
  EXPECT_NEAR(fine.fastest_rate, rate, 1e-6 * rate);
  const CheckReport coarse = check_text(oscillator(8e6, 0.9 * 2 / rate));
  ASSERT_THAT(about(coarse, "force 'stiff'"), SizeIs(1)) << all_messages(coarse);
  EXPECT_EQ(about(coarse, "force 'stiff'")[0].severity, Severity::note);
  const CheckReport unstable = check_text(oscillator(8e6, 1.1 * 2 / rate));
  ASSERT_THAT(about(unstable, "force 'stiff'"), SizeIs(1)) << all_messages(unstable);
  EXPECT_EQ(about(unstable, "force 'stiff'")[0].severity, Severity::warning);
  EXPECT_THAT(about(unstable, "force 'stiff'")[0].message, HasSubstr("guide.u"));
  EXPECT_EQ(about(unstable, "force 'stiff'")[0].where.line, 6);
  const CheckReport implicit = check_text(oscillator(8e6, 1.1 * 2 / rate, ", scheme: theta"));
  ASSERT_THAT(about(implicit, "force 'stiff'"), SizeIs(1));
  EXPECT_EQ(about(implicit, "force 'stiff'")[0].severity, Severity::note);
}

/// The limit that is told is where the scheme itself ceases to be stable.
TEST(Check, TellsTheLimitOfStabilityOfTheScheme) {
  const double limit = 2 / std::sqrt((3 + 8e6) / 2.0);
  for (const double part : {0.99, 1.01}) {
    const Model model = parse_model(oscillator(8e6, part * limit), "model.yaml");
    const Assembly assembly = assemble(model);
    Moreau integrator(*assembly.system, moreau_options(model.simulation.options));
    State state = assembly.start;
    double largest = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(integrator.step(state, {}).status, StepStatus::done);
      largest = std::max(largest, std::abs(state.q[0]));
    }
    EXPECT_EQ(largest > 1e3, part > 1) << largest;
  }
}

/// c/m = 1e5 1/s, and nothing that swings.
TEST(Check, FindsAStepTooLongForADamper) {
  const CheckReport report = check_text(R"(backlash: 1
bodies: {mass: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, mass], initial: {speed: 1}}}
forces: {oil: {type: joint_spring, joint: guide, damping: 2e5}}
simulation: {step: 1e-4, until: 1}
)");
  EXPECT_NEAR(report.fastest_rate, 1e5, 1);
  ASSERT_THAT(about(report, "force 'oil'"), SizeIs(1)) << all_messages(report);
  EXPECT_EQ(about(report, "force 'oil'")[0].severity, Severity::warning);
  EXPECT_THAT(about(report, "force 'oil'")[0].message, HasSubstr("decays within 1e-05 s"));
}

TEST(Check, LooksAtModesThatTheConstraintsAllow) {
  const CheckReport report = check_text(R"(backlash: 1
bodies: {mass: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, mass], axis: [1, 0]}}
forces:
  along: {type: bushing, between: [ground, mass], stiffness: [200, 0, 0]}
  across: {type: bushing, between: [ground, mass], stiffness: [0, 1e12, 1e12]}
simulation: {coordinates: absolute, step: 1e-3}
)");
  EXPECT_NEAR(report.fastest_rate, 10, 1e-6);
  EXPECT_EQ(all_messages(report), "");
}

TEST(Check, TellsOfAFirstStepThatFails) {
  const CheckReport report = check_text(R"(backlash: 1
parameters: {F: 1 N, T: 1 s}
bodies: {mass: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, mass]}}
forces: {push: {type: joint_force, joint: guide, force: F*sqrt(0.0025 - t/T)}}
simulation: {step: 1e-3, until: 1}
)");
  EXPECT_EQ(report.trial.steps, 3);  // the middle of the fourth step lies at 3.5 ms
  EXPECT_THAT(all_messages(report), HasSubstr("step 4 of the run, from t = 0.003 s, fails"));
}

}  // namespace
}  // namespace backlash
