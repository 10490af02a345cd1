// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::set_valued_forces {
namespace {

constexpr double mass = 2, preload = 5;  // [kg], [N]

/// A mass on a rail with a preloaded spring; `spring` and `more` are further keys.
Assembly preloaded_mass(const std::string& initial, const std::string& spring,
                        const std::string& more = "", const std::string& coordinates = "joint") {
  return assembled(fmt::format(R"(
bodies: {{block: {{mass: {}, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, block], initial: {{{}}}}}}}
forces:
  spring: {{type: preloaded_spring, joint: rail, preload: {}, {}}}
{}
simulation: {{coordinates: {}}}
)",
                               mass, initial, preload, spring, more, coordinates));
}

std::string load(double force) {
  return fmt::format("  load: {{type: joint_force, joint: rail, force: {}}}", force);
}

double force_of(const Assembly& assembly, const State& state, int relay = 0) {
  const Memory memory(assembly.system->info());
  return memory.impulses(state.z)[memory.first_relay_row() + relay] / memory.last_step(state.z);
}

TEST(PreloadedSpring, HoldsUpToItsPreloadWithJustTheForceThatIsNeeded) {
  for (const double f : {0.0, 3.0, -4.99})
    for (const char* coordinates : {"joint", "absolute"}) {
      const Assembly assembly =
          preloaded_mass("position: 0", "stiffness: 100", load(f), coordinates);
      for_every_solver([&](const MoreauOptions& options) {
        const State end = run(*assembly.system, assembly.start, 1e-3, 0.1, options);
        EXPECT_NEAR(end.q[0], 0, 1e-13);
        EXPECT_NEAR(end.u[0], 0, 1e-12);
        EXPECT_NEAR(force_of(assembly, end), -f, 1e-9);
      });
    }
}

TEST(PreloadedSpring, GivesWayBeyondItsPreloadAndSwingsAboutTheNewRest) {
  const double f = 7, k = 100, omega = std::sqrt(k / mass), t = 0.3;
  for (const char* coordinates : {"joint", "absolute"})
    for (const double side : {1.0, -1.0}) {
      const Assembly assembly =
          preloaded_mass("position: 0", "stiffness: 100", load(side * f), coordinates);
      const auto error = [&](int steps) {
        const State end = run(*assembly.system, assembly.start, t / steps, t);
        return std::abs(end.q[0] - side * (f - preload) / k * (1 - std::cos(omega * t)));
      };
      EXPECT_LT(error(300), 1e-6);
      EXPECT_GT(observed_order(error, 150, 300), 1.8);
    }
}

/// Without stiffness the energy is F₀|x|: from x₀ to the other side and back in 4 √(2 m x₀/F₀).
TEST(PreloadedSpring, CarriesAMassThroughItsRestPositionWithoutLossToSecondOrder) {
  const double x0 = 0.1, period = 4 * std::sqrt(2 * mass * x0 / preload);
  const Assembly assembly = preloaded_mass("position: 0.1", "stiffness: 0");
  const EnergyLedger start = energy_ledger(*assembly.system, assembly.start);
  EXPECT_DOUBLE_EQ(start.potential, preload * x0);
  const auto end = [&](int steps) {
    return run(*assembly.system, assembly.start, 2.5 * period / steps, 2.5 * period);
  };
  for (const int steps : {500, 733, 1000, 2000, 7331}) {
    const State state = end(steps);
    const double relative = 3e2 / (steps * static_cast<double>(steps));
    EXPECT_LT(std::abs(state.q[0] + x0), x0 * relative) << steps;
    const EnergyLedger ledger = energy_ledger(*assembly.system, state);
    EXPECT_LT(std::abs(energy_imbalance(start, ledger)), start.potential * relative) << steps;
    EXPECT_EQ(ledger.relays, 0);
  }
}

TEST(ForceOfGivenStrength, LeavesForcesOfVelocityOfSecondOrder) {
  // m v̇ = −a − c v from v₀, by friction or by a preload: v = (v₀ + a/c) e^{−ct/m} − a/c.
  const double a = 5, c = 4, v0 = 8, t = 0.5;
  const char* friction = R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {speed: 8}, friction: {strength: 5}}}
