// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test_loads {
namespace {

constexpr double pi = std::numbers::pi;

RunReport run_text(const std::string& text) {
  RunRecorder recorder;
  return run(parse_model(text, "model.yaml"), {}, recorder).report;
}

/// A mass of 2 kg at 0.3 m, turned at ω = 2π/s from the horizontal: torque m g r cos ωt.
constexpr const char* turned = R"(backlash: 1
gravity: [0, -9.81]
bodies: {arm: {mass: 2, inertia: 0.01, com: [0.3, 0]}}
joints: {main: {type: revolute, between: [ground, arm], drive: {speed: 2*pi}}}
simulation: {step: 1e-3, until: 1}
output: {every: 0.05}
)";

TEST(RunLoads, OfATurnedMassAreItsMomentAndItsCentripetalForce) {
  const RunLoads loads = run_text(turned).loads;
  const double m = 2, g = 9.81, r = 0.3, omega = 2 * pi;
  ASSERT_EQ(loads.drives.size(), 1u);
  const DriveLoad& drive = loads.drives[0];
  EXPECT_EQ(drive.joint, "main");
  EXPECT_EQ(drive.unit, GapUnit::radian);
  // The mean of a step of 1 ms around the peak: less by (ωΔt)²/24 of it, 1.6e-6.
  EXPECT_NEAR(std::abs(drive.load.value), m * g * r, 1e-5 * m * g * r);
  EXPECT_NEAR(std::abs(drive.power.value), m * g * r * omega, 1e-5 * m * g * r * omega);
  EXPECT_NEAR(drive.mean_load(), 0, 1e-9);
  EXPECT_NEAR(drive.mean_power(), 0, 1e-9);
  EXPECT_NEAR(drive.time, 1, 1e-12);
  ASSERT_EQ(loads.joints.size(), 1u);
  EXPECT_EQ(loads.joints[0].joint, "main");
  const PeakLoad& force = loads.joints[0].force;
  EXPECT_NEAR(force.value, m * (g + omega * omega * r), 1e-4);
  EXPECT_NEAR(force.t, 0.75, 1e-3);  // where it hangs straight down, within a step
  EXPECT_NEAR(loads.joints[0].torque.value, m * g * r, 1e-5 * m * g * r);
}

TEST(RunLoads, OfAHoistAreWeightAndInertiaAndThePowerAtItsEnd) {
  const RunLoads loads = run_text(R"(backlash: 1
parameters: {a: 1 m/s^2}
gravity: [0, -9.81]
bodies: {load: {mass: 5, inertia: 0.1}}
joints: {lift: {type: prismatic, between: [ground, load], axis: [0, 1], drive: {position: a*t^2}}}
simulation: {step: 1e-3, until: 2}
)")
                             .loads;
  ASSERT_EQ(loads.drives.size(), 1u);
  const DriveLoad& drive = loads.drives[0];
  const double force = 5 * (9.81 + 2);
  EXPECT_EQ(drive.unit, GapUnit::metre);
  EXPECT_NEAR(drive.load.value, force, 1e-8);
  EXPECT_NEAR(drive.mean_load(), force, 1e-8);
  EXPECT_NEAR(drive.power.value, force * 2 * (2 - 0.5e-3), 1e-6);  // in the middle of the last step
  EXPECT_NEAR(drive.power.t, 2 - 0.5e-3, 1e-9);
  EXPECT_NEAR(drive.work, force * 4, 1e-6);
  EXPECT_NEAR(drive.mean_power(), force * 2, 1e-6);
}

TEST(RunLoads, OfContactsLeaveImpactsOut) {
  const RunReport report = run_text(R"(backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.3]}}
contacts: {hit: {between: [ball, ground], law: lead}}
laws: {lead: {restitution: 0}}
simulation: {step: 1e-3, until: 0.5}
)");
  EXPECT_NEAR(report.run.hardest.impulse, 2 * std::sqrt(2 * 9.81 * 0.2), 0.03);
  EXPECT_NEAR(report.loads.contact.force.value, 2 * 9.81, 1e-9);
  EXPECT_EQ(report.loads.contact.contact, "hit");
  EXPECT_TRUE(std::isnan(report.loads.angular_contact.force.t));
}

TEST(RunLoads, OfAStopAreATorque) {
  const RunLoads loads = run_text(R"(backlash: 1
gravity: [0, -9.81]
bodies: {arm: {mass: 2, inertia: 0.01, com: [0.3, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], limits: {lower: 0, law: lead}}
laws: {lead: {restitution: 0}}
simulation: {step: 1e-3, until: 0.1}
)")
                             .loads;
  EXPECT_NEAR(loads.angular_contact.force.value, 2 * 9.81 * 0.3, 1e-9);
  EXPECT_TRUE(std::isnan(loads.contact.force.t));
}

TEST(RunLoads, GoOnWhereARunIsResumed) {
  const Model model = parse_model(turned, "model.yaml");
  RunRecorder whole;
  const RunLoads expected = run(model, {}, whole).report.loads;
  /// Stops after 300 steps, and saves.
  class Half final : public RunRecorder {
   public:
    std::string progress, recorder;
    void begin(const RunStart& start) override {
      RunRecorder::begin(start);
      progress_ = &start.progress;
    }
    bool observe(const State& state, const StepResult& result) override {
      RunRecorder::observe(state, result);
      if (++steps_ < 300) return true;
      recording().clear();
      progress = save(*progress_);
      recorder = save_recorder();
      return false;
    }

   private:
    const RunProgress* progress_ = nullptr;
    int steps_ = 0;
  } half;
  run(model, {}, half);
  class Rest final : public RunRecorder {
   public:
    std::string saved;
    void begin(const RunStart& start) override {
      RunRecorder::begin(start);
      restore_recorder(saved, start.progress.state);
    }
  } rest;
  rest.saved = half.recorder;
  const RunLoads loads = run(model, {.resume = half.progress}, rest).report.loads;
  EXPECT_EQ(loads.drives.at(0).work, expected.drives.at(0).work);
  EXPECT_EQ(loads.drives.at(0).load.value, expected.drives.at(0).load.value);
  EXPECT_EQ(loads.drives.at(0).load.t, expected.drives.at(0).load.t);
  EXPECT_EQ(loads.drives.at(0).joint, "main");
  EXPECT_EQ(loads.joints.at(0).force.t, expected.joints.at(0).force.t);
}

TEST(RunLoads, AreNotKnownWhereNobodyLooks) {
  RunObserver nobody;
  EXPECT_TRUE(run(parse_model(turned, "model.yaml"), {}, nobody).report.loads.joints.empty());
}

}  // namespace
}  // namespace backlash::test_loads
