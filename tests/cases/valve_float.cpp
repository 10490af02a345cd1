// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The valve of docs/how-to/design-a-cam.md: the model of the page, below and above the speed at
// which design_cam() says that it lifts off.
#include <cmath>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/cam_design.h"
#include "support/models.h"
#include "support/paths.h"
#include "support/runs.h"

namespace backlash::test::valve_float {
namespace {

/// The model on the page, at another speed [rad/s].
std::string model_at(double speed) {
  std::ifstream page(source_folder() + "/docs/how-to/design-a-cam.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  const std::string begin = "```yaml\n", given = "speed: 250 rad/s";
  const std::size_t first = text.find(begin) + begin.size();
  std::string model = text.substr(first, text.find("```", first) - first);
  const std::size_t at = model.find(given);
  EXPECT_NE(at, std::string::npos);
  return model.replace(at, given.size(), fmt::format("speed: {} rad/s", speed));
}

/// Steps in which the valve did not touch the cam, of one turn.
int open_steps(double speed) {
  const Assembly assembly = assemble(parse_model(model_at(speed), "design-a-cam.md"));
  int open = 0;
  run(*assembly.system, assembly.start, 2e-6, 0.02, {},
      [&](const State&, const StepResult& result) { open += result.contacts.empty(); });
  return open;
}

double lift_off_speed() {
  const Model model = parse_model(model_at(250), "design-a-cam.md");
  return design_cam(model, {.points = 3600}).lift_off_speed;
}

TEST(ValveFloat, BeginsAtTheSpeedThatTheDesignSays) {
  // min √((F0 + k s)/(−m s″)) over the falling half of the rise, 3-4-5 polynomial, by hand.
  double expected = INFINITY;
  const double h = 0.008, beta = std::acos(-1.0) / 3;
  for (double x = 0.5001; x < 1; x += 1e-5) {
    const double s = h * x * x * x * (10 + x * (-15 + 6 * x));
    const double bend = h / (beta * beta) * (60 * x - 180 * x * x + 120 * x * x * x);
    expected = std::min(expected, std::sqrt((200 + 2e4 * s) / (-0.1 * bend)));
  }
  const double speed = lift_off_speed();
  EXPECT_NEAR(speed, expected, 1e-4 * expected);
  EXPECT_EQ(open_steps(0.98 * speed), 0);
  EXPECT_GT(open_steps(1.02 * speed), 100);
}

}  // namespace
}  // namespace backlash::test::valve_float
