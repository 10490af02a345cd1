// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "backlash/integrators/integrator_table.h"
#include "support/built_methods.h"
#include "support/models.h"
#include "support/runs.h"

/// Events that lock and release joints, switch contacts and drives, set parameters, and that wait
/// for gaps, forces and each other (theory 4.8, 4.31).
namespace backlash::test::event_switches {
namespace {

/// A run to its end, with the events that happened.
struct Outcome {
  State end{};
  std::vector<EventOutcome> events{};
  double made = 0;  ///< energy that no force, contact, drive or event accounts for [J]

  double time_of(int event) const {
    for (const EventOutcome& happened : events)
      if (happened.event == event) return happened.t;
    return NAN;
  }
};

Outcome run_with(const IntegratorEntry& method, const Assembly& assembly, double step,
                 double until) {
  Options options;
  set_option(options, method.name == "compliant" ? "max_step" : "step",
             method.name == "compliant" ? 10 * step : step);
  Outcome run{.end = assembly.start};
  const auto integrator = method.make(*assembly.system, options);
  const EnergyLedger start = energy_ledger(*assembly.system, run.end);
  const RunSummary summary =
      simulate(*integrator, run.end, until, [&](const State&, const StepResult& result) {
        run.events.insert(run.events.end(), result.events.begin(), result.events.end());
      });
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at t = " << run.end.t;
  run.made = made_by_method(start, energy_ledger(*assembly.system, run.end));
  return run;
}

/// With every method that is built and takes the model.
void for_every_method(const std::function<void(const IntegratorEntry&)>& check) {
  for (const IntegratorEntry& method : integrator_table()) {
    if (!is_built(method)) continue;
    SCOPED_TRACE(std::string(method.name));
    check(method);
  }
}

/// Two disks on one axle: what their joint locks moves on together.
TEST(EventLock, KeepsTheAngularMomentumAndTakesTheEnergyOfAPlasticImpact) {
  const double J1 = 2, J2 = 3, w1 = 4, w2 = -1;
  const Assembly assembly = assembled(R"(
bodies: {first: {mass: 1, inertia: 2}, second: {mass: 1, inertia: 3}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
events: {stick: {at: 0.1, lock: [hub]}, part: {at: 0.3, release: [hub]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const double common = (J1 * w1 + J2 * w2) / (J1 + J2);
    const double lost = 0.5 * J1 * J2 / (J1 + J2) * (w1 - w2) * (w1 - w2);
    const Outcome locked = run_with(method, assembly, 1e-3, 0.2);
    EXPECT_NEAR(locked.end.u[0], common, 1e-9);
    EXPECT_NEAR(locked.end.u[1], 0, 1e-9);
    EXPECT_NEAR(locked.end.q[1], -5 * 0.1, 1e-6);  // where it was
    EXPECT_NEAR(energy_ledger(*assembly.system, locked.end).switching, -lost, 1e-8 * lost);
    EXPECT_NEAR(locked.made, 0, 1e-8);
    const Outcome released = run_with(method, assembly, 1e-3, 0.4);
    EXPECT_NEAR(released.end.u[0], common, 1e-9);  // nothing parts them
    EXPECT_EQ(released.events.size(), 2u);
  });
}

/// A lock at the start takes what one takes later.
TEST(EventLock, AtTheStartOfARunTakesTheEnergyOfAPlasticImpactToo) {
  const double J1 = 2, J2 = 3, w1 = 4, w2 = -1;
  const double common = (J1 * w1 + J2 * w2) / (J1 + J2);
  const double lost = 0.5 * J1 * J2 / (J1 + J2) * (w1 - w2) * (w1 - w2);
  const Assembly assembly = assembled(R"(
bodies: {first: {mass: 1, inertia: 2}, second: {mass: 1, inertia: 3}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
events: {stick: {at: 0, lock: [hub]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const Outcome locked = run_with(method, assembly, 1e-3, 0.1);
    EXPECT_NEAR(locked.end.u[0], common, 1e-9);
    EXPECT_NEAR(locked.end.u[1], 0, 1e-9);
    EXPECT_NEAR(locked.end.q[0], common * 0.1, 1e-6);
    EXPECT_NEAR(energy_ledger(*assembly.system, locked.end).switching, -lost, 1e-8 * lost);
    EXPECT_NEAR(locked.made, 0, 1e-8);
    EXPECT_EQ(locked.time_of(0), 0);
  });
}

/// The first step is shortened, for the blade could pass through the pin.
TEST(EventLock, AtTheStartOfAStepThatIsTriedAgainHappensOnce) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shapes: {pin: {circle: 0.5 mm, at: [0, 2.15]}}}
  first: {mass: 1, inertia: 2}
  second: {mass: 1, inertia: 3}
  blade: {mass: 0.1, inertia: 1e-3, shape: {capsule: {from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
  pivot: {type: revolute, between: [ground, blade], at: [[0, 2], [0, 0]], initial: {angle: 1.4, speed: 50}}
contacts: {touch: {between: [ground.pin, blade], law: steel}}
laws: {steel: {restitution: 0.5}}
events: {stick: {at: 0, lock: [hub]}}
)");
  const double lost = 0.5 * 6.0 / 5 * 25;
  for (const char* name : {"moreau", "optimisation"}) {
    SCOPED_TRACE(name);
    const IntegratorEntry& method = find_integrator(name);
    if (!is_built(method)) continue;
    Options options;
    set_option(options, "step", 0.05);
    const auto integrator = method.make(*assembly.system, options);
    State state = assembly.start;
    const StepResult& result = integrator->step(state, {});
    ASSERT_EQ(result.status, StepStatus::done);
    EXPECT_GT(result.rejected.size() + (result.step < 0.05 ? 1 : 0), 0u);
    EXPECT_EQ(result.events.size(), 1u);
    const EnergyLedger ledger = energy_ledger(*assembly.system, state);
    EXPECT_NEAR(ledger.switching, -lost, 1e-8 * lost);
    EXPECT_NEAR(Memory(assembly.system->info()).switching(state.z)[3], 1, 0);  // how often
  }
}

/// Nothing of it stays where the first step fails.
TEST(EventLock, AtTheStartOfAStepThatFailsIsUndone) {
  const Assembly assembly = assembled(R"(
parameters: {T: 1 s, F: 1 N m}
bodies: {first: {mass: 1, inertia: 2}, second: {mass: 1, inertia: 3}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
forces: {odd: {type: joint_force, joint: axle, force: F*sqrt(1e-12 - t/T)}}
events: {stick: {at: 0, lock: [hub]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    Options options;
    set_option(options, "step", 1e-3);
    if (method.name == "compliant") set_option(options, "integrator", std::string("rk4"));
    const auto integrator = method.make(*assembly.system, options);
    State state = assembly.start;
    const StepResult& result = integrator->step(state, {});
    EXPECT_EQ(result.status, StepStatus::not_finite);
    EXPECT_EQ(state.t, 0);
    EXPECT_EQ(state.q, assembly.start.q);
    EXPECT_EQ(state.u, assembly.start.u);
    EXPECT_EQ(energy_ledger(*assembly.system, state).switching, 0);
    EXPECT_EQ(result.events.size(), 0u);
  });
}

/// Neither what is let go again, nor a second lock of what the first one holds already, is near a
/// singular position.
TEST(EventLock, TakesNoLockForASingularPosition) {
  const Assembly assembly = assembled(ideal_slider_crank(10) + R"(
events:
  first: {at: 50 ms, lock: [main]}
  second: {at: 60 ms, lock: [guide]}
  one_off: {at: 70 ms, release: [main]}
  both_off: {at: 80 ms, release: [guide]}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const auto integrator =
        method.make(*assembly.system,
                    {{.key = method.name == "compliant" ? "max_step" : "step", .value = 1e-3}});
    State state = assembly.start;
    const RunSummary summary = simulate(*integrator, state, 0.1);
    EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
    EXPECT_EQ(summary.singular_steps, 0);
  });
}

/// A pin that carries a torque which grows, and breaks at its strength.
TEST(EventLock, ThatBreaksAtItsStrengthIsAShearPin) {
  const double rate = 50, strength = 10, J = 0.5;
  const Assembly assembly = assembled(R"(
parameters: {strength: 10 N m}
bodies: {shaft: {mass: 1, inertia: 0.5}}
joints: {axle: {type: revolute, between: [ground, shaft]}}
forces: {twist: {type: joint_force, joint: axle, force: 50 N m/s*t}}
events:
  mount: {at: 0, lock: [axle]}
  shear: {when: axle.load - strength, release: [axle]}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const double step = 1e-4, t0 = strength / rate, until = 0.5;
    const Outcome run = run_with(method, assembly, step, until);
    const double steps = method.name == "compliant" ? 20 : 2;
    EXPECT_NEAR(run.time_of(1), t0, steps * step);
    // From then on it is free: ω = k (t² − t₀²)/2J.
    const double w = rate * (until * until - t0 * t0) / (2 * J);
    EXPECT_NEAR(run.end.u[0], w, steps * step * strength / J + 1e-3 * w);
    EXPECT_NEAR(run.made, 0, 1e-2 * 0.5 * J * w * w);
  });
}

/// A latch that holds a loaded spring, and lets it go.
TEST(EventLock, ReleasedAtATimeLetsTheSpringSwing) {
  const double m = 2, k = 800, x0 = 0.1, released = 0.25, until = 0.4;
  const Assembly assembly = assembled(R"(
bodies: {bolt: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, bolt], initial: {position: 0.1}}}
forces: {spring: {type: joint_spring, joint: rail, stiffness: 800}}
events: {cock: {at: 0, lock: [rail]}, fire: {at: 0.25, release: [rail]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const Outcome run = run_with(method, assembly, 1e-4, until);
    const double x = x0 * std::cos(std::sqrt(k / m) * (until - released));
    // Implicit Euler damps by half a step's ω² of the time.
    const double damped = 0.5 * k / m * 1e-4 * (until - released) * x0;
    EXPECT_NEAR(run.end.q[0], x, method.name == "optimisation" ? 1.1 * damped : 1e-5);
  });
}

constexpr const char* ball_on_floor = R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.1]}}
)";

TEST(EventContact, ThatIsDeactivatedLetsTheBallFall) {
  const double g = 9.81, gone = 0.2, until = 0.4;
  const Assembly assembly = assembled(std::string(ball_on_floor) + R"(
contacts: {touch: {between: [ground, ball], law: dead}}
laws: {dead: {restitution: 0}}
events: {trapdoor: {at: 0.2, deactivate: [touch]}}
)");
  for (const char* name : {"moreau", "optimisation"}) {
    const IntegratorEntry& method = find_integrator(name);
    if (!is_built(method)) continue;
    SCOPED_TRACE(name);
    const Outcome run = run_with(method, assembly, 1e-4, until);
    EXPECT_NEAR(run.end.u[1], -g * (until - gone), 2e-3);
    EXPECT_NEAR(run.end.q[1], 0.1 - 0.5 * g * (until - gone) * (until - gone), 3e-4);
  }
}

TEST(EventContact, ThatWaitsIsNotThereUntilItIsActivated) {
  const double g = 9.81;
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.6]}}
contacts: {touch: {between: [ground, ball], law: soft, active: false}}
laws: {soft: {model: kelvin-voigt, stiffness: 1e6 N/m, damping: 3000}}
events:
  below: {when: -0.2 m - touch.gap, activate: [touch], stop: true}
)");
  const Outcome run = run_with(find_integrator("compliant"), assembly, 1e-4, 1);
  EXPECT_NEAR(run.time_of(0), std::sqrt(2 * 0.7 / g), 1e-6);  // 0.5 m down to it, 0.2 m beyond
}

