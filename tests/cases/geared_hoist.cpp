// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/paths.h"
#include "support/recorded_run.h"

namespace backlash::test::geared_hoist {
namespace {

TEST(GearedHoist, LiftsAsFastAsMotorAndWeightAgreeOn) {
  const RecordedRun run =
      recorded_run(read_model(source_folder() + "/examples/geared_hoist/model.yaml"));
  const double m = 50, end = 1, g = 9.81, r = 0.1, n = 30, M = 2, w0 = 100 * std::numbers::pi;
  const double torque = (m + end) * g * r, w = w0 / n * (1 - torque / (n * M));
  const std::size_t last = run.rows() - 1;
  EXPECT_NEAR(run.at("load.vy", last), r * w, 1e-6);
  EXPECT_NEAR(run.at("rope.tension", last), m * g, 1e-3);
  EXPECT_NEAR(run.at("motor.torque", last), torque / n, 1e-6);
  EXPECT_NEAR(run.at("motor_power", last), torque * w, 1e-4);
  EXPECT_NEAR(run.at("lift_power", last), m * g * r * w, 1e-3);
  EXPECT_EQ(run.unit("motor_power"), "W");
}

TEST(GearedHoist, RopeAndFloorShareTheWeightUntilTheLoadIsLifted) {
  const RecordedRun run =
      recorded_run(read_model(source_folder() + "/examples/geared_hoist/model.yaml"));
  const double weight = 50 * 9.81;
  bool lifted = false;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double rope = run.at("rope.tension", i), floor = run.at("on_floor", i);
    EXPECT_GE(rope, 0);
    if (run.at("rope.length", i) < 2) {
      EXPECT_EQ(rope, 0);
    }
    if (rope == 0 && !lifted) {
      EXPECT_NEAR(floor, weight, 1e-6);
    }
    lifted = lifted || run.at("guide.q", i) > 1e-6;
    if (run.at("guide.q", i) > 1e-3) {
      EXPECT_EQ(floor, 0);
    }
  }
  EXPECT_TRUE(lifted);
}

}  // namespace
}  // namespace backlash::test::geared_hoist
