// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/integrator_table.h"
#include "support/built_methods.h"
#include "support/recorded_run.h"

/// What joints do at once when events lock them or turn their drives on (theory 4.31): a percussion
/// in the columns .impact_…, and no force.
namespace backlash::test::event_percussions {
namespace {

constexpr double mass = 1, J = 0.01, com = 0.1, omega = 10;
constexpr double about_axle = J + mass * com * com;
/// Of the bearing while it turns [N].
constexpr double centripetal = mass * com * omega * omega;

struct Case {
  std::string name, options;
};

/// All methods that are built, in both choices of coordinates.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const IntegratorEntry& method : integrator_table()) {
    if (!is_built(method)) continue;
    for (const char* coordinates : {"joint", "absolute"}) {
      const std::string both = fmt::format("method: {}, coordinates: {}", method.name, coordinates);
      if (method.name == "compliant") {
        cases.push_back({both, both});
        continue;
      }
      for (const char* step : {"1e-3", "1e-4"})
        cases.push_back({both + " " + step, fmt::format("{}, step: {}", both, step)});
    }
  }
  cases.push_back({"step: auto", "step: auto"});
  return cases;
}

double sum_of(const RecordedRun& run, const std::string& name) {
  const std::vector<double> all = run.all(name);
  return std::accumulate(all.begin(), all.end(), 0.0);
}

/// All that a joint gave, by means and percussions.
double impulse_of(const RecordedRun& run, const std::string& quantity) {
  double sum = sum_of(run, "a.impact_" + quantity);
  for (std::size_t i = 1; i < run.rows(); ++i)
    sum += run.at("a." + quantity, i) * (run.at("t", i) - run.at("t", i - 1));
  return sum;
}

double largest(const RecordedRun& run, const std::string& name) {
  const std::vector<double> all = run.all(name);
  return *std::max_element(all.begin(), all.end());
}

RecordedRun wheel(const std::string& rest, const std::string& options, const char* every = "0.01") {
  return recorded_run(fmt::format(R"(backlash: 1
bodies: {{wheel: {{mass: {}, inertia: {}, com: [{}, 0]}}}}
{}simulation: {{until: 0.1, {}}}
output: {{every: {}}}
)",
                                  mass, J, com, rest, options, every));
}

/// An eccentric wheel that its joint locks: the bearing takes its momentum, m c ω, and the lock its
/// angular momentum.
TEST(EventPercussion, OfALockIsTheMomentumThatItTakes) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    const RecordedRun run = wheel(R"(joints:
  a: {type: revolute, between: [ground, wheel], initial: {speed: 10}}
events: {grip: {at: 0.05, lock: [a]}}
)",
                                  c.options);
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    const double angle = omega * 0.05, momentum = mass * com * omega;
    EXPECT_NEAR(sum_of(run, "a.impact_torque"), -about_axle * omega, 1e-6);
    EXPECT_NEAR(sum_of(run, "a.impact_fx"), momentum * std::sin(angle), 1e-6);
    EXPECT_NEAR(sum_of(run, "a.impact_fy"), -momentum * std::cos(angle), 1e-6);
    EXPECT_NEAR(largest(run, "a.peak_force"), centripetal, 1e-3 * centripetal);
    EXPECT_NEAR(largest(run, "a.peak_torque"), 0, 1e-6);
    ASSERT_EQ(run.report.loads.joints.size(), 1u);
    EXPECT_NEAR(run.report.loads.joints[0].force.value, centripetal, 1e-3 * centripetal);
    const std::vector<double> t = run.all("t"), impact = run.all("a.impact_torque");
    for (std::size_t i = 0; i < t.size(); ++i)  // in the row that ends there, and in no other
      EXPECT_EQ(impact[i] != 0, std::abs(t[i] - 0.05) < 1e-9) << t[i];
  }
}

TEST(EventPercussion, OfALockAtTheStartIsInTheFirstRow) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    const RecordedRun run = wheel(R"(joints:
  a: {type: revolute, between: [ground, wheel], initial: {speed: 10}}
events: {grip: {at: 0, lock: [a]}}
)",
                                  c.options);
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    EXPECT_NEAR(run.at("a.impact_torque", 1), -about_axle * omega, 1e-9);
    EXPECT_NEAR(run.at("a.impact_fx", 1), 0, 1e-9);
    EXPECT_NEAR(run.at("a.impact_fy", 1), -mass * com * omega, 1e-9);
    EXPECT_NEAR(sum_of(run, "a.impact_torque"), -about_axle * omega, 1e-9);
    EXPECT_NEAR(largest(run, "a.peak_force"), 0, 1e-6);
    EXPECT_NEAR(largest(run, "a.peak_torque"), 0, 1e-6);
    EXPECT_NEAR(run.at("a.u", 1), 0, 1e-12);
  }
}

