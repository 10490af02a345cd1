// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Conditions of events in the long accurate steps of the compliant method: where they become
// positive, and however short they are (theory 10.16).
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::event_windows {
namespace {

struct Outcome {
  State end{};
  std::vector<EventOutcome> events{};

  double time_of(int event) const {
    for (const EventOutcome& happened : events)
      if (happened.event == event) return happened.t;
    return NAN;
  }
};

Outcome run_compliant(const Assembly& assembly, double until,
                      const CompliantOptions& options = {}) {
  Outcome run{.end = assembly.start};
  Compliant integrator(*assembly.system, options);
  const RunSummary summary =
      simulate(integrator, run.end, until, [&](const State&, const StepResult& result) {
        run.events.insert(run.events.end(), result.events.begin(), result.events.end());
      });
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << run.end.t;
  return run;
}

constexpr Onset every_onset[] = {Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none};

/// Nothing moves until the pin breaks, so that no error limits the steps.
TEST(EventWindows, ShearPinBreaksWhereItsLoadReachesItsStrength) {
  const double rate = 200, strength = 40, J = 0.02, until = 0.5, t0 = strength / rate;
  const Assembly assembly = assembled(R"(
bodies: {arm: {mass: 1, inertia: 0.02}}
joints: {pin: {type: revolute, between: [ground, arm]}}
forces: {twist: {type: joint_force, joint: pin, force: 200 N m/s*t}}
events:
  hold: {at: 0, lock: [pin]}
  shear: {when: pin.load - 40 N m, release: [pin]}
)");
  for (const Onset onset : every_onset) {
    SCOPED_TRACE(std::string(name(onset)));
    const Outcome run = run_compliant(assembly, until, {.onset = onset});
    EXPECT_NEAR(run.time_of(1), t0, 1e-12);
    const double w = rate * (until * until - t0 * t0) / (2 * J);
    EXPECT_NEAR(run.end.u[0], w, 1e-6 * w);
  }
}

/// A cart at 1 m/s, whose steps are as long as one likes, is for 20 ms, or 2 µs, near a switch.
TEST(EventWindows, IsSeenHoweverShortIfItsConditionIsAContinuousFormula) {
  for (const double half_width : {1e-2, 1e-6})
    for (const double place : {0.5, 0.5001, 1.0, 1.7})
      for (const Onset onset : every_onset) {
        SCOPED_TRACE(fmt::format("{} +- {}, {}", place, half_width, name(onset)));
        const Assembly assembly = assembled(fmt::format(R"(
bodies: {{cart: {{mass: 1, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], initial: {{speed: 1}}}}}}
forces: {{push: {{type: joint_force, joint: rail, force: 1 N, active: false}}}}
events: {{pass: {{when: {} m - abs(rail.q - {} m), activate: [push]}}}}
)",
                                                        half_width, place));
        const Outcome run = run_compliant(assembly, 2, {.onset = onset});
        ASSERT_EQ(run.events.size(), 1u);
        EXPECT_NEAR(run.time_of(0), place - half_width, 1e-12);
        EXPECT_NEAR(run.end.u[0], 1 + 2 - (place - half_width), 1e-7);
      }
}

/// What jumps is seen where it holds for a 2000th of the run.
TEST(EventWindows, IsSeenWhereItsConditionJumps) {
  for (const double width : {2e-2, 1.1e-3}) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies: {{cart: {{mass: 1, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], initial: {{speed: 1}}}}}}
forces: {{none: {{type: joint_force, joint: rail, force: 0 N, active: false}}}}
events:
  pass: {{when: rail.q > 0.5 m and rail.q < 0.5 m + {0} m, activate: [none]}}
  again: {{when: abs(rail.q - 1 m) < 0.5*{0} m, activate: [none], once: false}}
)",
                                                    width));
    const Outcome run = run_compliant(assembly, 2);
    ASSERT_EQ(run.events.size(), 2u);
    EXPECT_NEAR(run.time_of(0), 0.5, 1e-12);
    EXPECT_NEAR(run.time_of(1), 1 - 0.5 * width, 1e-12);
  }
}

/// An oscillator that comes back: each time.
TEST(EventWindows, HappensEachTimeThatItIsEntered) {
  const double w = 20, until = 3;
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {position: 0.1}}}
forces: {spring: {type: joint_spring, joint: rail, stiffness: 400}}
events: {top: {when: rail.q - 0.0999 m, activate: [spring], once: false}}
)");
  const Outcome run = run_compliant(assembly, until);
  const double half = std::acos(0.999) / w, period = 2 * std::numbers::pi / w;
  ASSERT_EQ(run.events.size(), 1 + std::floor((until + half) / period));
  for (std::size_t k = 1; k < run.events.size(); ++k)
    EXPECT_NEAR(run.events[k].t, static_cast<double>(k) * period - half, 1e-6);
}

/// F² = (m ω² r)² + (m α r)² at ω = α t.
TEST(EventWindows, ReactionIsThatOfTheTime) {
  const double m = 2, r = 0.5, alpha = 10, limit = 100;
  const Assembly assembly = assembled(R"(
bodies: {arm: {mass: 2, inertia: 1e-9, com: [0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], drive: {angle: 5*t^2}}}
events: {flies: {when: "pin.force - 100", deactivate: [pin.drive]}}
)");
  const Outcome run = run_compliant(assembly, 2);
  const double tangential = m * alpha * r;
  const double w = std::sqrt(std::sqrt(limit * limit - tangential * tangential) / (m * r));
  EXPECT_NEAR(run.time_of(0), w / alpha, 1e-7);
  EXPECT_NEAR(run.end.u[0], w, 1e-6);
}

/// Hertz' force at the end of the run is that of the event.
TEST(EventWindows, ContactForceIsThatOfTheTime) {
  const double K = 1e8, limit = 500;
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.2]}}
contacts: {touch: {between: [ground, ball], law: soft}}
laws: {soft: {model: hertz, stiffness: 1e8 N/m^1.5}}
events: {hit: {when: touch.force - 500 N, stop: true}}
)");
  const Outcome run = run_compliant(assembly, 1);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(K * std::pow(0.1 - run.end.q[1], 1.5), limit, 1e-6 * limit);
}

/// A lock that takes more than its strength when it is made does not hold.
TEST(EventWindows, WhatAnEventOverloadsBreaksAtOnce) {
  const Assembly assembly = assembled(R"(
bodies: {arm: {mass: 1, inertia: 0.02}}
joints: {pin: {type: revolute, between: [ground, arm]}}
forces: {twist: {type: joint_force, joint: pin, force: 50 N m}}
events:
  hold: {at: 0.1, lock: [pin]}
  shear: {when: pin.load - 40 N m, release: [pin]}
)");
  const Outcome run = run_compliant(assembly, 0.5);
  EXPECT_EQ(run.time_of(0), 0.1);
  EXPECT_EQ(run.time_of(1), 0.1);
  EXPECT_NEAR(run.end.u[0], 50 * 0.4 / 0.02, 1e-6);  // caught, and free again
}

}  // namespace
}  // namespace backlash::test::event_windows
