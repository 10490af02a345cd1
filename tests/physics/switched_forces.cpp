// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/results/recorder.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::switched_forces {
namespace {

using ::testing::ElementsAre;

constexpr double mass = 2, push = 3;  // [kg], [N]

/// A mass on a rail that a force pushes, with the given events.
Assembly pushed_mass(const std::string& events, const std::string& active = "true") {
  return assembled(fmt::format(R"(
bodies: {{block: {{mass: {}, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, block]}}}}
forces: {{push: {{type: joint_force, joint: rail, force: {}, active: {}}}}}
events: {{{}}}
)",
                               mass, push, active, events));
}

std::vector<EventOutcome> events_of(const Assembly& assembly, double step, double until,
                                    State& state) {
  std::vector<EventOutcome> all;
  state = run(*assembly.system, assembly.start, step, until, {},
              [&](const State&, const StepResult& result) {
                all.insert(all.end(), result.events.begin(), result.events.end());
              });
  return all;
}

TEST(SwitchedForce, EndsExactlyAtItsTimeWhateverTheStep) {
  const double end = 0.33371, a = push / mass;
  const Assembly assembly = pushed_mass(fmt::format("off: {{at: {}, deactivate: [push]}}", end));
  for (const double step : {1e-3, 7e-3, 0.33371, 0.2}) {
    State state;
    const auto events = events_of(assembly, step, 1, state);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_DOUBLE_EQ(events[0].t, end);
    EXPECT_NEAR(state.t, 1, 1e-12);
    EXPECT_NEAR(state.u[0], a * end, 1e-12);
    EXPECT_NEAR(state.q[0], 0.5 * a * end * end + a * end * (1 - end), 1e-12);
  }
}

TEST(SwitchedForce, BeginsAtItsTimeIfItWasNotActiveBefore) {
  const Assembly assembly = pushed_mass("on: {at: 0.25, activate: [push]}", "false");
  State state;
  events_of(assembly, 1e-2, 1, state);
  EXPECT_NEAR(state.u[0], push / mass * 0.75, 1e-12);
}

TEST(SwitchedForce, StaysAsItIsWithoutEvents) {
  const Assembly assembly = pushed_mass("end: {at: 0.5, stop: true}", "false");
  State state = run(*assembly.system, assembly.start, 1e-2, 1);
  EXPECT_EQ(state.u[0], 0);
}

TEST(SwitchedForce, AtAPositionIsSwitchedWhereItIsReachedWhateverTheStep) {
  const double way = 0.1, a = push / mass, t_exact = std::sqrt(2 * way / a);
  for (const char* condition :
       {"rail.q - 0.1", "rail.q > 0.1 and rail.u > 0", "(rail.q - 0.1)^3"}) {
    SCOPED_TRACE(condition);
    const Assembly assembly =
        pushed_mass(fmt::format("off: {{when: {}, deactivate: [push]}}", condition));
    for (const int steps : {7, 100, 173, 1000}) {
      SCOPED_TRACE(steps);
      State state;
      const auto events = events_of(assembly, 1.0 / steps, 1, state);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_NEAR(events[0].t, t_exact, 2e-9 / steps);
      EXPECT_NEAR(state.u[0], a * t_exact, 2e-9 * a / steps);
      EXPECT_NEAR(state.q[0], way + a * t_exact * (1 - t_exact), 2e-9 / steps);
    }
  }
}

TEST(SwitchedForce, LeavesEqualStepsOnTheirGrid) {
  const double step = 0.01, t_exact = std::sqrt(2 * 0.1 * mass / push);
  const Assembly assembly = pushed_mass("off: {when: rail.q - 0.1, deactivate: [push]}");
  std::vector<double> off_grid;
  run(*assembly.system, assembly.start, step, 1, {}, [&](const State& state, const StepResult&) {
    const double steps = state.t / step;
    if (std::abs(steps - std::round(steps)) > 1e-9) off_grid.push_back(state.t);
  });
  ASSERT_EQ(off_grid.size(), 1u);
  EXPECT_NEAR(off_grid[0], t_exact, 1e-10);
}