/// A drive that goes on at another speed than the wheel's: its joint gives the jump of the
/// momentum, and the mean load of the drive has it.
TEST(EventPercussion, OfADriveThatIsTurnedOnIsTheJumpOfTheMomentum) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    const RecordedRun run = wheel(R"(joints:
  a: {type: revolute, between: [ground, wheel], drive: {speed: 10 rad/s}}
forces: {brake: {type: joint_force, joint: a, force: -1 N m, active: false}}
events:
  off: {at: 0.02, deactivate: [a.drive], activate: [brake]}
  on: {at: 0.06, activate: [a.drive], deactivate: [brake]}
)",
                                  c.options);
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    const double slowed = 0.04 * 1 / about_axle;  // [rad/s]
    EXPECT_NEAR(sum_of(run, "a.impact_torque"), about_axle * slowed, 1e-5);
    EXPECT_NEAR(std::hypot(sum_of(run, "a.impact_fx"), sum_of(run, "a.impact_fy")),
                mass * com * slowed, 1e-5);
    const double largest_force = std::hypot(centripetal, mass * com * 1 / about_axle);
    EXPECT_LT(largest(run, "a.peak_force"), 1.001 * largest_force);
    ASSERT_EQ(run.report.loads.drives.size(), 1u);
    EXPECT_NEAR(run.report.loads.drives[0].impulse, about_axle * slowed, 1e-5);
  }
}

/// Means and percussions together are all that the joint gave, also in rows that lie within steps.
TEST(EventPercussion, AndTheMeansAreAllThatTheJointGave) {
  for (const char* at : {"0.0503", "0"}) {
    SCOPED_TRACE(at);
    const RecordedRun run = wheel(fmt::format(R"(joints:
  a: {{type: revolute, between: [ground, wheel], initial: {{speed: 10}}}}
events: {{grip: {{at: {}, lock: [a]}}}}
)",
                                              at),
                                  "step: 1e-3", "3e-4");
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    EXPECT_NEAR(impulse_of(run, "fy"), -mass * com * omega, 1e-5);  // as it moves at the start
    EXPECT_NEAR(impulse_of(run, "fx"), 0, 1e-5);
    EXPECT_NEAR(largest(run, "a.peak_force"), *at == '0' && at[1] == 0 ? 0 : centripetal, 1e-2);
    for (std::size_t i = 1; i < run.rows(); ++i) {  // speeds do not go over in rows within a step
      const double u = run.at("a.u", i);
      EXPECT_LT(std::min(std::abs(u), std::abs(u - omega)), 1e-9) << run.at("t", i);
      const double made = run.at("energy.made_by_method", i);
      EXPECT_NEAR(made, 0, 1e-9) << run.at("t", i);
    }
  }
}

/// Two wheels on one axle that a joint between them locks: its own percussion is that of one wheel,
/// the axle's none.
TEST(EventPercussion, OfACouplingIsWhatOneGivesTheOther) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    const RecordedRun run = recorded_run(fmt::format(R"(backlash: 1
bodies: {{first: {{mass: 1, inertia: 2}}, second: {{mass: 1, inertia: 3}}}}
joints:
  axle: {{type: revolute, between: [ground, first], initial: {{speed: 4}}}}
  hub: {{type: revolute, between: [first, second], initial: {{speed: -5}}}}
events: {{stick: {{at: 0.05, lock: [hub]}}}}
simulation: {{until: 0.1, {}}}
output: {{every: 0.01}}
)",
                                                     c.options));
    const double common = (2.0 * 4 + 3.0 * -1) / 5;
    EXPECT_NEAR(sum_of(run, "hub.impact_torque"), 3 * (common + 1), 1e-8);
    EXPECT_NEAR(sum_of(run, "axle.impact_torque"), 0, 1e-8);
    EXPECT_NEAR(largest(run, "hub.peak_torque"), 0, 1e-6);
  }
}

}  // namespace
}  // namespace backlash::test::event_percussions
