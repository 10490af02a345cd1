// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::state_variables {
namespace {

constexpr double U = 24, R = 2, k = 0.05, J = 4e-5;  // [V], [ohm], [N m/A], [kg m²]

/// A direct-current motor that turns a disk: J ω̇ = k i, L i̇ = U − R i − k ω.
Assembly motor(double L) {
  return assembled(fmt::format(R"(
parameters: {{U: {} V, R: {} ohm, k: {} N m/A, L: {} H}}
bodies: {{disk: {{mass: 1, inertia: {}}}}}
joints: {{main: {{type: revolute, between: [ground, disk]}}}}
states: {{current: {{rate: (U - R*current - k*main.u)/L, initial: 0 A}}}}
forces: {{torque: {{type: joint_force, joint: main, force: k*current}}}}
)",
                               U, R, k, L, J));
}

/// Speed [rad/s] and current [A] of the motor from rest: ω∞ and 0 with two exponentials, whose
/// exponents are the roots of s² + R/L s + k²/(L J).
struct Response {
  double speed, current;
};
Response exact(double L, double t) {
  using Complex = std::complex<double>;
  const Complex root = std::sqrt(Complex(R * R / (L * L) - 4 * k * k / (L * J)));
  const Complex s1 = 0.5 * (-R / L + root), s2 = 0.5 * (-R / L - root);
  const double w = U / k;
  const Complex c1 = w * s2 / (s1 - s2), c2 = -w * s1 / (s1 - s2);
  const Complex e1 = c1 * std::exp(s1 * t), e2 = c2 * std::exp(s2 * t);
  return {w + (e1 + e2).real(), J / k * (s1 * e1 + s2 * e2).real()};
}

double error_of(const State& end, double L) {
  const Response e = exact(L, end.t);
  return std::abs(end.u[0] - e.speed) / (U / k) + std::abs(end.q[1] - e.current) / (U / R);
}

constexpr double slow_coil = 5e-3, until = 0.04;  // L [H]: it rings at 400 rad/s; [s]

TEST(StateVariable, CurrentAndSpeedOfAMotorAreOfSecondOrderWithMoreausScheme) {
  const Assembly assembly = motor(slow_coil);
  const auto error = [&](int steps) {
    return error_of(run(*assembly.system, assembly.start, until / steps, until), slow_coil);
  };
  EXPECT_LT(error(400), 2e-4);
  EXPECT_NEAR(observed_order(error, 100, 200), 2, 0.1);
  EXPECT_NEAR(observed_order(error, 200, 400), 2, 0.1);
}

TEST(StateVariable, IsOfTheOrderOfTheThetaScheme) {
  const Assembly assembly = motor(slow_coil);
  for (const double theta : {0.5, 1.0}) {
    const MoreauOptions options{.scheme = Scheme::theta, .theta = theta};
    const auto error = [&](int steps) {
      return error_of(run(*assembly.system, assembly.start, until / steps, until, options),
                      slow_coil);
    };
    const double order = theta == 0.5 ? 2 : 1;
    EXPECT_NEAR(observed_order(error, 200, 400), order, 0.15);
    EXPECT_NEAR(observed_order(error, 400, 800), order, 0.15);
  }
}

TEST(StateVariable, IsIntegratedToTheToleranceByTheMethodCompliant) {
  const Assembly assembly = motor(slow_coil);
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf}) {
    CompliantOptions options;
    options.integrator = method;
    Compliant integrator(*assembly.system, options);
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, until).status, StepStatus::done);
    EXPECT_LT(error_of(state, slow_coil), 20 * options.relative_tolerance);
  }
}

TEST(StateVariable, FollowsARateThatIsFarStifferThanTheStepWithoutRinging) {
  constexpr double L = 1e-9, step = 1e-3;  // time constant of the coil: 5e-10 s
  const Assembly assembly = motor(L);
  // Of what is not stationary a step leaves 5/|λΔt|, while the speed moves what is stationary.
  const double rest = 2 * 5 * L / (R * step);
  double last = INFINITY;
  run(*assembly.system, assembly.start, step, 0.1, {}, [&](const State& state, const StepResult&) {
    EXPECT_NEAR(state.q[1], (U - k * state.u[0]) / R, rest * U / R);
    if (state.t > 1.5 * step) {
      EXPECT_LT(state.q[1], last);  // it decays, and does not swing
    }
    last = state.q[1];
  });
}

TEST(StateVariable, MayDecayUntilNothingIsLeftOfIt) {
  // e^{−t/τ} is no normal number after 708 τ.
  const Assembly assembly = assembled(R"(
bodies: {disk: {mass: 1, inertia: 1}}
joints: {main: {type: revolute, between: [ground, disk]}}
states: {c: {rate: -c/(1 ms), initial: 1}}
forces: {torque: {type: joint_force, joint: main, force: c}}
)");
  for (const bool automatic : {false, true}) {
    const State end = run(*assembly.system, assembly.start, 1e-4, 1, {.automatic_step = automatic});
    EXPECT_LT(end.q[1], 1e-300);
    EXPECT_NEAR(end.u[0], 1e-3, 1e-5);  // ∫ c dt
  }
}

