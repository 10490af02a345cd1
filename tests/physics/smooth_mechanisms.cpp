// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "support/models.h"

// Mechanisms without contact under the method compliant: how large errors are against the
// tolerance that was asked for. What is looked at is the error that has gathered over the whole
// run, of each position and velocity as a part of the largest value that its kind (positions,
// velocities) has in the run.

namespace backlash::test {
namespace {

/// Times at which runs are compared.
constexpr int looks = 50;

struct Mechanism {
  std::string name;
  std::string text;  ///< of the model
  double until;      ///< [s]
};

const Mechanism& pendulum() {
  static const Mechanism mechanism{"pendulum", R"(
gravity: [0, -9.81]
bodies: {bob: {mass: 1, inertia: 0.02, com: [0, -0.5]}}
joints: {pivot: {type: revolute, between: [ground, bob], initial: {angle: 60 deg}}}
)",
                                   3};
  return mechanism;
}

std::vector<Mechanism> mechanisms() {
  const std::string four_bar = R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 0.2, inertia: 1.7e-4, com: [0.05, 0]}
  coupler: {mass: 0.7, inertia: 7.1e-3, com: [0.175, 0]}
  rocker: {mass: 0.5, inertia: 2.6e-3, com: [0.125, 0]}
joints:
  A: {type: revolute, between: [ground, crank], initial: {angle: 0, speed: 20}}
  B: {type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]}
  D: {type: revolute, between: [ground, rocker], at: [[0.4, 0], [0, 0]],
      initial: {angle: pi - acos((0.3^2 + 0.25^2 - 0.35^2)/(2*0.3*0.25)), speed: rocker_speed}}
  C: {type: revolute, between: [coupler, rocker], at: [[0.35, 0], [0.25, 0]]}
parameters:
  coupler_angle: acos((0.3^2 + 0.35^2 - 0.25^2)/(2*0.3*0.35))
  rocker_angle: pi - acos((0.3^2 + 0.25^2 - 0.35^2)/(2*0.3*0.25))
  rocker_speed: 20*0.1/0.25*sin(coupler_angle)/sin(coupler_angle - rocker_angle)
)";
  return {pendulum(),
          {"double_pendulum", R"(
gravity: [0, -9.81]
bodies:
  upper: {mass: 1, inertia: 0.02, com: [0, -0.25]}
  lower: {mass: 1, inertia: 0.02, com: [0, -0.25]}
joints:
  a: {type: revolute, between: [ground, upper], initial: {angle: 40 deg}}
  b: {type: revolute, between: [upper, lower], at: [[0, -0.5], [0, 0]], initial: {angle: -70 deg}}
)",
           2},
          {"four_bar", four_bar, 0.6},
          {"slider_crank", ideal_slider_crank(20), 0.6}};
}

/// A run at a tolerance: what it looked like at equally spaced times, and the energy that it made.
struct Motion {
  std::vector<State> states;
  double energy = 0;  ///< as a part of the largest kinetic energy
};

CompliantOptions at_tolerance(OdeMethod method, double tolerance) {
  return {.integrator = method,
          .relative_tolerance = tolerance,
          .position_tolerance = 0.01 * tolerance,
          .angle_tolerance = 0.01 * tolerance,
          .speed_tolerance = tolerance,
          .angular_speed_tolerance = tolerance};
}

Motion motion(const Assembly& assembly, double until, const CompliantOptions& options) {
  const System& system = *assembly.system;
  Compliant integrator(system, options);
  State state = assembly.start;
  const EnergyLedger start = energy_ledger(system, state);
  Motion found;
  double kinetic = 0, made = 0;
  const auto due = [&](double) { return until * double(found.states.size() + 1) / looks; };
  const auto watch = [&](const State& now, const StepResult&) {
    if (now.t < due(0)) return;
    found.states.push_back(now);
    const EnergyLedger ledger = energy_ledger(system, now);
    kinetic = std::max(kinetic, ledger.kinetic);
    made = std::max(made, std::abs(energy_imbalance(start, ledger)));
  };
  const RunSummary summary = simulate(integrator, state, until, due, watch);
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
  found.energy = made / kinetic;
  return found;
}