TEST(EventGap, IsLocatedWhereTheClosedFormHasIt) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.6]}}
contacts: {touch: {between: [ground, ball], law: dead}}
laws: {dead: {restitution: 0}}
events:
  near: {when: 0.05 m - touch.gap, stop: true}
)");
  const double t = std::sqrt(2 * 0.45 / 9.81), step = 1e-4;
  for (const char* name : {"moreau", "optimisation"}) {
    const IntegratorEntry& method = find_integrator(name);
    if (!is_built(method)) continue;
    const Outcome run = run_with(method, assembly, step, 1);
    EXPECT_NEAR(run.time_of(0), t, name == std::string("moreau") ? step * step : step);
    EXPECT_LT(run.end.t, t + 1.01 * step);
  }
}

/// However it is written; what jumps is found by methods that end a step where it does.
TEST(EventCondition, AComparisonIsLocatedWhereItsSidesAreEqual) {
  const double limit = 30.00123, rate = 100, step = 1e-3;
  const std::string model = R"(
bodies: {wheel: {mass: 1, inertia: 0.01}}
joints: {main: {type: revolute, between: [ground, wheel]}}
forces: {push: {type: torque, body: wheel, torque: 1 N m}}
events: {fast: {when: "CONDITION", stop: true}}
)";
  for (const char* condition : {"main.u > 30.00123", "30.00123 <= main.u", "main.u - 30.00123",
                                "not (main.u < 30.00123)", "step(main.u - 30.00123)"}) {
    SCOPED_TRACE(condition);
    const std::string word = "CONDITION";
    const Assembly assembly =
        assembled(std::string(model).replace(model.find(word), word.size(), condition));
    const bool jumps = std::string_view(condition).find('(') != std::string_view::npos;
    for_every_method([&](const IntegratorEntry& method) {
      const bool at_end = jumps && method.name == "optimisation";
      const double tolerance = at_end ? step : method.name == "compliant" ? 1e-7 : 1e-12;
      EXPECT_NEAR(run_with(method, assembly, step, 1).time_of(0), limit / rate, tolerance);
    });
  }
}