/// Not by a step that ends there, which would be too short.
TEST(SwitchedForce, NearTheEndsOfAStepActsByAThousandthOfItTooLateAndHasItsTime) {
  const double a = push / mass, step = 0.01;
  for (const double beside : {-3e-4, -1e-12, 0.0, 1e-12, 3e-4}) {
    SCOPED_TRACE(beside);
    const double t_exact = (50 + beside) * step;
    const Assembly assembly =
        pushed_mass(fmt::format("off: {{when: rail.u - {}, deactivate: [push]}}", a * t_exact));
    State state;
    std::vector<double> lengths;
    std::vector<EventOutcome> events;
    state = run(*assembly.system, assembly.start, step, 1, {},
                [&](const State&, const StepResult& result) {
                  lengths.push_back(result.step);
                  events.insert(events.end(), result.events.begin(), result.events.end());
                });
    ASSERT_EQ(events.size(), 1u);
    EXPECT_NEAR(events[0].t, t_exact, 1e-11);
    EXPECT_GE(state.u[0], a * t_exact * (1 - 1e-12));
    EXPECT_LE(state.u[0], a * (t_exact + 1.01e-3 * step));
    EXPECT_GE(*std::ranges::min_element(lengths), 0.99e-3 * step);
  }
}

/// Each bounce of the force against the motion is an event; they would never end.
TEST(SwitchedForce, ToAndFroWithoutHysteresisTakesNoMoreThanNineStepsForOne) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {speed: 1}}}
forces:
  left: {type: joint_force, joint: rail, force: -3}
  right: {type: joint_force, joint: rail, force: 3, active: false}
events:
  back: {when: -rail.u, once: false, activate: [right], deactivate: [left]}
  forth: {when: rail.u, once: false, activate: [left], deactivate: [right]}
)");
  int steps = 0;
  const State end = run(*assembly.system, assembly.start, 0.01, 1, {},
                        [&](const State&, const StepResult&) { ++steps; });
  EXPECT_LE(steps, 9 * 100);
  const double a = 3, stop = 1 / a, slowest = a * 0.01;  // what a step makes of standstill
  EXPECT_NEAR(end.u[0], 0, slowest);
  EXPECT_NEAR(end.q[0], 0.5 / a, slowest * (1 - stop));
}

TEST(SwitchedForce, WhoseConditionHoldsAtTheStartIsSwitchedThere) {
  for (const char* condition : {"rail.q + 1", "rail.u >= 0", "t - 1"}) {
    SCOPED_TRACE(condition);
    const Assembly assembly =
        pushed_mass(fmt::format("off: {{when: '{}', deactivate: [push]}}", condition));
    State state;
    const auto events = events_of(assembly, 0.01, 0.5, state);
    const bool at_start = condition[0] == 'r';
    ASSERT_EQ(events.size(), at_start ? 1u : 0u);
    if (at_start) {
      EXPECT_EQ(events[0].t, 0);
    }
    EXPECT_EQ(state.u[0] == 0, at_start);
  }
  const Assembly timed = pushed_mass("off: {at: 0, deactivate: [push]}");
  EXPECT_EQ(run(*timed.system, timed.start, 0.01, 0.5).u[0], 0);
}

/// A mass on a spring, at x = 1 with frequency 1: x = cos t.
constexpr const char* oscillator = R"(
bodies: {{block: {{mass: 1, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, block], initial: {{position: 1}}}}}}
forces: {{spring: {{type: joint_spring, joint: rail, stiffness: 1}}}}
events: {{{}}}
)";

TEST(Events, HappenOnceOrAsOftenAsTheirConditionBecomesPositive) {
  const double pi = std::numbers::pi;
  const Assembly assembly =
      assembled(fmt::format(oscillator,
                            "first: {when: rail.q - 0.5, stop: false, activate: "
                            "[spring]}, each: {when: rail.u, once: false, activate: "
                            "[spring]}"));
  State state;
  std::vector<double> first, each;
  for (const EventOutcome& e : events_of(assembly, 1e-3, 4.5 * pi, state))
    (e.event == 0 ? first : each).push_back(e.t);
  EXPECT_THAT(first, ElementsAre(0));  // x = 1 at the start
  ASSERT_EQ(each.size(), 2u);          // u = −sin t rises through 0 at π and 3π
  EXPECT_NEAR(each[0], pi, 1e-5);
  EXPECT_NEAR(each[1], 3 * pi, 1e-5);
}

