// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Steps by optimisation that choose their length do so where bodies meet, and nowhere else (theory
// 12.7).
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::optimisation_free_steps {
namespace {

/// An eccentric disc under the roller of a sprung follower, which it never leaves.
struct Eccentric {
  double reach = 42e-3, eccentricity = 9e-3, speed = 20;        ///< [m], [rad/s]
  double mass = 0.5, stiffness = 2000, preload = 20, g = 9.81;  ///< [kg], [N/m], [N], [m/s²]

  double height(double t) const {
    const double x = eccentricity * std::cos(speed * t);
    return eccentricity * std::sin(speed * t) + std::sqrt(reach * reach - x * x);
  }
  double acceleration(double t) const {
    const double x = eccentricity * std::cos(speed * t), y = eccentricity * std::sin(speed * t);
    const double root = std::sqrt(reach * reach - x * x), w2 = speed * speed;
    return w2 * (-y + (x * x - y * y) / root - x * x * y * y / (root * root * root));
  }
  double force(double t) const {
    const double x = eccentricity * std::cos(speed * t);
    const double along =
        mass * (acceleration(t) + g) + preload + stiffness * (height(t) - (reach - eccentricity));
    return along * reach / std::sqrt(reach * reach - x * x);
  }

  std::string model() const {
    return fmt::format(R"(
gravity: [0, -{}]
parameters: {{R: 30 mm, r: 12 mm, e0: {}, w: {}}}
bodies:
  cam: {{mass: 1, inertia: 1e-3, shape: {{circle: R, at: [e0, 0]}}}}
  follower: {{mass: {}, inertia: 1e-4, shape: {{circle: r}}}}
joints:
  shaft: {{type: revolute, between: [ground, cam], drive: {{speed: w}}}}
  guide: {{type: prismatic, between: [ground, follower], axis: [0, 1], initial: {{position: 'sqrt((R+r)^2-e0^2)', speed: e0*w}}}}
forces:
  spring: {{type: joint_spring, joint: guide, stiffness: {}, rest: R+r-e0, preload: -{}}}
laws: {{l: {{restitution: 0}}}}
contacts: {{lift: {{between: [cam, follower], law: l}}}}
)",
                       g, eccentricity, speed, mass, stiffness, preload);
  }
};

/// What is off in the steps but the first, whose start has a velocity of its own.
double largest_error(const Eccentric& eccentric, const OptimisationOptions& options) {
  const Assembly assembly = assembled(eccentric.model());
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start;
  double worst = 0;
  const RunSummary summary =
      simulate(integrator, state, 0.35, [&](const State& now, const StepResult& result) {
        ASSERT_EQ(result.contacts.size(), 1u);
        const double force = result.contacts[0].impulse[0] / result.step;
        if (result.t_start > 0) worst = std::max(worst, std::abs(force - eccentric.force(now.t)));
      });
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_NEAR(summary.smallest_step, options.max_step, 1e-6 * options.max_step);
  EXPECT_NEAR(summary.largest_step, options.max_step, 1e-6 * options.max_step);
  return worst;
}

TEST(OptimisationFreeSteps, AreLongWhileContactLasts) {
  const Eccentric eccentric;
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp}) {
    OptimisationOptions options{.step_control = StepControl::free, .optimiser = optimiser};
    const double coarse = largest_error(eccentric, options);
    const double jerk = eccentric.eccentricity * std::pow(eccentric.speed, 3);
    EXPECT_LT(coarse, 1.5 * eccentric.mass * jerk * options.max_step);  // as implicit Euler has it
    if (optimiser == Optimiser::ipopt) continue;                        // it would take long
    options.min_step *= 0.1;
    options.max_step *= 0.1;
    const double fine = largest_error(eccentric, options);
    EXPECT_NEAR(coarse / fine, 10, 0.5);
  }
}

/// A body that rests on a floor would fall onto a second one close below it, if it were not for the
/// first: it does not shorten its steps for that.
TEST(OptimisationFreeSteps, AreLongWhereAContactKeepsBodiesFromMeetingOthers) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}, below: {line: {point: [0, -5e-6], normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.1]}}
laws: {p: {restitution: 0}}
contacts:
  rest: {between: [ball, ground.floor], law: p}
  other: {between: [ball, ground.below], law: p}
)");
  Optimisation integrator(*assembly.system, {.step_control = StepControl::free});
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.05);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_LE(summary.steps, 60);
}

}  // namespace
}  // namespace backlash::test::optimisation_free_steps