forces: {damper: {type: joint_spring, joint: rail, damping: 4}}
)";
  const char* spring = R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {speed: 8, position: 1}}}
forces:
  damper: {type: joint_spring, joint: rail, damping: 4}
  spring: {type: preloaded_spring, joint: rail, preload: 5, stiffness: 0}
)";
  for (const char* text : {friction, spring}) {
    const Assembly assembly = assembled(text);
    const auto error = [&](int steps) {
      const State end = run(*assembly.system, assembly.start, t / steps, t);
      return std::abs(end.u[0] - ((v0 + a / c) * std::exp(-c * t / mass) - a / c));
    };
    EXPECT_LT(error(200), 1e-4);
    EXPECT_GT(observed_order(error, 200, 400), 1.8);
  }
}

TEST(PreloadedSpring, BringsADampedMassToRestAndHoldsItWithoutChatter) {
  const Assembly assembly =
      preloaded_mass("position: 0.1", "stiffness: 20",
                     "  damper: {type: joint_spring, joint: rail, damping: 20}\n" + load(3));
  for (const double step : {1e-3, 4e-4}) {
    const State end = run(*assembly.system, assembly.start, step, 2);
    EXPECT_NEAR(end.q[0], 0, 1e-15);
    EXPECT_NEAR(end.u[0], 0, 1e-13);
    EXPECT_NEAR(force_of(assembly, end), -3, 1e-9);
  }
}

TEST(PreloadedSpring, LetsAMassFlyThroughItsDeadBandAndSendsItBack) {
  // Without stiffness: 2d/v through the band, 2 m v/F₀ beyond it.
  const double d = 0.05, v = 1, round_trip = 2 * (2 * d / v + 2 * mass * v / preload);
  const Assembly assembly =
      preloaded_mass("position: -0.05, speed: 1", "stiffness: 0, dead_band: 0.05");
  ASSERT_EQ(assembly.system->info().relays.size(), 2u);
  const EnergyLedger start = energy_ledger(*assembly.system, assembly.start);
  EXPECT_NEAR(start.potential, 0, 1e-15);
  for (const int steps : {1000, 2000}) {
    const State end = run(*assembly.system, assembly.start, round_trip / steps, round_trip);
    EXPECT_NEAR(end.q[0], -d, 40.0 / steps / steps);
    EXPECT_NEAR(end.u[0], v, 200.0 / steps / steps);
  }
  const State inside = run(*assembly.system, assembly.start, 1e-3, 0.05);
  EXPECT_NEAR(inside.q[0], 0, 1e-3);
  EXPECT_NEAR(force_of(assembly, inside, 0) + force_of(assembly, inside, 1), 0, 1e-12);
}

TEST(PreloadedSpring, HoldsAtTheEdgeOfItsDeadBandByAnythingUpToItsPreload) {
  for (const double f : {1.0, 4.0, -2.5}) {
    const Assembly assembly =
        preloaded_mass("position: 0", "stiffness: 50, dead_band: 0.05, damping: 10",
                       "  damper: {type: joint_spring, joint: rail, damping: 10}\n" + load(f));
    const State end = run(*assembly.system, assembly.start, 1e-3, 5);
    EXPECT_NEAR(end.q[0], std::copysign(0.05, f), 1e-15);
    EXPECT_NEAR(force_of(assembly, end, 0) + force_of(assembly, end, 1), -f, 1e-9);
  }
}

