// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/step_equations.h"
#include "support/models.h"

namespace backlash::test::step_equations {
namespace {

using Order = StepEquations::Order;

/// Two arms, a tip that may touch the floor and rubs on it, a joint with dry friction, a loop; and
/// two states that pull, whose rates depend on everything that there is.
constexpr const char* arms_with_states = R"(
gravity: [1, -9.81]
bodies:
  ground: {shapes: {floor: {line: {point: [0, -0.5], normal: [0, 1]}}}}
  one: {mass: 2, inertia: 0.3, com: [0.3, 0.1]}
  two: {mass: 1, inertia: 0.2, com: [0.2, -0.1], shapes: {tip: {circle: 0.1, at: [0.8, 0]}}}
  three: {mass: 1, inertia: 0.1, initial: {position: [0.3, 0.6]}}
joints:
  a: {type: revolute, between: [ground, one], friction: {strength: 2}}
  b: {type: revolute, between: [one, two], at: [[0.7, 0], [0, 0]]}
  d: {type: rod, between: [two, three], at: [[0.2, 0], [0, 0.1]], length: 0.7}
contacts: {tip: {between: [two.tip, ground.floor], law: dry}}
laws: {dry: {friction: 0.3}}
states:
  x: {rate: '-3*x + x*y + 2*sin(5*a.q) + b.u*two.y + cos(t/(1 s))', initial: 0.4}
  y: {rate: '-y^3 + 40*two.vy + 30*two.angle*x + 2*t', initial: -0.6}
forces:
  pull: {type: force, body: two, at: [0.1, 0.2], force: ['20*x*y', '30*y + 1 N/m*two.x'], axes: body}
  turn: {type: torque, body: one, torque: '50*x^2 + 1 N*m*s/rad*a.u'}
)";

struct StepCase {
  StepEquations equations;
  Vector u, impulses;
  double h;
};

/// A step in which nothing is at rest, with some impulse along every row.
StepCase step_case(const Assembly& assembly) {
  constexpr double h = 0.05;
  StepCase step{StepEquations(*assembly.system), assembly.start.u, {}, h};
  State start = assembly.start;
  start.u = Vector::LinSpaced(start.u.size(), -1, 2);
  step.equations.begin(start, Vector(), start.t + h);
  step.equations.add_candidate({.pair = 0});
  step.u = start.u + Vector::LinSpaced(start.u.size(), 0.5, -0.4);
  step.impulses = Vector::LinSpaced(step.equations.rows(), 0.3, -0.7);
  return step;
}

struct Residuals {
  Vector unbalance, values;
};

Residuals residuals(StepCase& step, const Vector& u, double h) {
  step.equations.set_length(h);
  step.equations.evaluate(u, step.impulses, Order::values);
  return {step.equations.unbalance(), step.equations.values()};
}

void expect_near(const Vector& found, const Residuals& more, const Residuals& less, double step,
                 bool of_unbalance) {
  const Vector expected =
      (of_unbalance ? more.unbalance - less.unbalance : Vector(more.values - less.values)) /
      (2 * step);
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
      << (of_unbalance ? "unbalance\n" : "values\n") << found.transpose() << "\n"
      << expected.transpose();
}

TEST(StepEquations, HaveTheDerivativesByVelocitiesThatDifferencesFind) {
  const Assembly assembly = assembled(arms_with_states);
  StepCase step = step_case(assembly);
  step.equations.evaluate(step.u, step.impulses, Order::derivatives);
  const Matrix of_unbalance = step.equations.unbalance_by_velocity(),
               of_values = step.equations.values_by_velocity();
  ASSERT_GE(of_values.cols(), 3);
  for (Eigen::Index j = 0; j < step.u.size(); ++j) {
    SCOPED_TRACE(j);
    const double change = 1e-5;
    Vector u = step.u;
    u[j] = step.u[j] + change;
    const Residuals more = residuals(step, u, step.h);
    u[j] = step.u[j] - change;
    const Residuals less = residuals(step, u, step.h);
    expect_near(of_unbalance.col(j), more, less, change, true);
    expect_near(of_values.row(j), more, less, change, false);
  }
}

TEST(StepEquations, HaveTheDerivativesByTheLengthThatDifferencesFind) {
  const Assembly assembly = assembled(arms_with_states);
  StepCase step = step_case(assembly);
  step.equations.evaluate(step.u, step.impulses, Order::derivatives);
  const Vector of_unbalance = step.equations.unbalance_by_length(),
               of_values = step.equations.values_by_length();
  const double change = 1e-6;
  const Residuals more = residuals(step, step.u, step.h + change),
                  less = residuals(step, step.u, step.h - change);
  expect_near(of_unbalance, more, less, change, true);
  expect_near(of_values, more, less, change, false);
}

}  // namespace
}  // namespace backlash::test::step_equations
