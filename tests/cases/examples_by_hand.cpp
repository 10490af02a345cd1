// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "cases/example.h"

// The examples of papers 001 and 000 against the same mechanisms derived by hand, step by step.

namespace backlash::test {
namespace {

/// The largest difference, relative to the largest value.
class Comparison {
 public:
  void add(double value, double reference) {
    largest_ = std::max(largest_, std::abs(reference));
    worst_ = std::max(worst_, std::abs(value - reference));
  }
  double relative() const { return worst_ / largest_; }
  void expect_below(double bound, const std::string& what) const {
    EXPECT_LT(relative(), bound) << what;
    ::testing::Test::RecordProperty(what, ::testing::PrintToString(relative()));
  }

 private:
  double largest_ = 0, worst_ = 0;
};

/// The normal impulse of each contact in the last step, zero where it was open [N s].
std::array<double, 4> impulses(const StepResult& result) {
  std::array<double, 4> all{};
  for (const ContactOutcome& c : result.contacts)
    all[static_cast<std::size_t>(c.key.pair)] = c.impulse[0];
  return all;
}

TEST(ExampleSliderCrank, MovesAsTheHandDerivedOneOverTheFirstTenMilliseconds) {
  const Example example("slider_crank/model.yaml");
  const SliderCrank by_hand;
  Moreau one(example.system(), {}), other(by_hand, {});
  State a = example.assembly.start, b = slider_crank_start(by_hand);
  const std::string bodies[] = {"crank", "rod", "slider"};
  Comparison angle[2], speed[2], impulse;
  double tilt = 0;
  for (int n = 0; n < 1000; ++n) {
    const std::array<double, 4> of_a = impulses(one.step(a, 1e-5));
    const std::array<double, 4> of_b = impulses(other.step(b, 1e-5));
    for (int i = 0; i < 2; ++i) {
      const BodyMotion body = example.body(a, bodies[i]);
      angle[i].add(body.angle, b.q[i]);
      speed[i].add(body.w_W.z(), b.u[i]);
    }
    tilt = std::max(tilt, std::abs(example.body(a, "slider").angle));
    for (std::size_t k = 0; k < 4; ++k) impulse.add(of_a[k], of_b[k]);
  }
  for (int i = 0; i < 2; ++i) {
    angle[i].expect_below(1e-9, bodies[i] + " angle");
    speed[i].expect_below(1e-9, bodies[i] + " speed");
  }
  impulse.expect_below(1e-9, "impulse");
  EXPECT_LT(tilt, 1e-12);
}

TEST(ExampleCamFollower, MovesAsTheHandDerivedOneOverTwoLobes) {
  const Example example("cam_follower/model.yaml");
  const CamFollower by_hand;
  Moreau one(example.system(), {}), other(by_hand, {});
  State a = example.assembly.start, b = cam_follower_start(by_hand);
  Comparison lift, speed, impulse, cam;
  for (int n = 0; n < 10000; ++n) {
    const double of_a = impulses(one.step(a, 1e-5))[0];
    const double of_b = impulses(other.step(b, 1e-5))[0];
    const BodyMotion follower = example.body(a, "follower");
    lift.add(follower.p_W.y() - example["base"], b.q[0]);
    speed.add(follower.v_W.y(), b.u[0]);
    impulse.add(of_a, of_b);
    cam.add(example.body(a, "cam").angle, 20.94 * a.t);
  }
  lift.expect_below(1e-9, "lift");
  speed.expect_below(1e-9, "speed");
  impulse.expect_below(1e-9, "impulse");
  cam.expect_below(1e-12, "angle of the cam");
}

}  // namespace
}  // namespace backlash::test