TEST(Events, OfOneStepActInTheOrderOfTheModel) {
  for (const bool on_last : {true, false}) {
    const char* on = "on: {at: 0.1, activate: [push]}";
    const char* off = "off: {when: t >= 0.1, deactivate: [push]}";
    const Assembly assembly =
        pushed_mass(fmt::format("{}, {}", on_last ? off : on, on_last ? on : off), "false");
    const State state = run(*assembly.system, assembly.start, 0.05, 0.3);
    EXPECT_NEAR(state.u[0], on_last ? push / mass * 0.2 : 0, 1e-12);
  }
}

TEST(Events, ThatStopEndTheRunWithTheStepInWhichTheyHappen) {
  const Assembly assembly = pushed_mass("far: {when: rail.q - 0.1, stop: true}");
  State state = assembly.start;
  Moreau integrator(*assembly.system, {.step = 1e-3});
  EXPECT_EQ(simulate(integrator, state, 10).status, StepStatus::done);
  EXPECT_GT(state.q[0], 0.1);
  EXPECT_LT(state.q[0] - 1e-3 * state.u[0], 0.1);
}

TEST(SwitchedForce, ThatStoresEnergyTakesItAwayAndBringsItAndTheBalanceSaysSo) {
  const Assembly assembly = assembled(fmt::format(
      oscillator,
      "off: {at: 0.4, deactivate: [spring]}, on: {when: t >= 0.6, activate: [spring]}"));
  const State end = run(*assembly.system, assembly.start, 1e-3, 2);
  const EnergyLedger before = energy_ledger(*assembly.system, assembly.start);
  const EnergyLedger after = energy_ledger(*assembly.system, end);
  const double x1 = std::cos(0.4), v1 = -std::sin(0.4), x2 = x1 + 0.2 * v1;
  EXPECT_NEAR(after.switching, 0.5 * x2 * x2 - 0.5 * x1 * x1, 1e-6);
  EXPECT_NEAR(after.mechanical(), 0.5 * v1 * v1 + 0.5 * x2 * x2, 1e-6);
  EXPECT_LT(std::abs(energy_imbalance(before, after)), 1e-6);
}

TEST(SwitchedForce, IsNotSwitchedByAStepThatFails) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
forces:
  bad: {type: joint_force, joint: rail, force: 1 N * sqrt(rail.q/rail.q), active: false}
events: {on: {at: 0, activate: [bad]}}
)");
  State state = assembly.start;
  Moreau integrator(*assembly.system, {});
  EXPECT_EQ(integrator.step(state, 0.1).status, StepStatus::not_finite);
  EXPECT_EQ(state.z.head(assembly.start.z.size()), assembly.start.z);
}

TEST(SwitchedForce, IsRecordedAsAnEventOfTheModel) {
  const Assembly assembly =
      pushed_mass("off: {at: 0.5, deactivate: [push]}, end: {at: 0.7, stop: true}");
  Recorder recorder(*assembly.system, assembly.start, {});
  run(*assembly.system, assembly.start, 0.1, 1, {},
      [&](const State& state, const StepResult& result) { recorder.observe(state, result); });
  const auto& events = recorder.recording().events;
  const SystemInfo& info = assembly.system->info();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(name(events[0].kind), "switch");
  EXPECT_EQ(info.events[static_cast<std::size_t>(events[0].model_event)].name, "off");
  EXPECT_EQ(name(events[1].kind), "stop");
  EXPECT_EQ(info.events[static_cast<std::size_t>(events[1].model_event)].name, "end");
  EXPECT_EQ(events[0].t, 0.5);
}

TEST(SwitchedForce, MayBeAOneWayClutch) {
  // Held by the clutch, the mass does not go back; without it, it does.
  const Assembly assembly = assembled(R"(
bodies: {wheel: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, wheel]}}
forces:
  load: {type: joint_force, joint: pin, force: -1}
  clutch: {type: one_way_clutch, joint: pin}
events: {open: {at: 1, deactivate: [clutch]}}
)");
  EXPECT_NEAR(run(*assembly.system, assembly.start, 1e-3, 1).u[0], 0, 1e-12);
  EXPECT_NEAR(run(*assembly.system, assembly.start, 1e-3, 3).u[0], -2, 1e-9);
}

}  // namespace
}  // namespace backlash::test::switched_forces