TEST(StateVariable, SetsTheLengthOfAutomaticSteps) {
  // Nothing but the state moves: 1/(1 + τ²) about τ = 0, where steps must be short.
  const Assembly assembly = assembled(R"(
bodies: {disk: {mass: 1, inertia: 1}}
joints: {main: {type: revolute, between: [ground, disk]}}
states: {x: {rate: 1/(1 + (100*(t - 0.5))^2)}}
)");
  for (const double tolerance : {1e-4, 1e-6}) {
    MoreauOptions options{.automatic_step = true, .step_tolerance = tolerance, .max_step = 0.02};
    const State end = run(*assembly.system, assembly.start, 1e-3, 1, options);
    EXPECT_NEAR(end.q[1] / (2 * std::atan(50.0) / 100), 1, 300 * tolerance);
  }
}

TEST(StateVariable, IsPartOfTheStateThatARunGoesOnFrom) {
  const Assembly assembly = motor(slow_coil);
  const State whole = run(*assembly.system, assembly.start, 1e-4, until);
  const State half = run(*assembly.system, assembly.start, 1e-4, 0.5 * until);
  const State resumed = run(*assembly.system, half, 1e-4, until);
  EXPECT_EQ(resumed.q, whole.q);
  EXPECT_EQ(resumed.u, whole.u);
}

TEST(StateVariable, MayBeUsedByOtherStatesCommandsTablesAndEvents) {
  // A timer, its integral t²/2, and the integral of that, t³/6.
  const Assembly assembly = assembled(R"(
bodies: {disk: {mass: 1, inertia: 2}}
joints: {main: {type: revolute, between: [ground, disk]}}
states: {timer: {rate: 1}, square: {rate: timer}, cube: {rate: square, initial: 1}}
forces:
  motor: {type: motor, joint: main, stall_torque: 3, no_load_speed: 1e12, command: timer}
  table: {type: table, joint: main, over: timer, points: [[0, 0], [10, 10]]}
events: {done: {when: square - 0.125, stop: true}}
)");
  std::vector<EventOutcome> events;
  const State end = run(*assembly.system, assembly.start, 1e-3, 1, {},
                        [&](const State&, const StepResult& result) {
                          events.insert(events.end(), result.events.begin(), result.events.end());
                        });
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(events[0].t, 0.5, 1e-6);
  EXPECT_NEAR(end.t, 0.5, 1.1e-3);
  EXPECT_NEAR(end.q[1], end.t, 1e-12);
  EXPECT_NEAR(end.q[2], end.t * end.t / 2, 1e-12);  // of second order, and so exact
  EXPECT_NEAR(end.q[3], 1 + end.t * end.t * end.t / 6, 1e-6);
  EXPECT_NEAR(end.u[0], 4 * end.t * end.t / 2 / 2, 1e-6);
}

/// Wear as Archard has it: depth from load and way.
TEST(StateVariable, AddsUpTheWayThatAPendulumRubsOver) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {position: 0.1}}}
states: {way: {rate: abs(rail.u), initial: 0 m}}
forces: {spring: {type: joint_spring, joint: rail, stiffness: 100}}
)");
  const double period = 2 * std::acos(-1.0) / 10;
  const State end = run(*assembly.system, assembly.start, period / 1000, 5 * period);
  EXPECT_NEAR(end.q[1], 5 * 4 * 0.1, 1e-4);
}

TEST(StateVariable, IsTheSameInSpace) {
  Model model = parse_model(R"(
backlash: 1
bodies: {disk: {mass: 1, inertia: 1}}
joints: {main: {type: revolute, between: [ground, disk], initial: {speed: 2}}}
states: {way: {rate: main.u - way}}
)",
                            "model.yaml");
  model.bodies[0].inertia = {1, 1, 1};
  for (const ModelSpace space : {ModelSpace::plane, ModelSpace::space}) {
    model.space = space;
    const Assembly assembly = assemble(model);
    const State end = run(*assembly.system, assembly.start, 1e-3, 1);
    EXPECT_NEAR(end.q[end.q.size() - 1], 2 * (1 - std::exp(-1.0)), 1e-6);
  }
}

/// A tank that fills from empty while it runs out, ẋ = 1 − √x: with y = √x, y + ln(1 − y) = −t/2.
/// At the start its rate has no finite slope.
TEST(StateVariable, MayBeginWhereItsRateHasNoFiniteSlope) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
states: {x: {rate: 1 - sqrt(x), initial: 0}}
)");
  const State end = run(*assembly.system, assembly.start, 1e-3, 1);
  const double y = std::sqrt(end.q[1]);
  EXPECT_NEAR(y + std::log(1 - y), -0.5, 1e-4);
}

TEST(StateVariable, WhoseRateIsNotFiniteFailsTheStep) {
  const Assembly assembly = assembled(R"(
bodies: {disk: {mass: 1, inertia: 1}}
joints: {main: {type: revolute, between: [ground, disk]}}
states: {x: {rate: sqrt(0.5 - t), initial: 1}}
)");
  Moreau integrator(*assembly.system, {.step = 0.01});
  State state = assembly.start;
  EXPECT_EQ(simulate(integrator, state, 1).status, StepStatus::not_finite);
  EXPECT_NEAR(state.t, 0.5, 0.011);
}

}  // namespace
}  // namespace backlash::test::state_variables
