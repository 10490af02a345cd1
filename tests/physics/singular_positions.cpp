// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "support/models.h"
#include "support/runs.h"

// Loops that pass positions where their constraints depend on each other, and where the mechanism
// could go on in several ways: it goes on the way that it came.

namespace backlash::test::singular_positions {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

const char* const choices[] = {"joint", "absolute"};

/// Two rods of length r and a coupler of the length of the base, all of 1 kg; laid flat twice a
/// turn.
struct Parallelogram {
  double base = 1, rod = 1;           ///< [m]
  double angle = pi / 2, speed = -1;  ///< of the rods at the start [rad], [rad/s]
};

std::string text_of(const Parallelogram& p, const char* coordinates) {
  return fmt::format(R"(
gravity: [0, -{4}]
parameters: {{L: {0}, r: {1}, angle: {2}, speed: {3}}}
bodies:
  left: {{mass: 1, inertia: r^2/12, com: [r/2, 0]}}
  right: {{mass: 1, inertia: r^2/12, com: [r/2, 0]}}
  coupler: {{mass: 1, inertia: L^2/12, com: [L/2, 0]}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{angle: angle, speed: speed}}}}
  B: {{type: revolute, between: [left, coupler], at: [[r, 0], [0, 0]], initial: {{angle: -angle, speed: -speed}}}}
  C: {{type: revolute, between: [ground, right], at: [[L, 0], [0, 0]], initial: {{angle: angle, speed: speed}}}}
  D: {{type: revolute, between: [right, coupler], at: [[r, 0], [L, 0]]}}
simulation: {{coordinates: {5}}}
)",
                     p.base, p.rod, p.angle, p.speed, g, coordinates);
}

/// The angle after a time t: one pendulum, (2/3 + 1) r² θ̈ = −(1 + 1) g r cos θ, by Runge and
/// Kutta's method with steps so short that round-off is left.
double pendulum_angle(const Parallelogram& p, double t) {
  const int n = static_cast<int>(std::ceil(t * 2e4));
  const double h = t / n;
  const auto acceleration = [&](double angle) {
    return -2 * g * std::cos(angle) / (5.0 / 3 * p.rod);
  };
  double q = p.angle, u = p.speed;
  for (int i = 0; i < n; ++i) {
    const double a1 = acceleration(q), u2 = u + h / 2 * a1, a2 = acceleration(q + h / 2 * u),
                 u3 = u + h / 2 * a2, a3 = acceleration(q + h / 2 * u2), u4 = u + h * a3,
                 a4 = acceleration(q + h * u3);
    q += h / 6 * (u + 2 * u2 + 2 * u3 + u4);
    u += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return q;
}

/// How far a run ends from the pendulum, and what it made of the energy.
struct Deviation {
  double angle = 0;    ///< of the rods [rad]
  double coupler = 0;  ///< its angle, largest over the run [rad]
  double energy = 0;   ///< change, largest over the run, of the kinetic energy at the bottom
};

Deviation deviation(const Assembly& assembly, const Parallelogram& p, Integrator& integrator,
                    double until) {
  const System& system = *assembly.system;
  State state = assembly.start;
  const double before = energy_ledger(system, state).mechanical();
  const double size = 4 * g * p.rod;
  Deviation worst;
  long steps = 0;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State& now, const StepResult&) {
        if (++steps % 8 != 0) return;
        const double coupler = motion_of(system, now, 2).angle;
        worst.coupler = std::max(worst.coupler, std::abs(coupler));
        const double energy = energy_ledger(system, now).mechanical();
        worst.energy = std::max(worst.energy, std::abs(energy - before) / size);
      });
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at t = " << state.t;
  for (const int rod : {0, 1})
    worst.angle = std::max(
        worst.angle, std::abs(motion_of(system, state, rod).angle - pendulum_angle(p, until)));
  return worst;
}

const Parallelogram parallelograms[] = {
    {},                                                 // passes two positions a turn
    {.base = 0.8, .rod = 0.3},                          // other positions are singular there
    {.base = 0.8, .rod = 0.3, .angle = 0, .speed = 8},  // begins in one
    {.base = 1, .rod = 1, .angle = 0.2, .speed = 0},    // swings through one
};

