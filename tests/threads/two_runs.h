// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

/// Runs in several threads at once. Also to be run with the thread sanitizer, which watches all of
/// the library, though not Ipopt, NLopt and CVODE: scripts/test --tsan --only threads
namespace backlash::test {

inline std::string falling_ball(const std::string& simulation) {
  return R"(backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 2, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.3]}}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {restitution: 0.5, friction: 0.2}}
output: {every: 0.01}
simulation: )" +
         simulation + "\n";
}

/// Two runs in threads of their own give the bits of one alone.
inline void expect_bits_of_a_run_alone(const std::string& text) {
  const Model model = parse_model(text, "model.yaml");
  RunRecorder alone, together[2];
  ASSERT_EQ(run(model, {}, alone).report.status, RunStatus::done);
  std::thread other([&] { run(model, {}, together[0]); });
  run(model, {}, together[1]);
  other.join();
  for (RunRecorder& recorder : together) {
    EXPECT_EQ(recorder.recording().states, alone.recording().states);
    EXPECT_EQ(recorder.recording().events.size(), alone.recording().events.size());
  }
}

}  // namespace backlash::test
