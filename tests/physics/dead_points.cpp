// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

// Where the common normal of two elliptic gears passes through both axes, the normal row of their
// contact vanishes, and with it what its force does (theory 4.38).

namespace backlash::test::dead_points {
namespace {

constexpr double a = 0.05, b = 0.04, f = 0.03, speed = 10, inertia = 1e-3, load = -2;

/// Driven about a focus, with a load on the other gear that lets the contact push in every
/// position.
std::string gears(double friction) {
  return fmt::format(R"yaml(
parameters: {{a: {}, b: {}, f: {}, s: sqrt(0.5), w: {}}}
profiles:
  ellipse:
    degree: 2
    closed: true
    points: [[a, 0], [a, b], [0, b], [-a, b], [-a, 0], [-a, -b], [0, -b], [a, -b], [a, 0]]
    weights: [1, s, 1, s, 1, s, 1, s, 1]
    knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
bodies:
  one: {{mass: 1, inertia: 1e-3, shape: {{profile: ellipse, at: [f, 0]}}}}
  two: {{mass: 1, inertia: {}, shape: {{profile: ellipse, at: [f, 0]}}}}
joints:
  A: {{type: revolute, between: [ground, one], drive: {{speed: w}}}}
  B: {{type: revolute, between: [ground, two], at: [[2*a, 0], [0, 0]], initial: {{speed: -w*(a+f)/(a-f)}}}}
forces: {{load: {{type: torque, body: two, torque: {}*sin(A.q)}}}}
contacts: {{mesh: {{between: [one, two], law: steel}}}}
laws: {{steel: {{restitution: 0, friction: {}}}}}
)yaml",
                     a, b, f, speed, inertia, load, friction);
}

/// The contact is at r = b²/(a − f cos θ) on the line of the axes, and slides nowhere: ω₂ = ω
/// r/(2a−r).
double radius(double theta) { return b * b / (a - f * std::cos(theta)); }
double other_speed(double theta) { return speed * radius(theta) / (2 * a - radius(theta)); }

/// The least normal force within the cone of friction that turns the other gear: across the line of
/// the axes it is F, and the normal is inclined by ψ with tan ψ = r'/r.
double least_force(double theta, double friction) {
  constexpr double h = 1e-5;
  const double r = radius(theta);
  const double acceleration = speed * (other_speed(theta + h) - other_speed(theta - h)) / (2 * h);
  const double torque = -inertia * acceleration - load * std::sin(theta);  // clockwise is ω₂
  const double psi = std::atan2(std::abs(radius(theta + h) - radius(theta - h)) / (2 * h), r);
  return std::abs(torque) / (2 * a - r) / (std::sin(psi) + friction * std::cos(psi));
}

TEST(DeadPoint, OfEllipticGearsIsPassedWithTheLeastForces) {
  const double turn = 2 * M_PI / speed;
  for (const double friction : {0.1, 0.3})
    for (const double step : {1e-4, 3e-5, 1e-5}) {
      SCOPED_TRACE(fmt::format("friction {}, {} s", friction, step));
      const Assembly assembly = assembled(gears(friction));
      double most = 0, expected = 0;
      const State end = run(*assembly.system, assembly.start, step, 1.6 * turn, {},
                            [&](const State& state, const StepResult& result) {
                              double force = 0;
                              for (const ContactOutcome& contact : result.contacts)
                                force += contact.impulse[0] / step;
                              const double least =
                                  least_force(speed * (state.t - 0.5 * step), friction);
                              most = std::max(most, force);
                              expected = std::max(expected, least);
                            });
      EXPECT_NEAR(most, expected, 1e-6 * expected);
      EXPECT_NEAR(end.u[1], -other_speed(speed * end.t), 1e-3);
    }
}

}  // namespace
}  // namespace backlash::test::dead_points