/// Largest difference of positions and of velocities, as a part of the largest value.
double difference(const Motion& a, const Motion& b) {
  double q = 0, u = 0, largest_q = 0, largest_u = 0;
  EXPECT_EQ(a.states.size(), b.states.size());
  for (std::size_t i = 0; i < std::min(a.states.size(), b.states.size()); ++i) {
    q = std::max(q, (a.states[i].q - b.states[i].q).cwiseAbs().maxCoeff());
    u = std::max(u, (a.states[i].u - b.states[i].u).cwiseAbs().maxCoeff());
    largest_q = std::max(largest_q, b.states[i].q.cwiseAbs().maxCoeff());
    largest_u = std::max(largest_u, b.states[i].u.cwiseAbs().maxCoeff());
  }
  return std::max(q / largest_q, u / largest_u);
}

Assembly in_coordinates(const Mechanism& mechanism, Coordinates coordinates) {
  Model model = parse_model("backlash: 1\n" + mechanism.text, "model.yaml");
  model.simulation.coordinates = coordinates;
  return assemble(model);
}

/// What may have gathered over a run, as a multiple of the tolerance (theory 10.7).
constexpr double gathered = 10;

template <class Check>
void at_all_tolerances(Check check) {
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf})
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(fmt::format("{} at {}", name(method), tolerance));
      check(method, tolerance);
    }
}

class SmoothMechanisms : public ::testing::TestWithParam<Coordinates> {};

TEST_P(SmoothMechanisms, ErrAsTheToleranceAllows) {
  for (const Mechanism& mechanism : mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    const Assembly assembly = in_coordinates(mechanism, GetParam());
    const Motion reference =
        motion(assembly, mechanism.until, at_tolerance(OdeMethod::adams, 1e-13));
    at_all_tolerances([&](OdeMethod method, double tolerance) {
      const Motion found = motion(assembly, mechanism.until, at_tolerance(method, tolerance));
      EXPECT_LT(difference(found, reference), gathered * tolerance);
      EXPECT_LT(found.energy, gathered * tolerance);
    });
  }
}

TEST_P(SmoothMechanisms, SwingAsAnEllipticFunctionSays) {
  // θ = 2 asin(k sin φ), F(φ, k) = K(k) − ω t from a start at rest
  const double L = 0.5, inertia = 0.02 + L * L, start = std::numbers::pi / 3;
  const double frequency = std::sqrt(9.81 * L / inertia), k = std::sin(start / 2);
  const auto angle = [&](double t) {
    const double phase = std::comp_ellint_1(k) - frequency * t;
    double phi = phase;
    for (int i = 0; i < 50; ++i)
      phi -= (std::ellint_1(k, phi) - phase) * std::sqrt(1 - std::pow(k * std::sin(phi), 2));
    return 2 * std::asin(k * std::sin(phi));
  };
  const Assembly assembly = in_coordinates(pendulum(), GetParam());
  at_all_tolerances([&](OdeMethod method, double tolerance) {
    const Motion found = motion(assembly, pendulum().until, at_tolerance(method, tolerance));
    double error = 0;
    for (const State& state : found.states)
      error = std::max(error, std::abs(motion_of(*assembly.system, state).angle - angle(state.t)));
    EXPECT_LT(error / start, gathered * tolerance);
  });
}

TEST_P(SmoothMechanisms, FollowTheirDrives) {
  // A slider-crank whose crank turns evenly: x = l1 cos θ + √(l2² − l1² sin² θ)
  const double l1 = 0.153, l2 = 0.306, speed = 20;
  const Mechanism driven{"driven",
                         [&] {
                           std::string text = ideal_slider_crank(speed);
                           const std::string undriven = "initial: {angle: 0, speed: speed}}";
                           text.replace(
                               text.find(undriven), undriven.size(),
                               "initial: {angle: 0, speed: speed}, drive: {speed: speed}}");
                           return text;
                         }(),
                         0.6};
  const Assembly assembly = in_coordinates(driven, GetParam());
  at_all_tolerances([&](OdeMethod method, double tolerance) {
    const Motion found = motion(assembly, driven.until, at_tolerance(method, tolerance));
    double error = 0;
    for (const State& state : found.states) {
      const double theta = speed * state.t;
      const double x =
          l1 * std::cos(theta) + std::sqrt(l2 * l2 - std::pow(l1 * std::sin(theta), 2));
      error = std::max(error, std::abs(motion_of(*assembly.system, state, 2).p_W.x() - x));
    }
    EXPECT_LT(error / (l1 + l2), gathered * tolerance);
  });
}

INSTANTIATE_TEST_SUITE_P(Both, SmoothMechanisms,
                         ::testing::Values(Coordinates::joint, Coordinates::absolute),
                         [](const auto& tested) {
                           return tested.param == Coordinates::joint ? "joint" : "absolute";
                         });

}  // namespace
}  // namespace backlash::test
