// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cases/example.h"

// Examples that close loops: their kinematics are known, and both kinds of coordinates must agree.

namespace backlash::test::examples_loops {
namespace {

constexpr double pi = std::numbers::pi;

/// The angle of the four-bar's rocker when its crank has the angle θ, all pins being exact.
double rocker_angle(const Example& bars, double theta) {
  const double a = bars["crank_length"], b = bars["coupler_length"], c = bars["rocker_length"];
  const Vec2 to_pivot(bars["ground_length"] - a * std::cos(theta), -a * std::sin(theta));
  const double d = to_pivot.norm();
  return pi + std::atan2(to_pivot.y(), to_pivot.x()) -
         std::acos((d * d + c * c - b * b) / (2 * d * c));
}

TEST(ExampleFourBar, StartsClosedAsItsParametersSay) {
  const Example bars("four_bar/model.yaml");
  EXPECT_TRUE(bars.assembly.report.adjusted.empty());
  EXPECT_EQ(bars.assembly.report.dofs, 1);
  EXPECT_NEAR(bars.body(bars.assembly.start, "rocker").angle, rocker_angle(bars, bars["angle"]),
              1e-13);
}

TEST(ExampleFourBar, RocksBetweenTheAnglesWhereCrankAndCouplerAreInLine) {
  const Example bars("four_bar/model.yaml");
  const double a = bars["crank_length"], b = bars["coupler_length"], c = bars["rocker_length"],
               g = bars["ground_length"];
  const auto in_line = [&](double reach) {
    return pi - std::acos((g * g + c * c - reach * reach) / (2 * g * c));
  };
  double low = INFINITY, high = -INFINITY, off = 0, open = 0;
  const ExampleRun found = run(bars, 1e-4, 0.5, [&](const State& state, const StepResult&) {
    const double angle = bars.body(state, "rocker").angle;
    low = std::min(low, angle);
    high = std::max(high, angle);
    off = std::max(off, std::abs(angle - rocker_angle(bars, bars.body(state, "crank").angle)));
    open = std::max(open, bars.loop_error(state));
  });
  EXPECT_NEAR(low, in_line(b + a), 1e-5);
  EXPECT_NEAR(high, in_line(b - a), 1e-5);
  EXPECT_LT(off, 1e-10);
  EXPECT_LT(open, 1e-10 * bars.system().info().length);
  EXPECT_LT(found.imbalance(), 1e-4);
}

TEST(ExampleFourBar, KeepsItsEnergyToSecondOrderInBothCoordinates) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Example bars("four_bar/model.yaml", {}, coordinates);
    const double coarse = run(bars, 2e-4, 0.5).imbalance(), fine = run(bars, 1e-4, 0.5).imbalance();
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
  }
}

TEST(ExampleFourBar, WithPlayStaysAsCloseToTheIdealOneAsThePinsAllow) {
  Example bars("four_bar/clearance.yaml");
  set_option(bars.model.simulation.options, "contact_scheme", "lasting");
  const double play = bars["c"], speed = bars["speed"];
  double most = 0, eccentric = 0;
  const ExampleRun found = run(bars, 1e-5, 0.2, [&](const State& state, const StepResult&) {
    const BodyMotion crank = bars.body(state, "crank"), coupler = bars.body(state, "coupler"),
                     rocker = bars.body(state, "rocker");
    EXPECT_NEAR(crank.angle, bars["angle"] + speed * state.t, 1e-9);
    const auto end = [&](const BodyMotion& body, const char* length) -> Vec2 {
      return body.p_W.head<2>() + bars[length] * Vec2(std::cos(body.angle), std::sin(body.angle));
    };
    eccentric = std::max({eccentric, (end(crank, "crank_length") - coupler.p_W.head<2>()).norm(),
                          (end(coupler, "coupler_length") - end(rocker, "rocker_length")).norm(),
                          (rocker.p_W.head<2>() - Vec2(bars["ground_length"], 0)).norm()});
    // Three pins off by c each move the rocker's end along the coupler by no more than 3 c.
    const double transmission = std::abs(std::sin(coupler.angle - rocker.angle));
    most = std::max(most, std::abs(rocker.angle - rocker_angle(bars, crank.angle)) * transmission *
                              bars["rocker_length"]);
  });
  EXPECT_LT(most, 3.1 * play);
  EXPECT_GT(most, 0.5 * play);
  EXPECT_GT(eccentric, play);
  EXPECT_LT(eccentric, 1.05 * play);
  for (const char* pin : {"B.1", "C.1", "D.1"})
    EXPECT_GE(found.times(EventKind::impact, bars.contact(pin)).size(), 5u) << pin;
  EXPECT_LT(found.imbalance(), 0.005);
}