TEST(EventForce, OfAContactTripsWhereTheLoadIs) {
  const double g = 9.81, m = 2, rate = 100, trip = 50;
  const Assembly assembly = assembled(std::string(ball_on_floor) + R"(
contacts: {touch: {between: [ground, ball], law: dead}}
laws: {dead: {restitution: 0}}
forces: {press: {type: force, body: ball, force: [0, -100 N/s*t]}, back: {type: force, body: ball, force: [0, 1 N], active: false}}
events:
  overload: {when: touch.force > 50 N, deactivate: [press]}
  relief: {after: overload, activate: [back]}
)");
  const Outcome run = run_with(find_integrator("moreau"), assembly, 1e-4, 1);
  const double t = (trip - m * g) / rate;
  EXPECT_NEAR(run.time_of(0), t, 3e-4);
  EXPECT_EQ(run.time_of(1), run.time_of(0));
  const Outputs outputs = outputs_of(*assembly.system, run.end, run.end);
  EXPECT_EQ(outputs.at("press.active"), 0);
  EXPECT_EQ(outputs.at("back.active"), 1);
}

TEST(EventForce, OfAReactionReleasesTheDrive) {
  // A mass at the end of an arm that a drive turns faster and faster: m ω² r in the pin.
  const double m = 2, r = 0.5, alpha = 10, limit = 100;
  const Assembly assembly = assembled(R"(
bodies: {arm: {mass: 2, inertia: 1e-9, com: [0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], drive: {angle: 5*t^2}}}
events: {flies: {when: "pin.force - 100", deactivate: [pin.drive]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const double step = 1e-4;
    const Outcome run = run_with(method, assembly, step, 2);
    // F² = (m ω² r)² + (m α r)² at ω = α t.
    const double tangential = m * alpha * r;
    const double w = std::sqrt(std::sqrt(limit * limit - tangential * tangential) / (m * r));
    const double tolerance = (method.name == "compliant" ? 20 : 2) * step;
    EXPECT_NEAR(run.time_of(0), w / alpha, tolerance);
    EXPECT_NEAR(run.end.u[0], w, 2 * alpha * tolerance);  // it coasts
  });
}

/// The force of the floor grows evenly: a line from middle to middle of the steps is the force.
TEST(EventForce, OfAContactIsTimedBetweenTheMiddlesOfSteps) {
  const double g = 9.81, m = 2, rate = 100, trip = 50;
  const Assembly assembly = assembled(std::string(ball_on_floor) + R"(
contacts: {touch: {between: [ground, ball], law: dead}}
laws: {dead: {restitution: 0}}
forces: {press: {type: force, body: ball, force: [0, -100 N/s*t]}}
events: {overload: {when: touch.force - 50 N, deactivate: [press]}}
)");
  for (const double step : {1e-2, 1.7e-3}) {
    const Outcome run = run_with(find_integrator("moreau"), assembly, step, 1);
    EXPECT_NEAR(run.time_of(0), (trip - m * g) / rate, 1e-6 * step) << step;
  }
}

/// Meeting the floor is no force that grows: the line from the step before would begin too early.
TEST(EventForce, OfAnImpactIsTimedInTheStepOfTheImpact) {
  const double g = 9.81, h = 0.1, step = 1e-3;
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, shape: {circle: 0.1}, initial: {position: [0, 0.2]}}
contacts: {touch: {between: [ground, ball], law: dead}}
laws: {dead: {restitution: 0}}
events: {hit: {when: touch.force - 25 N, stop: true}}
)");
  const Outcome run = run_with(find_integrator("moreau"), assembly, step, 1);
  EXPECT_NEAR(run.time_of(0), run.end.t - 0.5 * step, 1e-9);
  EXPECT_NEAR(run.time_of(0), std::sqrt(2 * h / g), step);
}