TEST(PreloadedSpring, ActsAlongADistanceOrAnAngleToo) {
  const char* along_distance = R"(
gravity: [0, -9.81]
bodies: {ball: {mass: 1, inertia: 1, initial: {position: [0, -0.5]}}}
forces: {rope: {type: preloaded_spring, between: [ground, ball], at: [[0, 0], [0, 0]],
                rest: 0.5, stiffness: 10, preload: 15}}
)";
  const Assembly hanging = assembled(along_distance);
  const State rest = run(*hanging.system, hanging.start, 1e-3, 0.5);
  EXPECT_NEAR(rest.q[1], -0.5, 1e-14);
  EXPECT_NEAR(force_of(hanging, rest), -9.81, 1e-9);

  const Assembly turning = assembled(R"(
bodies: {wheel: {mass: 1, inertia: 0.5}}
joints: {pin: {type: revolute, between: [ground, wheel]}}
forces:
  spring: {type: preloaded_spring, between: [ground, wheel], rest: 0, stiffness: 0, preload: 2}
  load: {type: torque, body: wheel, torque: 3}
)");
  EXPECT_NEAR(run(*turning.system, turning.start, 1e-3, 1).u[0], (3 - 2) / 0.5, 2e-3);
}

/// A wheel with a load on a clutch that lets it turn counter-clockwise.
Assembly clutched_wheel(double torque, const std::string& more, double speed = 0) {
  return assembled(fmt::format(R"(
bodies: {{wheel: {{mass: 1, inertia: 0.5}}}}
joints: {{pin: {{type: revolute, between: [ground, wheel], initial: {{speed: {}}}}}}}
forces:
  clutch: {{type: one_way_clutch, joint: pin, {}}}
  load: {{type: torque, body: wheel, torque: {}}}
)",
                               speed, more, torque));
}

TEST(OneWayClutch, SlipsAboveItsCapacityHoldsBelowAndRunsFree) {
  const double J = 0.5, C = 2;
  for_every_solver([&](const MoreauOptions& options) {
    for (const double torque : {-1.0, -3.0, 0.7}) {
      const Assembly assembly = clutched_wheel(torque, "capacity: 2");
      const State end = run(*assembly.system, assembly.start, 1e-3, 1, options);
      const double taken = torque > 0 ? 0 : std::min(-torque, C);
      EXPECT_NEAR(end.u[0], (torque + taken) / J, 1e-10);
      EXPECT_NEAR(force_of(assembly, end), taken, 1e-9);
      const EnergyLedger ledger = energy_ledger(*assembly.system, end);
      EXPECT_NEAR(ledger.relays, taken * end.q[0], 1e-9);
    }
  });
}

TEST(OneWayClutch, OfTheOtherSenseIsTheMirrorImage) {
  const Assembly assembly = clutched_wheel(3, "capacity: 2, free: clockwise");
  EXPECT_NEAR(run(*assembly.system, assembly.start, 1e-3, 1).u[0], (3 - 2) / 0.5, 1e-10);
}

TEST(OneWayClutch, ThatStopsAWheelDoesSoByItsCapacity) {
  const Assembly assembly = clutched_wheel(0, "capacity: 2", -4);
  const State slipping = run(*assembly.system, assembly.start, 1e-3, 0.5);
  EXPECT_NEAR(slipping.u[0], -4 + 0.5 * 2 / 0.5, 1e-10);
  const State stopped = run(*assembly.system, assembly.start, 1e-3, 2);
  EXPECT_NEAR(stopped.u[0], 0, 1e-12);
  EXPECT_NEAR(stopped.q[0], -4 * 4 * 0.5 / (2 * 2), 1e-5);
}

/// A wheel that turns at 1 rad/s, and drives another, or a rack, across the play.
constexpr const char* gears = R"(
bodies:
  one: {{mass: 1, inertia: 0.2}}
  two: {{mass: 1, inertia: 0.3}}
joints:
  a: {{type: revolute, between: [ground, one], initial: {{speed: {}}}}}
  b: {{type: revolute, between: [ground, two], at: [[1, 0], [0, 0]]}}
  mesh: {{type: gear, joints: [a, b], ratio: -2, clearance: {{gap: 0.1, law: steel}}}}
laws: {{steel: {{restitution: {}, friction: 0.3}}}}
)";

