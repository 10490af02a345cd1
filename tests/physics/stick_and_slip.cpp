// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// When contacts are said to stick and to slide: not by round-off, nor where sliding reverses.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::stick_and_slip {
namespace {

std::map<EventKind, long> events_of(const std::string& text) {
  RunRecorder recorder;
  const RunOutcome outcome = run(parse_model("backlash: 1\n" + text, "model.yaml"), {}, recorder);
  EXPECT_EQ(outcome.report.status, RunStatus::done) << outcome.report.message;
  std::map<EventKind, long> count;
  for (const Event& event : recorder.recording().events) ++count[event.kind];
  return count;
}

/// A runner that slides to and fro in a round bowl, and comes to rest once.
TEST(StickAndSlip, OfARunnerInABowlSticksOnce) {
  for (const char* step : {"1e-3", "1e-4", "2e-5"}) {
    const auto count = events_of(fmt::format(R"(gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{bowl: {{ring: 0.5}}}}}}
  runner: {{mass: 0.3, inertia: 1e-3, shape: {{point: [0, 0]}}, initial: {{position: [0, -0.5], velocity: [7, 0]}}}}
contacts: {{slide: {{between: [runner, ground.bowl], law: wood}}}}
laws: {{wood: {{friction: 0.15}}}}
simulation: {{until: 6, step: {}}}
)",
                                             step));
    EXPECT_EQ(count.contains(EventKind::stick) ? count.at(EventKind::stick) : 0, 1) << step;
    EXPECT_FALSE(count.contains(EventKind::slip)) << step;
  }
}

/// A disk pressed into a notch, with friction at both sides: how they share the load is not
/// determined, but it is the same in every step, and nothing moves.
TEST(StickAndSlip, OfADiskHeldInANotchIsConstant) {
  const Model model = parse_model(R"(backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {left: {line: {normal: [0.8, 0.6]}}, right: {line: {normal: [-0.7071, 0.7071]}}}}
  disk: {mass: 0.3, inertia: 1e-3, shape: {circle: 0.05}, initial: {position: [0, 0.2]}}
forces: {twist: {type: torque, body: disk, torque: 5e-3}}
contacts: {sides: {between: [disk, ground], law: rough}}
laws: {rough: {friction: 0.4}}
simulation: {until: 1.5, step: 1e-4}
)",
                                  "model.yaml");
  struct Observer : RunRecorder {
    std::map<ContactKey, double> last{}, change{};
    long modes = 0;
    bool observe(const State& state, const StepResult& result) override {
      if (state.t > 1.2)
        for (const ContactOutcome& contact : result.contacts) {
          modes += contact.before != contact.state;
          double& before = last[contact.key];
          double& most = change[contact.key];
          if (before != 0) most = std::max(most, std::abs(contact.impulse[0] / before - 1));
          before = contact.impulse[0];
        }
      return RunRecorder::observe(state, result);
    }
  } observer;
  const RunOutcome outcome = run(model, {}, observer);
  EXPECT_EQ(outcome.report.status, RunStatus::done) << outcome.report.message;
  EXPECT_EQ(observer.modes, 0);
  ASSERT_EQ(observer.change.size(), 2u);
  for (const auto& [key, change] : observer.change) EXPECT_LT(change, 1e-6);
}

}  // namespace
}  // namespace backlash::test::stick_and_slip