/// A mass at the end of an arm that a drive turns faster and faster, until the pin's force lets it
/// go: it is timed to second order, and goes on with the speed that it has up to one and a half
/// steps later.
TEST(EventForce, OfAReactionIsTimedToSecondOrderAndActsToFirst) {
  const double m = 2, r = 0.5, alpha = 10, limit = 100;
  const Assembly assembly = assembled(R"(
bodies: {arm: {mass: 2, inertia: 1e-9, com: [0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], drive: {angle: 5*t^2}}}
events: {flies: {when: "pin.force - 100", deactivate: [pin.drive]}}
)");
  const double tangential = m * alpha * r;
  const double w = std::sqrt(std::sqrt(limit * limit - tangential * tangential) / (m * r));
  for (const double step : {4e-3, 2e-3, 1e-3, 5e-4}) {
    const Outcome run = run_with(find_integrator("moreau"), assembly, step, 2);
    EXPECT_NEAR(run.time_of(0), w / alpha, 2 * step * step) << step;
    const double late = run.end.u[0] / alpha - w / alpha;
    EXPECT_GT(late, 0.45 * step) << step;
    EXPECT_LT(late, 1.55 * step) << step;
  }
}

TEST(EventDrive, GoesOnFromWhereTheJointIs) {
  const Assembly assembly = assembled(R"(
bodies: {disk: {mass: 1, inertia: 2}}
joints: {main: {type: revolute, between: [ground, disk], drive: {speed: 3}}}
forces: {brake: {type: joint_force, joint: main, force: -8, active: false}}
events:
  coast: {at: 0.1, deactivate: [main.drive], activate: [brake]}
  again: {at: 0.6, activate: [main.drive], deactivate: [brake]}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const Outcome run = run_with(method, assembly, 1e-3, 1);
    // 0.3 rad driven, then 3 rad/s less 4 rad/s² for 0.5 s, then driven again.
    EXPECT_NEAR(run.end.u[0], 3, 1e-9);
    const double tolerance = method.name == "optimisation" ? 5e-3 : 1e-4;
    EXPECT_NEAR(run.end.q[0], 0.3 + 3 * 0.5 - 0.5 * 4 * 0.25 + 3 * 0.4, tolerance);
    EXPECT_NEAR(run.made, 0, 1e-2);
  });
}

