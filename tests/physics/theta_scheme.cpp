// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/observed_order.h"
#include "support/paths.h"
#include "support/runs.h"
#include "support/systems/ball_on_table.h"
#include "support/systems/oscillator.h"
#include "support/systems/planar_body.h"

namespace backlash::test::theta_scheme {
namespace {

constexpr double g = 9.81;

MoreauOptions theta_scheme(double theta, std::string_view solver = "auto") {
  return {.solver = solver, .scheme = Scheme::theta, .theta = theta};
}

State displaced(const Oscillator& oscillator, double x, double v = 0) {
  return initial_state(oscillator, 0, Vector::Constant(1, x), Vector::Constant(1, v));
}

/// x of m ẍ = −k x − k₃ x³ − c ẋ by the classical Runge–Kutta method.
double runge_kutta(const OscillatorData& data, double x, double until) {
  const auto rate = [&](const Vec2& y) {
    return Vec2(
        y[1], (-data.stiffness * y[0] - data.hardening * y[0] * y[0] * y[0] - data.damping * y[1]) /
                  data.mass);
  };
  Vec2 y(x, 0);
  constexpr int steps = 20000;
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const Vec2 a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y[0];
}

TEST(ThetaScheme, IsOfOrderTwoAtOneHalfAndOfOrderOneElsewhere) {
  const OscillatorData data{.mass = 2, .stiffness = 30, .hardening = 80, .damping = 0.4};
  const Oscillator oscillator(data);
  const double until = 3, reference = runge_kutta(data, 0.9, until);
  for (const auto& [theta, order] : {std::pair(0.5, 2.0), {0.6, 1.0}, {1.0, 1.0}}) {
    const auto error = [&](int steps) {
      const State end =
          run(oscillator, displaced(oscillator, 0.9), until / steps, until, theta_scheme(theta));
      return std::abs(end.q[0] - reference);
    };
    EXPECT_NEAR(observed_order(error, 8000, 32000), order, 0.1) << "theta " << theta;
  }
}

TEST(MidpointScheme, IsOfOrderTwoWithTheForceAtTheMiddleVelocityAndOfOrderOneAtTheStarts) {
  const OscillatorData data{.mass = 2, .stiffness = 30, .hardening = 80, .damping = 0.4};
  const Oscillator oscillator(data);
  const double until = 3, reference = runge_kutta(data, 0.9, until);
  for (const auto& [force_velocity, order] :
       {std::pair(ForceVelocity::midpoint, 2.0), {ForceVelocity::start, 1.0}}) {
    const auto error = [&](int steps) {
      const State end = run(oscillator, displaced(oscillator, 0.9), until / steps, until,
                            {.force_velocity = force_velocity});
      return std::abs(end.q[0] - reference);
    };
    EXPECT_NEAR(observed_order(error, 2000, 16000), order, 0.1);
  }
}

TEST(ThetaScheme, StaysBoundedOnASpringMuchTooStiffForTheStep) {
  const Oscillator oscillator({.mass = 1, .stiffness = 1e12, .gravity = g});  // ω Δt = 1e4
  const double step = 1e-2;
  for (const double theta : {0.5, 0.7, 1.0}) {
    double largest = 0;
    const State end = run(oscillator, displaced(oscillator, 0.1), step, 2, theta_scheme(theta),
                          [&](const State& state, const StepResult&) {
                            largest = std::max(largest, std::abs(state.q[0]));
                          });
    EXPECT_LE(largest, 0.1 * (1 + 1e-6)) << "theta " << theta;
    if (theta == 1) {
      EXPECT_NEAR(end.q[0], -g / 1e12, 1e-3 * g / 1e12);  // all swings are gone
    }
  }
}

TEST(ThetaScheme, KeepsTheEnergyOfALinearSpringAtOneHalf) {
  const Oscillator oscillator({.mass = 2, .stiffness = 300});
  const State start = displaced(oscillator, 0.3);
  const State end = run(oscillator, start, 0.02, 20, theta_scheme(0.5));
  const double energy = energy_ledger(oscillator, start).mechanical();
  EXPECT_NEAR(energy_ledger(oscillator, end).mechanical(), energy, 1e-11 * energy);
  // At 1 it decays, by (1 + ω²Δt²)^-½ a step.
  const State damped = run(oscillator, start, 0.02, 1, theta_scheme(1));
  const double decay = std::pow(1 + 300.0 / 2 * 0.02 * 0.02, -50);
  EXPECT_NEAR(energy_ledger(oscillator, damped).mechanical(), decay * energy, 1e-10 * energy);
}

TEST(ThetaScheme, BringsABouncingBallToRestWhenItsBouncesHaveAddedUp) {
  const double height = 0.7, e = 0.5, step = 1e-4;
  const BallOnTable ball({.law = {.restitution = e}});
  const double t1 = std::sqrt(2 * height / g), end = t1 * (1 + e) / (1 - e);
  const State start = initial_state(ball, 0, Vector::Constant(1, height), Vector::Zero(1));
  for (const double theta : {0.5, 1.0})
    for_every_solver([&](const MoreauOptions& options) {
      double first = 0, rest = 0;
      run(ball, start, step, 1.5 * end, theta_scheme(theta, options.solver),
          [&](const State&, const StepResult& result) {
            const bool pushes =
                !result.contacts.empty() && result.contacts[0].state != ContactState::open;
            if (pushes && first == 0) first = result.t_start + step / 2;
            if (!pushes) rest = result.t_start + step;
          });
      EXPECT_NEAR(first, t1, 2 * step);
      // As for the midpoint; and at 1 each flight is a step longer, Δt g/2 being added to its
      // speed.
      const double flights = std::log(t1 / step) / std::log(1 / e);
      EXPECT_NEAR(rest, end, 2 * (1 + e) / (1 - e) * step + 2 * (theta - 0.5) * flights * step);
    });
}

TEST(ThetaScheme, LetsBlocksStickAndSlideAsTheyShould) {
  const double slope = 0.4, until = 0.5;
  for (const double friction : {0.5 * std::tan(slope), 1.1 * std::tan(slope)}) {
    const PlanarBody block(block_on_incline(2.0, slope, {.friction = friction}));
    const double a = std::max(0.0, g * (std::sin(slope) - friction * std::cos(slope)));
    for_every_solver([&](const MoreauOptions& options) {
      const State start = initial_state(block, 0, Vec3(0, -hair, 0), Vec3(0, 0, 0));
      const State end = run(block, start, 1e-3, until, theta_scheme(0.5, options.solver));
      EXPECT_NEAR(end.u[0], a * until, 1e-11);
      EXPECT_NEAR(end.q[0], a * until * until / 2, 1e-11);
    });
  }
}

TEST(ThetaScheme, PressesAStiffSpringOnAStopWithItsForce) {
  // A spring of ωΔt = 100, pressed against the stop at x = 0.1: Λ = k x Δt in each step.
  const double k = 1e8, step = 1e-2;
  const Oscillator oscillator({.mass = 1, .stiffness = k, .stop = 0.1});
  for_every_solver([&](const MoreauOptions& options) {
    run(oscillator, displaced(oscillator, 0.1 - hair), step, 0.5, theta_scheme(0.5, options.solver),
        [&](const State& state, const StepResult& result) {
          EXPECT_NEAR(state.q[0], 0.1 - hair, 1e-12);
          ASSERT_EQ(result.contacts.size(), 1u);
          EXPECT_NEAR(result.contacts[0].impulse[0], k * (0.1 - hair) * result.step,
                      1e-9 * k * step);
        });
  });
}

/// An undriven four-bar; how much of its energy a run of 10 s
/// changes, and how much of that the joints are said to have done.
struct FourBarEnergy {
  double change = 0, by_joints = 0;  ///< of the energy at the start
};
FourBarEnergy energy_of_four_bar(const char* coordinates, double step,
                                 const MoreauOptions& options) {
  const Assembly assembly = assembled(fmt::format(R"yaml(
gravity: [0, -9.81]
parameters: {{b: sqrt(0.13), c: sqrt(0.1), beta: "atan2(0.2, 0.3)", gamma: "atan2(0.3, -0.1)"}}
bodies:
  crank: {{mass: 0.2, inertia: 1.7e-4, com: [0.05, 0]}}
  coupler: {{mass: 0.7, inertia: 7.1e-3, com: [b/2, 0]}}
  rocker: {{mass: 0.5, inertia: 2.6e-3, com: [c/2, 0]}}
joints:
  A: {{type: revolute, between: [ground, crank], initial: {{angle: pi/2, speed: 20}}}}
  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]], initial: {{angle: beta - pi/2}}}}
  C: {{type: revolute, between: [coupler, rocker], at: [[b, 0], [c, 0]], initial: {{angle: gamma - beta}}}}
  D: {{type: revolute, between: [ground, rocker], at: [[0.4, 0], [0, 0]]}}
simulation: {{coordinates: {}}}
)yaml",
                                                  coordinates));
  const System& system = *assembly.system;
  const EnergyLedger start = energy_ledger(system, assembly.start);
  const State end = run(system, assembly.start, step, 10, options);
  const EnergyLedger after = energy_ledger(system, end);
  return {std::abs(after.mechanical() - start.mechanical()) / start.mechanical(),
          std::abs(after.bilaterals) / start.mechanical()};
}

