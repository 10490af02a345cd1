// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cases/example.h"

// Examples whose motion is known as a formula.

namespace backlash::test {
namespace {

TEST(ExampleBouncingBall, HitsTheFloorWhenItShouldAndComesToRest) {
  const Example ball("bouncing_ball/model.yaml");
  const double e = ball["restitution"], g = ball["gravity"], h0 = ball["height"], step = 1e-4;
  const double first = std::sqrt(2 * h0 / g), rest = first * (1 + e) / (1 - e);
  double force = 0;
  const ExampleRun found = run(ball, step, 3, [&](const State&, const StepResult& result) {
    force = result.contacts.empty() ? 0 : result.contacts[0].impulse[0] / result.step;
  });
  const std::vector<double> hits = found.times(EventKind::impact, ContactKey{});
  ASSERT_EQ(hits.size(), 1 + std::floor(std::log(0.01) / std::log(e)));  // then bounces are small
  double t = first;
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_NEAR(hits[n], t, 3 * step) << "hit " << n + 1;
    t += 2 * first * std::pow(e, static_cast<double>(n + 1));
  }
  EXPECT_NEAR(found.times(EventKind::rest, ContactKey{}).back(), rest, 20 * step);
  EXPECT_NEAR(found.events[0].gamma_n_before, -g * first, g * step);
  EXPECT_NEAR(found.events[0].gamma_n_after, -e * found.events[0].gamma_n_before, 1e-12);
  EXPECT_NEAR(force, ball["mass"] * g, 1e-9);
  EXPECT_NEAR(ball.body(found.end, "ball").p_W.y(), ball["radius"], 2e-6);
  EXPECT_NEAR(found.after.contact_loss, ball["mass"] * g * h0, 1e-4);
  EXPECT_LT(found.imbalance(), 1e-13);
}

TEST(ExampleBlockOnIncline, SlidesWithTheAccelerationThatFrictionLeaves) {
  const Example block("block_on_incline/model.yaml");
  const double slope = block["slope"], mu = block["friction"], g = block["gravity"];
  ASSERT_LT(mu, std::tan(slope));
  const ExampleRun found = run(block, 1e-4, 1);
  const double speed = -(block.body(found.end, "block").v_W.x() * std::cos(slope) +
                         block.body(found.end, "block").v_W.y() * std::sin(slope));
  EXPECT_NEAR(speed, g * (std::sin(slope) - mu * std::cos(slope)), 2e-4);  // two steps' worth
  EXPECT_NEAR(block.body(found.end, "block").angle, slope, 1e-6);
  EXPECT_LT(found.imbalance(), 1e-12);
}

TEST(ExampleBlockOnIncline, StaysWhereFrictionExceedsTheTangentOfTheSlope) {
  const double limit = std::tan(Example("block_on_incline/model.yaml")["slope"]);
  const auto end = [&](double friction) {
    const Example block("block_on_incline/model.yaml", {"friction=" + std::to_string(friction)});
    const ExampleRun found = run(block, 1e-4, 0.5);
    return block.body(found.end, "block").v_W.norm();
  };
  EXPECT_LT(end(1.001 * limit), 1e-12);
  EXPECT_GT(end(0.99 * limit), 0.01);
}

/// A block that turns about its foot: angle θ, half sizes b and h.
struct Rocking {
  double b, h, g;

  double height(double angle) const { return b * std::sin(angle) + h * std::cos(angle); }
  /// ω when it falls upright from rest at `angle` and has come to `now`.
  double speed(double angle, double now = 0) const {
    return std::sqrt(1.5 * g * (height(angle) - height(now)) / (b * b + h * h));
  }
  /// Time of that fall, by Simpson's rule in s with θ = angle (1 − s²).
  double fall(double angle) const {
    constexpr int n = 2000;
    const auto f = [&](double s) {
      if (s == 0) s = 1e-5;  // the limit there is finite
      return 2 * angle * s / speed(angle, angle * (1 - s * s));
    };
    double sum = f(0) + f(1);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(static_cast<double>(i) / n);
    return sum / (3 * n);
  }
  /// The angle from which it falls as fast as it has risen.
  double rise(double omega) const {
    double low = 0, high = std::atan2(b, h);
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (speed(middle) < omega ? low : high) = middle;
    }
    return low;
  }
};