/// What is off pushes nothing: neither in the step after, nor as the guess for what comes later.
TEST(EventDrive, CarriesNothingFromTheStepOnInWhichItIsOff) {
  const Assembly assembly = assembled(R"(
bodies: {slide: {mass: 2, inertia: 0.1}, drum: {mass: 1, inertia: 0.02}, disc: {mass: 1, inertia: 0.05}}
joints:
  rail: {type: prismatic, between: [ground, slide], axis: [1, 0], drive: {position: 0.1 m*sin(5*t)}}
  main: {type: revolute, between: [ground, drum]}
  hub: {type: revolute, between: [drum, disc]}
forces:
  twist: {type: torque, body: drum, torque: 1 N m}
  limiter: {type: torque_limiter, joint: hub, limit: 2 N m}
events: {coast: {at: 0.1, deactivate: [rail.drive]}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const State on = run_with(method, assembly, 1e-3, 0.1).end;
    const Memory memory(assembly.system->info());
    EXPECT_NE(memory.impulses(on.z)[0], 0);
    for (const double until : {0.101, 0.102, 0.15}) {
      const State off = run_with(method, assembly, 1e-3, until).end;
      EXPECT_EQ(memory.impulses(off.z)[0], 0) << until;
    }
  });
}

/// A lock carries the spring until it is released; then no event may wait for its load.
TEST(EventLock, HasNoLoadOnceItIsReleased) {
  const Assembly assembly = assembled(R"(
parameters: {armed: 0, seen: 0}
bodies: {block: {mass: 2, inertia: 0.1}}
joints: {rail: {type: prismatic, between: [ground, block], axis: [1, 0]}}
forces:
  pull: {type: spring, between: [ground, block], at: [[-1, 0], [0, 0]], stiffness: 4 N/m, length: 3 m}
events:
  hold: {at: 0, lock: [rail]}
  free: {at: 0.2, release: [rail]}
  arm: {at: 0.25, set: {armed: 1}}
  load: {when: (rail.load - 2 N)*armed, set: {seen: 1}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const Outcome run = run_with(method, assembly, 1e-3, 0.4);
    EXPECT_TRUE(std::isnan(run.time_of(3)));
    EXPECT_EQ(run.events.size(), 3u);
  });
}

