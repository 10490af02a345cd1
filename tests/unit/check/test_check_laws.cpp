// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/check/check.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test_check_laws {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A ball of 2 kg that flies towards a floor at 3 m/s, without gravity.
CheckReport ball(const std::string& law, const std::string& method = "compliant",
                 double step = 1e-4) {
  Model model = parse_model(fmt::format(R"(backlash: 1
bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  ball: {{mass: 2, inertia: 0.01, shape: {{circle: 0.1}}, initial: {{position: [0, 0.3], velocity: [0, -3]}}}}
contacts: {{hit: {{between: [ball, ground], law: steel}}}}
laws:
  steel: {{{}}}
simulation: {{step: {}, until: 0.2}}
)",
                                        law, step),
                            "model.yaml");
  model.simulation.method = method == "rk4" ? "compliant" : method;
  if (method == "rk4") set_option(model.simulation.options, "integrator", method);
  if (method == "compliant") model.simulation.options.clear();
  return check(model);
}

std::vector<Finding> about(const CheckReport& report, const std::string& item) {
  std::vector<Finding> found;
  for (const Finding& finding : report.findings)
    if (finding.item == item) found.push_back(finding);
  return found;
}

TEST(CheckLaws, SayWhatIsDeliveredForWhatIsAskedFor) {
  const auto of = [](const std::string& e) {
    return about(ball("model: lankarani-nikravesh, stiffness: 1e10 N/m^1.5, restitution: " + e),
                 "law 'steel'");
  };
  ASSERT_THAT(of("0.9"), SizeIs(1));
  EXPECT_EQ(of("0.9")[0].severity, Severity::note);
  EXPECT_EQ(of("0.9")[0].where.line, 7);
  EXPECT_THAT(of("0.9")[0].message, HasSubstr("restitution of 0.9 and delivers 0.913177"));
  EXPECT_EQ(of("0.5")[0].severity, Severity::warning);
  EXPECT_THAT(of("0.5")[0].message, HasSubstr("0.5 and delivers 0.725241"));
  EXPECT_THAT(of("1"), SizeIs(0));
  EXPECT_THAT(ball("model: calibrated, stiffness: 1e10 N/m^1.5, restitution: 0.5").findings,
              SizeIs(0));
}

TEST(CheckLaws, PointAtAStiffnessWithoutUnit) {
  const auto of = [](const std::string& keys) {
    return about(ball("model: hertz, " + keys), "law 'steel'");
  };
  ASSERT_THAT(of("stiffness: 1e10"), SizeIs(1));
  EXPECT_EQ(of("stiffness: 1e10")[0].severity, Severity::warning);
  EXPECT_THAT(of("stiffness: 1e10")[0].message,
              HasSubstr("taken as N/m^1.5; in N/mm^1.5 it would be 3.16e+04 times as much"));
  EXPECT_THAT(of("stiffness: 1e10 N/m^1.5"), SizeIs(0));
  EXPECT_THAT(of("stiffness: 1e8, exponent: 1"), SizeIs(0));
}

TEST(CheckLaws, TellWhatAnImpactIsLike) {
  const CheckReport report = ball("model: hertz, stiffness: 1e8 N/m");
  ASSERT_THAT(report.impacts, SizeIs(1));
  const ContactImpact& found = report.impacts[0];
  const double omega = std::sqrt(1e8 / 2);
  EXPECT_EQ(found.law, "steel");
  EXPECT_NEAR(found.mass, 2, 1e-12);
  EXPECT_NEAR(found.speed, 3, 1e-12);
  EXPECT_NEAR(found.impact.peak_depth, 3 / omega, 1e-12);
  EXPECT_NEAR(found.impact.compression_time, M_PI / 2 / omega, 1e-12);
}

TEST(CheckLaws, WarnOfAnImpactThatFillsTheShape) {
  const CheckReport soft = ball("model: hertz, stiffness: 1e4 N/m");  // 3 m/s · √(2/1e4) s deep
  ASSERT_THAT(about(soft, "contact 'hit'"), SizeIs(1));
  EXPECT_THAT(about(soft, "contact 'hit'")[0].message,
              HasSubstr("an impact of 2 kg at 3 m/s goes 0.0424 m deep; the thickness of the "
                        "thinner shape"));
  EXPECT_THAT(about(ball("model: hertz, stiffness: 1e7 N/m"), "contact 'hit'"), SizeIs(0));
}