TEST(SingularPositions, CompliantParallelogramIsOnePendulumToItsTolerance) {
  for (const char* coordinates : choices)
    for (const Parallelogram& p : parallelograms)
      for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        const Assembly assembly = assembled(text_of(p, coordinates));
        CompliantOptions options = compliant_options({}, assembly.system->info());
        options.relative_tolerance = tolerance;
        options.position_tolerance = options.angle_tolerance = 1e-2 * tolerance;
        options.speed_tolerance = options.angular_speed_tolerance = tolerance;
        Compliant integrator(*assembly.system, options);
        const Deviation worst = deviation(assembly, p, integrator, 10);
        SCOPED_TRACE(fmt::format("{} base {} at {}", coordinates, p.base, tolerance));
        EXPECT_LT(worst.energy, 100 * tolerance);
        EXPECT_LT(worst.coupler, 1000 * tolerance);
        EXPECT_LT(worst.angle, 1e5 * tolerance);
      }
}

TEST(SingularPositions, CompliantParallelogramIsOnePendulumWithEveryMethod) {
  for (const char* coordinates : choices)
    for (const OdeMethod method : {OdeMethod::bdf, OdeMethod::rk4}) {
      const Assembly assembly = assembled(text_of({}, coordinates));
      CompliantOptions options = compliant_options({}, assembly.system->info());
      options.integrator = method;
      options.step = 1e-3;
      Compliant integrator(*assembly.system, options);
      const Deviation worst = deviation(assembly, {}, integrator, 10);
      SCOPED_TRACE(fmt::format("{} {}", coordinates, name(method)));
      EXPECT_LT(worst.energy, 1e-6);
      EXPECT_LT(worst.coupler, 1e-5);
    }
}

TEST(SingularPositions, MoreausParallelogramComesToOnePendulumWithOrderTwo) {
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = assembled(text_of({}, coordinates));
    std::vector<Deviation> found;
    for (const double step : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
      Moreau integrator(*assembly.system, {.step = step});
      found.push_back(deviation(assembly, {}, integrator, 10));
      fmt::print("{:<9}{:8.1e}: angle {:8.2e}, energy {:8.2e}\n", coordinates, step,
                 found.back().angle, found.back().energy);
    }
    for (std::size_t k = 0; k + 1 < found.size(); ++k) {
      EXPECT_NEAR(std::log2(found[k].energy / found[k + 1].energy), 2, 0.05);
      EXPECT_NEAR(std::log2(found[k].angle / found[k + 1].angle), 2, k == 0 ? 0.2 : 0.1);
    }
  }
}

TEST(SingularPositions, MoreausParallelogramIsOnePendulumTheMoreSoTheShorterItsSteps) {
  for (const char* coordinates : choices)
    for (const Parallelogram& p : parallelograms) {
      SCOPED_TRACE(fmt::format("{} base {} from {}", coordinates, p.base, p.angle));
      const Assembly assembly = assembled(text_of(p, coordinates));
      const auto with_step = [&](double step) {
        Moreau integrator(*assembly.system, {.step = step});
        return deviation(assembly, p, integrator, 10);
      };
      const Deviation coarse = with_step(1e-3), fine = with_step(2.5e-4);
      EXPECT_LT(coarse.energy, 1e-4);
      EXPECT_LT(coarse.coupler, 1e-7);
      EXPECT_LT(fine.coupler, 1e-7);
      EXPECT_LT(fine.energy, 0.08 * coarse.energy);  // a sixteenth
      EXPECT_LT(fine.angle, 0.2 * coarse.angle + 1e-7);
    }
}

/// The other branch of the same rods: they turn against each other, and the coupler with them.
std::string antiparallelogram(const char* coordinates) {
  return fmt::format(R"(
gravity: [0, -{}]
parameters: {{L: 0.8, r: 0.3}}
bodies:
  left: {{mass: 1, inertia: r^2/12, com: [r/2, 0]}}
  right: {{mass: 1, inertia: r^2/12, com: [r/2, 0]}}
  coupler: {{mass: 1, inertia: L^2/12, com: [L/2, 0]}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{angle: 90 deg, speed: 15}}}}
  B: {{type: revolute, between: [left, coupler], at: [[r, 0], [0, 0]], initial: {{guess: -150 deg}}}}
  C: {{type: revolute, between: [ground, right], at: [[L, 0], [0, 0]], initial: {{guess: -50 deg}}}}
  D: {{type: revolute, between: [right, coupler], at: [[r, 0], [L, 0]]}}
