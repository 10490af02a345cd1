// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/integrator_table.h"
#include "support/built_methods.h"
#include "support/recorded_run.h"

/// What events do at the start of a run stays done, whatever happens in its first step.
namespace backlash::test::event_starts {
namespace {

/// Options of all methods that are built, each with steps of 1 ms.
std::vector<std::string> all_options() {
  std::vector<std::string> all;
  for (const IntegratorEntry& method : integrator_table()) {
    if (!is_built(method)) continue;
    const char* step = method.name == "compliant" ? "max_step" : "step";
    all.push_back(fmt::format("method: {}, {}: 1e-3", method.name, step));
  }
  for (const char* more : {"contact_scheme: original", "scheme: theta", "step: auto"})
    all.push_back(more);
  return all;
}

/// Two disks, each pushed by 1 N m if nothing stops that.
RecordedRun disks(const std::string& events, const std::string& options) {
  return recorded_run(fmt::format(R"(backlash: 1
parameters: {{F: 1 N m}}
bodies: {{a: {{mass: 1, inertia: 0.1}}, b: {{mass: 1, inertia: 0.1}}}}
joints:
  a: {{type: revolute, between: [ground, a]}}
  b: {{type: revolute, between: [ground, b]}}
forces:
  push: {{type: joint_force, joint: a, force: 1 N m}}
  other: {{type: joint_force, joint: b, force: F}}
events: {}
simulation: {{until: 0.05, {}}}
output: {{every: step}}
)",
                                  events, options));
}

TEST(EventStart, StaysDoneWhenAnotherEventHappensInTheFirstStep) {
  for (const std::string& options : all_options())
    for (const char* first : {"at: 0", "when: a.q + 1 rad"})
      for (const char* second : {"at: 1 ms", "at: 0.5 ms", "at: 0.2 ms", "when: \"t > 1 ms\""}) {
        SCOPED_TRACE(fmt::format("{}; {}; {}", options, first, second));
        const RecordedRun run = disks(
            fmt::format(
                "{{one: {{{}, deactivate: [push], set: {{F: 0 N m}}}}, two: {{{}, lock: [b]}}}}",
                first, second),
            options);
        ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
        for (std::size_t row = 1; row < run.rows(); ++row) {
          ASSERT_EQ(run.at("push.active", row), 0);
          ASSERT_EQ(run.at("F.value", row), 0);
          ASSERT_EQ(run.at("a.q", row), 0);
        }
        EXPECT_EQ(run.at("b.locked", run.rows() - 1), 1);
      }
}

TEST(EventStart, KeepsAJointLockedWhenAConditionHoldsAfterTheFirstStep) {
  for (const std::string& options : all_options()) {
    SCOPED_TRACE(options);
    const RecordedRun run =
        disks("{one: {at: 0, lock: [a]}, two: {when: b.u, set: {F: 0 N m}}}", options);
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    for (std::size_t row = 1; row < run.rows(); ++row) {
      ASSERT_EQ(run.at("a.locked", row), 1);
      ASSERT_NEAR(run.at("a.q", row), 0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace backlash::test::event_starts
