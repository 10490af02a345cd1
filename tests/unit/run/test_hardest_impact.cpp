// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::hardest_impact {
namespace {

/// Falls by 1 mm on a floor that is a force, rests there with its weight, and is lifted after a
/// second.
std::string landing(double damping) {
  return fmt::format(R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  ball: {{mass: 1, inertia: 1e-3, shape: {{circle: 0.05}}}}
joints: {{guide: {{type: prismatic, between: [ground, ball], at: [[0, 0.051], [0, 0]], axis: [0, 1]}}}}
forces: {{lift: {{type: joint_force, joint: guide, force: 20, active: false}}}}
events: {{up: {{at: 1, activate: [lift]}}}}
contacts: {{base: {{between: [ball, ground.floor], law: rubber}}}}
laws: {{rubber: {{model: expression, force: "1e5*delta + {}*ddelta"}}}}
simulation: {{method: compliant, until: 1.1}}
)",
                     damping);
}

RunReport report_of(const std::string& text) {
  RunObserver nobody;
  return run(parse_model(text, "landing.yaml"), {}, nobody).report;
}

/// m g over a second is 70 times m v.
TEST(HardestImpact, OfAContactThatCarriesForLongIsWhatItDidAtItsLanding) {
  const double v = std::sqrt(2 * 9.81 * 1e-3);
  for (const double damping : {20.0, 2000.0}) {  // it oscillates; it creeps to rest
    const HardestImpact hardest = report_of(landing(damping)).run.hardest;
    EXPECT_NEAR(hardest.speed, v, 1e-6) << damping;
    EXPECT_GT(hardest.impulse, 0.99 * v) << damping;
    EXPECT_LT(hardest.impulse, 3 * v) << damping;
  }
}

/// At rest, or but for the round-off of a speed that was computed.
TEST(HardestImpact, IsNotAContactThatCarriedFromTheStartOn) {
  for (const char* speed : {"0", "-1e-11"}) {
    std::string text = landing(20);
    text.replace(text.find("0.051"), 5, "0.0499");
    text.replace(text.find("axis: [0, 1]"), 12,
                 fmt::format("axis: [0, 1], initial: {{speed: {}}}", speed));
    text.replace(text.find("until: 1.1"), 10, "until: 1.1, initial_penetration: 1e-3");
    const RunReport report = report_of(text);
    EXPECT_TRUE(std::isnan(report.run.hardest.t)) << speed;
    EXPECT_EQ(report.run.impacts, 0) << speed;
    EXPECT_EQ(report.end.impact_loss, 0) << speed;
  }
}

/// A slow contact that is held down for long has the larger impulse; the blow has the energy.
TEST(HardestImpact, IsTheOneWithTheMostEnergyOfApproach) {
  SystemInfo info;
  info.contacts.resize(1);
  RunSummary summary;
  StepResult result;
  for (const auto& [speed, impulse] : {std::pair{0.12, 38.0}, {6.1, 11.0}, {0.12, 39.0}}) {
    ContactOutcome& over = result.released.emplace_back();
    over.gamma_before[0] = -speed;
    over.impulse[0] = impulse;
  }
  add(result, info, summary);
  EXPECT_EQ(summary.hardest.speed, 6.1);
  EXPECT_EQ(summary.hardest.impulse, 11);
}

TEST(Summary, CountsEachStepThatIsImpreciseOnce) {
  const SystemInfo info;
  RunSummary summary;
  StepResult result;
  result.imprecise = true;
  add(result, info, summary);
  EXPECT_EQ(summary.imprecise_steps, 1);
}

}  // namespace
}  // namespace backlash::test::hardest_impact
