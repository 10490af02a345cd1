// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cases/example.h"

// Examples of parts that are written once and repeated: a ratchet, a chain, a bearing.

namespace backlash::test::examples_repeated {
namespace {

/// Rests in the same place of one tooth or another.
TEST(ExampleRatchet, HoldsTheWheelInOneOfTwentyFourPlacesWhateverItsSpeed) {
  double first = 0;
  for (const char* speed : {"30 rad/s", "20 rad/s", "10 rad/s"}) {
    SCOPED_TRACE(speed);
    const Example ratchet("ratchet/model.yaml", {std::string("speed=") + speed});
    const ExampleRun done = run(ratchet, 5e-5, 0.3);
    const BodyMotion wheel = ratchet.body(done.end, "wheel");
    EXPECT_NEAR(wheel.w_W.z(), 0, 1e-9);
    const double teeth = wheel.angle / ratchet["pitch"];
    if (first == 0) first = teeth;
    EXPECT_NEAR(first - teeth, std::round(first - teeth), 1e-6);
    EXPECT_GT(wheel.angle, 84 * std::numbers::pi / 180);  // it has not gone back
    EXPECT_LT(done.imbalance(), 1e-5);
  }
}

TEST(ExampleChainDrive, TurnsTheDrivenSprocketAsFarAsTheDriverButForItsPlay) {
  const Example chain("chain_drive/model.yaml");
  EXPECT_EQ(chain.model.bodies.size(), 62u);
  const double start = chain["start"], radius = chain["radius"];
  double most = 0;
  const ExampleRun done = run(chain, 1e-4, 0.03, [&](const State& state, const StepResult&) {
    const double driver = chain.body(state, "driver").angle - start;
    const double driven = chain.body(state, "driven").angle - start;
    most = std::max(most, std::abs(driven - driver) * radius);
  });
  const double turned = chain.body(done.end, "driver").angle - start;
  EXPECT_NEAR(turned, chain["speed"] * (0.03 - chain["ramp"] / 2), 1e-9);
  EXPECT_LT(most, 2.5 * chain["play"]);  // on the side of either sprocket, and what a tooth gives
  EXPECT_LT(chain.loop_error(done.end), 1e-10);
  EXPECT_LT(done.imbalance(), 1e-3);
}

/// Balls that carry roll on both tracks: their centres go half as fast as the shaft's surface.
/// Where they carry nothing they slide, and the cage pushes them.
TEST(ExampleBallBearing, TurnsItsCageNearlyAsFastAsBallsThatRoll) {
  const Example bearing("ball_bearing/model.yaml");
  const double inner = bearing["inner"], ball = bearing["ball"], play = bearing["play"];
  const double rolling = bearing["speed"] * inner / (2 * (inner + ball));
  double farthest = 0, angle = 0;
  const ExampleRun done = run(bearing, 1e-4, 0.3, [&](const State& state, const StepResult&) {
    if (state.t < 0.2)
      angle = bearing.body(state, "cage").angle;
    else
      farthest = std::max(farthest, bearing.body(state, "housing").p_W.norm());
  });
  const double mean = (bearing.body(done.end, "cage").angle - angle) / 0.1;
  EXPECT_GT(mean, 0.93 * rolling);
  EXPECT_LT(mean, 1.001 * rolling);
  // It hangs on a ball at the top, or on two beside it.
  EXPECT_NEAR(farthest, play / std::cos(bearing["apart"] / 2), 0.05 * play);
  EXPECT_LT(done.imbalance(), 1e-2);
}

}  // namespace
}  // namespace backlash::test::examples_repeated