TEST(EventParameter, IsSetForTheFormulasThatUseIt) {
  const Assembly assembly = assembled(R"(
parameters: {push: 4 N}
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
forces: {motor: {type: joint_force, joint: rail, force: push}}
events: {more: {at: 0.5, set: {push: 10 N}}}
)");
  for_every_method([&](const IntegratorEntry& method) {
    const Outcome run = run_with(method, assembly, 1e-3, 1);
    EXPECT_NEAR(run.end.u[0], 0.5 * 4 / 2 + 0.5 * 10 / 2, 1e-6);
    EXPECT_EQ(outputs_of(*assembly.system, run.end, run.end).at("push.value"), 10);
  });
}

TEST(EventSwitches, LiveInTheStateThatARunGoesOnFrom) {
  const Assembly assembly = assembled(R"(
parameters: {push: 4 N}
bodies: {first: {mass: 1, inertia: 2}, second: {mass: 1, inertia: 3}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
forces: {twist: {type: torque, body: second, torque: push*1 m}}
events: {stick: {at: 0.1, lock: [hub], set: {push: 6 N}}}
)");
  const Outcome whole = run_with(find_integrator("moreau"), assembly, 1e-3, 0.3);
  State state = assembly.start;
  for (const double until : {0.15, 0.3}) {  // a new integrator for each part
    Moreau integrator(*assembly.system, {.step = 1e-3});
    simulate(integrator, state, until);
  }
  EXPECT_EQ(state.q, whole.end.q);
  EXPECT_EQ(state.u, whole.end.u);
}

}  // namespace
}  // namespace backlash::test::event_switches