TEST(TeethWithPlay, HitAfterTheGapAndShareTheMomentumAsNewtonSays) {
  const double J1 = 0.2, J2 = 0.3, i = -2, e = 0.4;
  for (const double omega : {1.0, -1.0}) {
    const Assembly assembly = assembled(fmt::format(gears, omega, e));
    const double gamma = -i * omega;  // rate of φ_b − i φ_a
    const double impulse = -(1 + e) * gamma / (1 / J2 + i * i / J1);
    std::vector<int> hit;
    const State end = run(*assembly.system, assembly.start, 1e-4, 0.06, {},
                          [&](const State&, const StepResult& result) {
                            for (const ContactOutcome& c : result.contacts)
                              if (c.state == ContactState::impact) hit.push_back(c.key.pair);
                          });
    // The gap of 0.1 rad closes after 0.05 s; the second wheel lags behind if it should turn.
    ASSERT_EQ(hit.size(), 1u);
    EXPECT_EQ(assembly.system->info().contacts[static_cast<std::size_t>(hit[0])].name,
              gamma < 0 ? "mesh.1" : "mesh.2");
    EXPECT_NEAR(end.u[1], impulse / J2, 1e-12);
    EXPECT_NEAR(end.u[0], omega - i * impulse / J1, 1e-12);
    EXPECT_NEAR(energy_ledger(*assembly.system, end).mechanical(),
                0.5 * J1 - (1 - e * e) * gamma * gamma / 2 / (1 / J2 + i * i / J1), 1e-12);
  }
}

TEST(TeethWithPlay, OfARackThatDoesNotBounceMoveItAsTheIdealRackDoes) {
  const Assembly assembly = assembled(R"(
bodies: {wheel: {mass: 1, inertia: 0.2}, rack: {mass: 3, inertia: 1}}
joints:
  pin: {type: revolute, between: [ground, wheel]}
  rail: {type: prismatic, between: [ground, rack]}
  mesh: {type: rack, pinion: pin, rack: rail, radius: 0.1, clearance: {gap: 1 mm, law: steel}}
forces: {motor: {type: torque, body: wheel, torque: 0.5}}
laws: {steel: {restitution: 0}}
)");
  const State end = run(*assembly.system, assembly.start, 1e-4, 1);
  EXPECT_NEAR(end.u[1], 0.1 * end.u[0], 1e-9);
  EXPECT_NEAR(end.q[1], 0.1 * end.q[0] - 1e-3, 1e-4);
  // Torque on both together, less what the play cost at the start.
  EXPECT_NEAR(end.u[0], 0.5 / (0.2 + 3 * 0.1 * 0.1), 0.02);
}

TEST(TeethWithPlay, WithoutGapKeepTheRatioUnderAnyLoad) {
  const Assembly assembly = assembled(R"(
bodies: {one: {mass: 1, inertia: 0.2}, two: {mass: 1, inertia: 0.3}}
joints:
  a: {type: revolute, between: [ground, one]}
  b: {type: revolute, between: [ground, two], at: [[1, 0], [0, 0]]}
  mesh: {type: gear, joints: [a, b], ratio: -2, clearance: {gap: 0, law: steel}}
forces: {motor: {type: torque, body: one, torque: 1}}
laws: {steel: {restitution: 0}}
)");
  const State end = run(*assembly.system, assembly.start, 1e-3, 1);
  EXPECT_NEAR(end.u[0], 1 / (0.2 + 4 * 0.3), 1e-9);
  EXPECT_NEAR(end.u[1], -2 * end.u[0], 1e-9);
}

/// Two flywheels on one axis, the first turned by a torque, and a limiter between them.
Assembly flywheels(double torque, double limit, const std::string& on,
                   const std::string& coordinates = "joint") {
  return assembled(fmt::format(R"(
bodies: {{a: {{mass: 1, inertia: 2}}, b: {{mass: 1, inertia: 3}}}}
joints:
  first: {{type: revolute, between: [ground, a]}}
  second: {{type: revolute, between: [a, b]}}
forces:
  turn: {{type: torque, body: a, torque: {}}}
  slip: {{type: torque_limiter, {}, limit: {}}}
simulation: {{coordinates: {}}}
)",
                               torque, on, limit, coordinates));
}