TEST(CheckLaws, WarnOfAStepTooLongForAnImpactOnlyWhereTheStepIsFixed) {
  const std::string law = "model: hertz, stiffness: 1e8 N/m";  // lasts π √(2/1e8) s
  const double duration = M_PI * std::sqrt(2 / 1e8);
  const auto findings = [&](const std::string& method, double step) {
    return about(ball(law, method, step), "contact 'hit'");
  };
  EXPECT_THAT(findings("rk4", duration / 20.1), SizeIs(0));
  ASSERT_THAT(findings("rk4", duration / 19.9), SizeIs(1));
  EXPECT_EQ(findings("rk4", duration / 19.9)[0].severity, Severity::note);
  EXPECT_EQ(findings("rk4", duration)[0].severity, Severity::warning);
  EXPECT_THAT(findings("rk4", duration)[0].message, HasSubstr("lasts 0.000444 s"));
  EXPECT_THAT(findings("compliant", duration), SizeIs(0));
}

/// A cart of 2 kg on a rail that a force drives into a wall: its corners fly by the wall's ends,
/// where the normal is across the rail, and nothing meets.
TEST(CheckLaws, FeelTheMassAlongANormalThatCanMove) {
  constexpr double mass = 2, speed = 5, way = 0.95 + 11 * 1e-4;  // and a step into it
  for (const double force : {0.0, 100.0})
    for (const char* wall : {"segment: [[1, 1], [1, -1]]", "box: [0.02, 2], at: [1.01, 0]"}) {
      SCOPED_TRACE(fmt::format("{}, {}", wall, force));
      const CheckReport report = check(parse_model(fmt::format(R"(backlash: 1
bodies:
  cart: {{mass: 2, inertia: 0.01, shape: {{box: [0.1, 0.1]}}}}
  ground: {{shape: {{{}}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], initial: {{position: 0, speed: 5}}}}}}
laws: {{hard: {{model: calibrated, stiffness: 1e8 N/m, restitution: 0.5}}}}
contacts: {{wall: {{between: [ground, cart], law: hard}}}}
forces: {{push: {{type: joint_force, joint: rail, force: {} N}}}}
simulation: {{method: compliant, until: 0.5}}
)",
                                                               wall, force),
                                                   "model.yaml"));
      EXPECT_FALSE(report.impacts.empty());
      for (const ContactImpact& found : report.impacts) {
        EXPECT_GE(found.mass, mass * (1 - 1e-12));
        EXPECT_LE(0.5 * found.mass * found.speed * found.speed,  // what there is
                  (0.5 * mass * speed * speed + force * way) * (1 + 1e-9));
        EXPECT_LE(found.mass, 4 * mass);  // of a normal at 60° or less from the rail
      }
      EXPECT_THAT(about(report, "contact 'wall'"), SizeIs(0));
    }
}

TEST(CheckLaws, FindAFormulaThatDoesNotPartWhatMeets) {
  const auto of = [](const std::string& force) {
    return about(ball("model: expression, force: " + force), "contact 'hit'");
  };
  EXPECT_THAT(of("1e9*delta^1.5"), SizeIs(0));
  ASSERT_THAT(of("1e9*delta*step(ddelta)"), SizeIs(1));
  EXPECT_THAT(of("1e9*delta*step(ddelta)")[0].message, HasSubstr("does not part"));
}

TEST(CheckLaws, OfACompliantContactAreNoneForMoreau) {
  const CheckReport report = ball("model: hertz, stiffness: 1e8 N/m", "moreau", 1e-5);
  ASSERT_EQ(count(report, Severity::error), 1);
  EXPECT_EQ(report.findings[0].item, "contact 'hit'");
  EXPECT_EQ(report.findings[0].where.line, 5);
  EXPECT_THAT(report.findings[0].advice, HasSubstr("--method compliant"));
}

TEST(CheckLaws, OnAnAngleAreOnALeverOfOneMetre) {
  Model model = parse_model(R"(backlash: 1
bodies: {arm: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, arm], limits: {lower: -1, law: x}}}
laws: {x: {model: hertz, stiffness: 1e6 N/m}}
)",
                            "model.yaml");
  model.simulation.method = "compliant";
  const CheckReport report = check(model);
  ASSERT_THAT(about(report, "contact 'pin.lower'"), SizeIs(1));
  EXPECT_THAT(about(report, "contact 'pin.lower'")[0].message, HasSubstr("N m/rad"));
}

}  // namespace
}  // namespace backlash::test_check_laws