simulation: {{coordinates: {}}}
)",
                     g, coordinates);
}

/// Where the left rod is at the end, and the largest change of the energy on the way.
struct LongRun {
  double angle = 0, energy = 0;
};
LongRun long_run(const Assembly& assembly, Integrator& integrator) {
  const System& system = *assembly.system;
  State state = assembly.start;
  const double before = energy_ledger(system, state).mechanical();
  LongRun done;
  long steps = 0;
  const RunSummary summary =
      simulate(integrator, state, 10, [&](const State& now, const StepResult&) {
        if (++steps % 8 != 0) return;
        const double change = energy_ledger(system, now).mechanical() - before;
        done.energy = std::max(done.energy, std::abs(change) / before);
      });
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at t = " << state.t;
  done.angle = motion_of(system, state, 0).angle;
  return done;
}

TEST(SingularPositions, AntiparallelogramStaysOneWithBothMethods) {
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = assembled(antiparallelogram(coordinates));
    Compliant compliant(*assembly.system, compliant_options({}, assembly.system->info()));
    const LongRun exact = long_run(assembly, compliant);
    EXPECT_LT(exact.energy, 1e-6);
    for (const double step : {1e-3, 1e-4, 5e-5}) {
      Moreau moreau(*assembly.system, {.step = step});
      const LongRun done = long_run(assembly, moreau);
      EXPECT_LT(done.energy, 4e3 * step * step);
      EXPECT_NEAR(done.angle, exact.angle, 1e-3 + 2e4 * step * step);
    }
  }
}

/// An in-line slider-crank whose slider is driven so that the crank turns at 20 rad/s, through dead
/// centres in which no drive of the slider moves the crank. By inverse dynamics the guide carries
/// 19.18 N at most, in the outer dead centre.
TEST(SingularPositions, DriveThroughDeadCentresShowsForcesOfInverseDynamics) {
  const Assembly assembly = assembled(R"yaml(
parameters: {a: 0.06, b: 0.15, w: 20, th0: 40 deg}
bodies:
  crank: {mass: 0.5, inertia: 5e-4, com: [a/2, 0]}
  rod: {mass: 0.3, inertia: 6e-4, com: [b/2, 0]}
  slider: {mass: 0.4, inertia: 1e-4}
joints:
  main: {type: revolute, between: [ground, crank], initial: {guess: th0}}
  big: {type: revolute, between: [crank, rod], at: [[a, 0], [0, 0]]}
  small: {type: revolute, between: [rod, slider], at: [[b, 0], [0, 0]]}
  guide: {type: prismatic, between: [ground, slider], axis: [1, 0], drive: {position: "a*cos(w*t+th0)+sqrt(b^2-(a*sin(w*t+th0))^2)"}}
)yaml");
  for (const double step : {1e-4, 2e-5}) {
    State before = assembly.start;
    double largest = 0;
    run(*assembly.system, assembly.start, step, 0.65, {},
        [&](const State& state, const StepResult&) {
          const Outputs outputs = outputs_of(*assembly.system, before, state);
          largest = std::max(largest, std::hypot(outputs.at("guide.fx"), outputs.at("guide.fy")));
          before = state;
        });
    EXPECT_GT(largest, 19.1) << step;
    EXPECT_LT(largest, 1.1 * 19.18) << step;
  }
}

/// From rest nothing says on which of its branches the mechanism goes on.
TEST(SingularPositions, RunThatBeginsThereAtRestSaysSoAndStops) {
  for (const char* coordinates : choices) {
    const Parallelogram p{.base = 0.8, .rod = 0.3, .angle = 0, .speed = 0};
    const Assembly assembly = assembled(text_of(p, coordinates));
    Compliant integrator(*assembly.system, compliant_options({}, assembly.system->info()));
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, 1).status, StepStatus::singular_position);
    EXPECT_LT(state.t, 0.1);
    Moreau moreau(*assembly.system, {.step = 1e-3});
    state = assembly.start;
    EXPECT_EQ(simulate(moreau, state, 1).status, StepStatus::singular_position);
    EXPECT_EQ(state.t, 0);
  }
}

}  // namespace
}  // namespace backlash::test::singular_positions