TEST(ThetaScheme, KeepsTheEnergyOfAFourBarAsTheMidpointDoes) {
  for (const char* coordinates : {"joint", "absolute"})
    for (const double step : {2e-3, 1e-3, 5e-4}) {
      SCOPED_TRACE(fmt::format("{} {}", coordinates, step));
      const FourBarEnergy theta = energy_of_four_bar(coordinates, step, theta_scheme(0.5)),
                          midpoint = energy_of_four_bar(coordinates, step, {});
      EXPECT_LT(theta.change, midpoint.change);
      EXPECT_LT(theta.change, 1e3 * step * step);
      // Joints do nothing, but for the share of alternating errors that is taken back.
      EXPECT_LT(theta.by_joints, 50 * step * step);
    }
}

/// The slider-crank of paper 001, whose slider stays parallel to its guide: both corners of a face
/// hit at once.
TEST(ThetaScheme, LetsASymmetricFaceHitBeSymmetric) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute})
    for (const double step : {1e-4, 1e-5}) {
      Model model = read_model(source_folder() + "/examples/slider_crank/model.yaml");
      model.simulation.coordinates = coordinates;
      const Assembly assembly = assemble(model);
      const System& system = *assembly.system;
      double tilt = 0;
      int hits = 0;
      run(system, assembly.start, step, 0.1, theta_scheme(0.5),
          [&](const State& state, const StepResult& result) {
            tilt = std::max(tilt, std::abs(motion_of(system, state, 2).angle));
            for (const ContactOutcome& contact : result.contacts)
              hits += is_impact(contact) ? 1 : 0;
          });
      EXPECT_LT(tilt, 1e-12);
      EXPECT_GT(hits, 10);
    }
}

}  // namespace
}  // namespace backlash::test::theta_scheme
