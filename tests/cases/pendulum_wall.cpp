// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "cases/example.h"
#include "cases/stiff_impact.h"

// Paper 004, the pendulum. Its swing is an elliptic function, its impact an integral of the energy.

namespace backlash::test::pendulum_wall {
namespace {

const char* const file = "pendulum_wall/model.yaml";

/// The swing and the impact in closed form and by quadrature.
struct Exact {
  explicit Exact(const Example& p)
      : L(p["L"]),
        start(p["start"]),
        inertia(p["m"] * L * L + p["I"]),
        moment(p["m"] * p["gravity"] * L),
        frequency(std::sqrt(moment / inertia)),
        modulus(std::sin(start / 2)),
        contact(std::comp_ellint_1(modulus) / frequency),
        speed(2 * frequency * modulus * L),
        impact(stiff_impact(
            [&, K = p["K"]](double D, double way) {
              // In the angle: U(Θ) − U(θ) without cancellation.
              const double half = way / 2, mean = D - half;
              const double sines = 2 * std::cos(mean) * std::sin(half) / std::sin(D);
              const double spring =
                  0.4 * K * std::pow(L * std::sin(D), 2.5) * -std::expm1(2.5 * std::log1p(-sines));
              const double weight = moment * 2 * std::sin(mean) * std::sin(half);
              return 2 / inertia * (spring + weight);
            },
            speed / L, 1e-3)) {}

  /// The angle a while after it left the wall.
  double angle(double t) const {
    double phase = 0;
    for (int i = 0; i < 50; ++i)
      phase -= (std::ellint_1(modulus, phase) - frequency * t) *
               std::sqrt(1 - std::pow(modulus * std::sin(phase), 2));
    return 2 * std::asin(modulus * std::sin(phase));
  }

  double L, start, inertia, moment, frequency, modulus, contact, speed;
  StiffImpact impact;  ///< in the angle
};

TEST(PendulumWall, HasTheFiguresOfTheCase) {
  const Example pendulum(file);
  const Exact exact(pendulum);
  const double depth = exact.L * std::sin(exact.impact.depth);
  EXPECT_NEAR(exact.contact, 0.538487708809773, 1e-15);
  EXPECT_NEAR(exact.speed, 3.13052708025339, 1e-14);
  EXPECT_NEAR(depth, 1.67244453612e-4, 1e-15);
  EXPECT_NEAR(exact.impact.duration, 1.57240759010e-4, 1e-15);
  EXPECT_NEAR(pendulum["K"] * std::pow(depth, 1.5), 73320.815, 1e-3);
  EXPECT_NEAR(2 * exact.contact + exact.impact.duration, 1.07713265837856, 1e-14);
  EXPECT_NEAR(exact.angle(1 - exact.contact - exact.impact.duration), 1.02201222190154, 1e-13);
}

class PendulumWallInCoordinates : public ::testing::TestWithParam<Coordinates> {
 protected:
  const Example pendulum{file, {}, GetParam()};
  const Exact exact{pendulum};
  const CompliantOptions options = compliant_options(pendulum);
};

TEST_P(PendulumWallInCoordinates, MeetsTheWallWhenAndAsFastAsItsSwingSays) {
  const ExampleRun found = run(pendulum, options, 0.54);
  ASSERT_EQ(found.events.size(), 2u);
  EXPECT_NEAR(found.events[0].t, exact.contact, 1e-10);
  EXPECT_NEAR(found.events[0].gamma_n_before, -exact.speed, 1e-9);
  EXPECT_NEAR(found.events[1].t - found.events[0].t, exact.impact.duration,
              1e-8 * exact.impact.duration);
}

TEST_P(PendulumWallInCoordinates, SinksInAsDeepAndAsHardAsItsEnergySays) {
  double depth = 0, force = 0;
  Contacts look(pendulum);
  attempt(
      pendulum, options, 0.54, [&](double t) { return t > exact.contact ? t + 2e-8 : INFINITY; },
      [&](const State& state, const StepResult& result) {
        depth = std::max(depth, -look.gap(state, 0));
        force = std::max(force, look.force(result, 0));
      });
  const double deepest = exact.L * std::sin(exact.impact.depth);
  EXPECT_NEAR(depth, deepest, 5e-8 * deepest);
  EXPECT_NEAR(force, pendulum["K"] * std::pow(deepest, 1.5), 1e-7 * force);
}

TEST_P(PendulumWallInCoordinates, SwingsBackToWhereItCameFrom) {
  double highest = 0;
  const ExampleRun found = run(pendulum, options, 2.2, [&](const State& state, const StepResult&) {
    const BodyMotion ball = pendulum.body(state, "ball");
    // From the energy: cos θ_max = cos θ − ½ω²/ω0²
    if (state.t > 0.6 && state.t < 1)
      highest = std::acos(std::cos(ball.angle) - 0.5 * std::pow(ball.w_W.z() / exact.frequency, 2));
  });
  EXPECT_NEAR(highest, exact.start, 1e-8);
  const std::vector<double> hits = found.times(EventKind::impact, ContactKey{});
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_NEAR(hits[1] - hits[0], 2 * exact.contact + exact.impact.duration, 1e-8);
  EXPECT_LT(found.imbalance(), 1e-8);
}

TEST_P(PendulumWallInCoordinates, IsWhereAnEllipticFunctionSaysAfterASecond) {
  const ExampleRun found = run(pendulum, options, 1);
  EXPECT_NEAR(pendulum.body(found.end, "ball").angle,
              exact.angle(1 - exact.contact - exact.impact.duration), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Both, PendulumWallInCoordinates,
                         ::testing::Values(Coordinates::joint, Coordinates::absolute),
                         [](const auto& tested) {
                           return tested.param == Coordinates::joint ? "joint" : "absolute";
                         });

TEST(PendulumWall, AnswersEachFixedStepDifferently) {
  // Steps of 20, 17.5 and 15 ms, a hundred times as long as the impact: which speed the wall
  // returns depends on where the step happens to end, and none is the exact one.
  const Example pendulum(file);
  const Exact exact(pendulum);
  std::vector<double> speeds;
  for (const double step : {0.0200, 0.0175, 0.0150}) {
    SCOPED_TRACE(step);
    CompliantOptions options = compliant_options(pendulum);
    options.integrator = OdeMethod::rk4;
    options.onset = Onset::none;
    options.step = step;
    double speed = 0, depth = 0;
    run(pendulum, options, 0.6, [&](const State& state, const StepResult& result) {
      for (const ContactOutcome& c : result.contacts)
        if (is_impact(c)) depth = -c.gap_before;
      speed = std::abs(pendulum.body(state, "ball").w_W.z()) * exact.L;
      return depth == 0;
    });
    // Seen at the first multiple of the step after the contact, deeper than it should ever get.
    const double seen = std::ceil(exact.contact / step) * step;
    EXPECT_NEAR(depth, exact.speed * (seen - exact.contact), 1e-2 * depth);
    EXPECT_GT(depth, 10 * exact.L * std::sin(exact.impact.depth));
    EXPECT_GT(speed, 1000 * exact.speed);
    speeds.push_back(speed);
  }
  for (std::size_t i = 0; i < speeds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(std::abs(std::log(speeds[i] / speeds[j])), 0.05) << i << ' ' << j;
}

}  // namespace
}  // namespace backlash::test::pendulum_wall