TEST(ExampleRockingBlock, LosesAtEachEdgeWhatAngularMomentumAboutTheOtherLeaves) {
  const Example block("rocking_block/model.yaml");
  const Rocking exact{block["b"], block["h"], block["gravity"]};
  const double step = 2e-5, alpha = std::atan2(exact.b, exact.h);
  const double kept = 1 - 1.5 * std::pow(std::sin(alpha), 2);
  struct Hit {
    double t, before, after;
  };
  std::vector<Hit> hits;  // with the whole foot
  double last = 0;
  const ExampleRun found = run(block, step, 1.2, [&](const State& now, const StepResult&) {
    const double omega = block.body(now, "block").w_W.z();
    if (std::abs(omega - last) > 0.03) hits.push_back({now.t, last, omega});
    last = omega;
  });
  double angle = block["tilt"], t = exact.fall(angle);
  ASSERT_GE(hits.size(), 4u);
  for (std::size_t n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const double omega = exact.speed(angle);
    EXPECT_NEAR(hits[n].t, t, 10 * step);
    EXPECT_NEAR(std::abs(hits[n].before), omega, 2e-3 * omega);
    EXPECT_NEAR(hits[n].after / hits[n].before, kept, 1e-3);
    angle = exact.rise(kept * omega);
    t += 2 * exact.fall(angle);
  }
  EXPECT_LT(found.imbalance(), 1e-12);
}

/// Speed of the first ball when it reaches the second: it falls from its angle.
double arrival(const Example& cradle) {
  const double length = cradle["length"], fall = length * (1 - std::cos(cradle["angle"]));
  // its inertia about the pivot is m l² + J
  const double reduced = length * length + 0.4 * cradle["radius"] * cradle["radius"];
  return std::sqrt(2 * cradle["gravity"] * fall / reduced) * length;
}

TEST(ExampleNewtonCradle, HandsTheSpeedFromBallToBall) {
  const Example cradle("newton_cradle/model.yaml");
  const double step = 2e-5, length = cradle["length"];
  double swing = 0;  // of the last ball
  const ExampleRun found = run(cradle, step, 0.6, [&](const State& state, const StepResult&) {
    swing = std::max(swing, cradle.body(state, "ball5").angle);
  });
  double last = 0;
  for (const char* contact : {"hit12", "hit23", "hit34", "hit45"}) {
    const std::vector<double> hits = found.times(EventKind::impact, cradle.contact(contact));
    ASSERT_EQ(hits.size(), 1u) << contact;
    if (last > 0) {
      EXPECT_NEAR(hits[0] - last, cradle["play"] / arrival(cradle), 2 * step);
    }
    last = hits[0];
  }
  EXPECT_NEAR(found.events[0].gamma_n_before, -arrival(cradle), 1e-3 * arrival(cradle));
  EXPECT_NEAR(swing, cradle["angle"], 1e-3);
  for (const char* ball : {"ball1", "ball2", "ball3", "ball4"})
    EXPECT_LT(std::abs(cradle.body(found.end, ball).angle), 2 * cradle["play"] / length) << ball;
  EXPECT_LT(found.imbalance(), 1e-7);
}

TEST(ExampleNewtonCradle, TouchingBallsShareTheSpeedAsARigidLawSays) {
  // n equal balls at once: u1 = (1 − e (n − 1))/n of the arrival, the others (1 + e)/n
  const Example cradle("newton_cradle/model.yaml", {"play=0 mm", "restitution=0.8"});
  const double e = 0.8, v = arrival(cradle), length = cradle["length"];
  const double first_hit = std::numbers::pi / 2 * std::sqrt(length / cradle["gravity"]);
  bool hit = false;
  State after;
  run(cradle, 2e-5, 1.1 * first_hit, [&](const State& state, const StepResult& result) {
    for (const ContactOutcome& c : result.contacts)
      if (!hit && c.impulse[0] > 0.01) {
        hit = true;
        after = state;
      }
  });
  ASSERT_TRUE(hit);
  EXPECT_NEAR(cradle.body(after, "ball1").w_W.z() * length, (1 - 4 * e) / 5 * v, 2e-3 * v);
  for (const char* ball : {"ball2", "ball3", "ball4", "ball5"})
    EXPECT_NEAR(cradle.body(after, ball).w_W.z() * length, (1 + e) / 5 * v, 2e-3 * v) << ball;
}

}  // namespace
}  // namespace backlash::test
