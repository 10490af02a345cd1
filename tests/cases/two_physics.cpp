// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/example.h"
#include "cases/reference_table.h"
#include "support/paths.h"

// The slider-crank of paper 001 with forces in the place of its rigid law, as `--method compliant
// --law steel='{model: calibrated, …}'` runs it: the stiffer, the nearer to the rigid one.

namespace backlash::test::two_physics {
namespace {

constexpr double hits[] = {2.69250275202121e-3, 5.61236319021042e-3};  // of the rigid law [s]

Example with_stiffness(double stiffness) {
  const std::vector<LawOverride> laws = {parse_law_override(
      fmt::format("steel={{model: calibrated, stiffness: {} N/m^1.5}}", stiffness))};
  Model model = read_model(source_folder() + "/examples/slider_crank/model.yaml", {}, laws);
  model.simulation.method = "compliant";
  model.simulation.options = {{.key = "relative_tolerance", .value = 1e-10}};
  return Example(std::move(model));
}

/// How far a stiff slider-crank is from a rigid one.
struct Difference {
  double first = 0, second = 0;  ///< times of hits [s]
  double angle = 0, speed = 0;   ///< of the crank at 5 ms, between hits [rad], [rad/s]
  double tilt = 0;               ///< of the slider [rad]
};

Difference difference(double stiffness) {
  static const auto reference = reference_table("slider_crank_reference.csv");
  const Example crank = with_stiffness(stiffness);
  Difference d;
  const double look = 5e-3;
  const ExampleRun found = attempt(
      crank, compliant_options(crank), 8e-3, [&](double t) { return t < look ? look : INFINITY; },
      [&](const State& state, const StepResult&) {
        d.tilt = std::max(d.tilt, std::abs(crank.body(state, "slider").angle));
        if (state.t != look) return;
        const BodyMotion motion = crank.body(state, "crank");
        const auto& row = reference[50];
        d.angle = std::abs(motion.angle - row[1]);
        d.speed = std::abs(motion.w_W.z() - row[3]);
      });
  EXPECT_EQ(found.summary.status, StepStatus::done);
  std::vector<double> times = found.times(EventKind::impact, ContactKey{});
  EXPECT_GE(times.size(), 2u);
  times.resize(2);
  d.first = std::abs(times[0] - hits[0]);
  d.second = std::abs(times[1] - hits[1]);
  return d;
}

TEST(TwoPhysics, AgreeUpToTheFirstHitWhateverTheStiffness) {
  for (const double stiffness : {1e8, 1e10}) EXPECT_LT(difference(stiffness).first, 1e-10);
}

TEST(TwoPhysics, ComeTogetherAsImpactsBecomeShort) {
  // What is late is late by the time that an impact takes, which falls as K^{−2/5} (theory 9.7).
  const double soft = 1e9, stiff = 1e11;
  const Difference a = difference(soft), b = difference(stiff);
  const auto order = [&](double Difference::*what) {
    return std::log(a.*what / b.*what) / std::log(stiff / soft);
  };
  EXPECT_NEAR(order(&Difference::second), 0.4, 0.05);
  EXPECT_NEAR(order(&Difference::angle), 0.4, 0.05);
  EXPECT_NEAR(order(&Difference::speed), 0.4, 0.02);
  EXPECT_LT(b.second, 1e-4);
  EXPECT_LT(b.angle, 2e-5);
  EXPECT_LT(b.speed, 2e-2);
}

}  // namespace
}  // namespace backlash::test::two_physics