TEST(TorqueLimiter, HoldsBelowItsLimitAndPassesItsLimitOnAboveIt) {
  const double J_a = 2, J_b = 3, t = 0.2;
  for (const char* on : {"joint: second", "between: [a, b]"})
    for (const char* coordinates : {"joint", "absolute"})
      for (const double torque : {4.0, -4.0, 10.0, -10.0}) {
        SCOPED_TRACE(fmt::format("{} {} {}", on, coordinates, torque));
        const double limit = 3, together = torque / (J_a + J_b);
        const bool slips = std::abs(J_b * together) > limit;
        const double passed = slips ? std::copysign(limit, torque) : J_b * together;
        const Assembly assembly = flywheels(torque, limit, on, coordinates);
        const State end = run(*assembly.system, assembly.start, 1e-3, t);
        EXPECT_NEAR(motion_of(*assembly.system, end, 0).w_W.z(), (torque - passed) / J_a * t,
                    1e-10);
        EXPECT_NEAR(motion_of(*assembly.system, end, 1).w_W.z(), passed / J_b * t, 1e-10);
        EXPECT_NEAR(force_of(assembly, end), passed, 1e-8);
      }
}

TEST(TorqueLimiter, BringsFlywheelsOfDifferentSpeedsToOneAndTakesTheEnergyOfTheSlip) {
  const double J_a = 2, J_b = 3, limit = 3, speed = 4;
  Model model = parse_model(R"(backlash: 1
bodies: {a: {mass: 1, inertia: 2}, b: {mass: 1, inertia: 3}}
joints:
  first: {type: revolute, between: [ground, a], initial: {speed: 4}}
  second: {type: revolute, between: [ground, b]}
forces: {slip: {type: torque_limiter, between: [a, b], limit: 3}}
)",
                            "model.yaml");
  const Assembly assembly = assemble(model);
  const double until_stuck = speed / (limit / J_a + limit / J_b),
               common = J_a * speed / (J_a + J_b);
  const State slipping = run(*assembly.system, assembly.start, 1e-3, 0.9 * until_stuck);
  EXPECT_NEAR(slipping.u[0], speed - limit / J_a * slipping.t, 1e-10);
  const State stuck = run(*assembly.system, assembly.start, 1e-3, 1.5 * until_stuck);
  EXPECT_NEAR(stuck.u[0], common, 1e-10);
  EXPECT_NEAR(stuck.u[1], common, 1e-10);
  const EnergyLedger energy = energy_ledger(*assembly.system, stuck);
  EXPECT_NEAR(energy.kinetic, 0.5 * (J_a + J_b) * common * common, 1e-9);
}

TEST(TorqueLimiter, SlipsAtItsLimitInSmoothTimeToo) {
  const double J_a = 2, J_b = 3, limit = 3, torque = 10, t = 0.2;
  const Assembly assembly = flywheels(torque, limit, "between: [a, b]");
  Compliant integrator(*assembly.system, {.smoothing = {.speed = 1e-6}});
  State state = assembly.start;
  ASSERT_EQ(simulate(integrator, state, t).status, StepStatus::done);
  EXPECT_NEAR(motion_of(*assembly.system, state, 0).w_W.z(), (torque - limit) / J_a * t, 1e-5);
  EXPECT_NEAR(motion_of(*assembly.system, state, 1).w_W.z(), limit / J_b * t, 1e-5);
}

TEST(TorqueLimiter, DoesNothingWhileItIsSwitchedOff) {
  Model model = parse_model(R"(backlash: 1
bodies: {a: {mass: 1, inertia: 2}}
joints: {first: {type: revolute, between: [ground, a], initial: {speed: 4}}}
forces: {slip: {type: torque_limiter, joint: first, limit: 3, active: false}}
)",
                            "model.yaml");
  const Assembly assembly = assemble(model);
  EXPECT_NEAR(run(*assembly.system, assembly.start, 1e-3, 0.5).u[0], 4, 1e-12);
}

}  // namespace
}  // namespace backlash::test::set_valued_forces