TEST(ExampleParallelogram, SwingsAsOnePendulumThoughOneBarIsTooMany) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Example swing("parallelogram/model.yaml", {}, coordinates);
    EXPECT_EQ(swing.assembly.report.dofs, 1);
    EXPECT_LE(swing.assembly.report.dofs_by_counting, 0);
    EXPECT_EQ(swing.assembly.report.redundant.size(), 1u);
    const double m = swing["bar_mass"], M = swing["coupler_mass"], g = swing["gravity"];
    const double frequency = std::sqrt((1.5 * m + M) / (m + M) * g / swing["height"]);
    // Of a pendulum: T = 2π/(ω M(1, cos ψ/2)), M the arithmetic-geometric mean.
    double x = 1, y = std::cos((swing["angle"] + pi / 2) / 2);
    while (std::abs(x - y) > 1e-15) {
      const double mean = (x + y) / 2;
      y = std::sqrt(x * y);
      x = mean;
    }
    const double period = 2 * pi / (frequency * x);
    double tilt = 0, apart = 0;
    const auto error = [&](double step) {
      const ExampleRun found =
          run(swing, step, 0.75 * period, [&](const State& s, const StepResult&) {
            tilt = std::max(tilt, std::abs(swing.body(s, "coupler").angle));
            apart = std::max(apart,
                             std::abs(swing.body(s, "left").angle - swing.body(s, "right").angle));
          });
      EXPECT_LT(found.imbalance(), 1e-4);
      EXPECT_LT(swing.loop_error(found.end), 1e-10 * swing.system().info().length);
      return std::abs(swing.body(found.end, "middle").angle + pi / 2);  // hangs straight down
    };
    const double coarse = error(1e-3), fine = error(5e-4);
    EXPECT_LT(fine, 1e-5);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
    EXPECT_LT(tilt, 1e-10);
    EXPECT_LT(apart, 1e-10);
  }
}

TEST(ExampleParallelogram, PassesTheHorizontalWhereMoreRowsDependOnEachOther) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Example swing("parallelogram/model.yaml", {"angle=10 deg"}, coordinates);
    double tilt = 0, lowest = 1, residual = 0;
    const ExampleRun found = run(swing, 1e-4, 1.3, [&](const State& s, const StepResult& result) {
      tilt = std::max(tilt, std::abs(swing.body(s, "coupler").angle));
      lowest = std::min(lowest, swing.body(s, "left").angle);
      residual = std::max(residual, result.relative_residual);
    });
    EXPECT_LT(lowest, -pi);  // and past the horizontal on the other side
    EXPECT_LT(tilt, 1e-6);
    EXPECT_LT(residual, 1e-8);
    EXPECT_LT(std::abs(found.imbalance()), 1e-6);
  }
}

TEST(ExampleSliderCrankRevoluteClearance, KeepsThePinWithinItsPlay) {
  const Example crank("slider_crank_revolute_clearance/model.yaml");
  const double l1 = crank["l1"], l2 = crank["l2"], c = crank["c"], speed = crank["speed"];
  double early = 0, late = 0, distance = 0;
  const auto watch = [&](const State& state, const StepResult&) {
    const double x = crank.body(state, "slider").p_W.x(), theta = speed * state.t;
    const auto ideal = [&](double rod) {
      return l1 * std::cos(theta) + std::sqrt(rod * rod - std::pow(l1 * std::sin(theta), 2));
    };
    early = std::max(early, ideal(l2 - c) - x);
    late = std::max(late, x - ideal(l2 + c));
    distance = std::max(distance, std::abs(x - ideal(l2)));
  };
  const ExampleRun coarse = run(crank, 4e-6, 0.012, watch), fine = run(crank, 5e-7, 0.012, watch);
  EXPECT_LT(early, 0.02 * c);  // the deepest penetration
  EXPECT_LT(late, 0.02 * c);
  EXPECT_GT(distance, 0.5 * c);
  EXPECT_GE(fine.times(EventKind::impact, crank.contact("pin.1")).size(), 20u);
  EXPECT_LT(fine.imbalance(), 1e-5);
  EXPECT_NEAR(std::log2(coarse.imbalance() / fine.imbalance()) / 3, 2, 0.3);
}

}  // namespace
}  // namespace backlash::test::examples_loops
