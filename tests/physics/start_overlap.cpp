// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Bodies that overlap when a run begins, as simulation.initial_penetration allows (theory 4.42,
// 9.21, 12.21).
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/base/bisection.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/simulate.h"
#include "backlash/laws/hysteresis.h"
#include "support/built_methods.h"
#include "support/models.h"

namespace backlash::test::start_overlap {
namespace {

constexpr double g = 9.81, mass = 1, radius = 0.05;

/// A disk in a floor, which it overlaps by the depth.
Assembly sunken_disk(double depth, const std::string& law, double gravity = g, double speed = 0,
                     const std::string& more = "") {
  return assembled(fmt::format(R"(
gravity: [0, -{}]
bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  disk: {{mass: 1, inertia: 1e-3, shape: {{circle: 0.05}}, initial: {{position: [0, {}], velocity: [0, {}]}}}}
laws: {{l: {{{}}}}}
contacts: {{floor: {{between: [ground, disk], law: l}}}}
simulation: {{initial_penetration: 0.1}}
{})",
                               gravity, radius - depth, speed, law, more));
}

struct Outcome {
  State end{};
  EnergyLedger before{}, after{};

  double made() const { return made_by_method(before, after); }
};

Outcome run_with(const std::string& method, const Assembly& assembly, double until,
                 const Options& options = {}) {
  Outcome run{.end = assembly.start};
  const auto integrator = find_integrator(method).make(*assembly.system, options);
  run.before = energy_ledger(*assembly.system, run.end);
  const RunSummary summary = simulate(*integrator, run.end, until);
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << run.end.t;
  run.after = energy_ledger(*assembly.system, run.end);
  return run;
}

TEST(StartOverlap, IsNotTurnedIntoVelocityByTheOptimisation) {
  if (!is_built(find_integrator("optimisation"))) GTEST_SKIP() << "built without Ipopt";
  for (const double depth : {1e-3, 0.03})
    for (const char* law :
         {"restitution: 0", "restitution: 0.5", "restitution: 0.5, friction: 0.3"}) {
      SCOPED_TRACE(fmt::format("{} m, {}", depth, law));
      const Outcome run = run_with("optimisation", sunken_disk(depth, law), 0.02);
      EXPECT_NEAR(run.end.u[1], 0, 1e-9);
      EXPECT_NEAR(run.end.q[1], radius - depth, 1e-12);
      EXPECT_NEAR(run.after.contacts, 0, 1e-12);
    }
}

/// Once it is out it lands on the surface.
TEST(StartOverlap, IsGoneInTheOptimisationWhenBodiesHaveParted) {
  if (!is_built(find_integrator("optimisation"))) GTEST_SKIP() << "built without Ipopt";
  const Outcome run = run_with("optimisation", sunken_disk(1e-3, "restitution: 0", g, 0.5), 0.2);
  EXPECT_NEAR(run.end.q[1], radius, 1e-12);
  EXPECT_NEAR(run.end.u[1], 0, 1e-9);
}

/// The work against gravity is booked, and the method has made nothing.
TEST(StartOverlap, IsTakenOutByTimeSteppingAndBookedApart) {
  const std::string event = "events: {never: {when: disk.y - 1 m, stop: true}}";
  for (const double depth : {1e-3, 0.03})
    for (const std::string& more : {std::string(), event}) {
      SCOPED_TRACE(fmt::format("{} m{}", depth, more));
      const Outcome run =
          run_with("moreau", sunken_disk(depth, "restitution: 0.5", g, 0, more), 0.02);
      EXPECT_NEAR(run.end.q[1], radius, 1e-6);
      EXPECT_NEAR(run.end.u[1], 0, 1e-9);
      EXPECT_NEAR(run.after.switching, mass * g * depth, 1e-4 * mass * g * depth);
      EXPECT_NEAR(run.made(), 0, 1e-4 * mass * g * depth);
    }
}

/// What bodies that rest in each other are driven apart with is what the second half of an impact
/// of that depth leaves: G(−w) = ½, with G of theory 9.6 and w = u / √(2E/m).
TEST(StartOverlap, DrivesBodiesApartByTheElasticEnergyLessTheHysteresisOfAnImpact) {
  const double K = 1e8, depth = 0.01, n = 1.5, restitution = 0.5;
  const double stored = K * std::pow(depth, n + 1) / (n + 1);
  for (const HysteresisRule& rule : hysteresis_rules) {
    SCOPED_TRACE(std::string(rule.name));
    const double e = rule.lowest == 1 ? 1 : restitution, a = rule.hysteresis(e);
    const double w =
        a == 0 ? 1
               : bisect([&](double x) { return (-a * x - std::log1p(-a * x)) / (a * a) - 0.5; },
                        1e-3, std::min(1.0, (1 - 1e-15) / a));
    const std::string law =
        fmt::format("model: {}, stiffness: {} N/m^1.5, restitution: {}", rule.name, K, e);
    const Outcome run = run_with("compliant", sunken_disk(depth, law, 0), 0.01);
    EXPECT_NEAR(run.end.u[1], w * std::sqrt(2 * stored / mass), 1e-5 * std::sqrt(2 * stored));
    EXPECT_LE(0.5 * mass * run.end.u[1] * run.end.u[1], stored * (1 + 1e-7));
  }
}

/// Also of bodies that move as the run begins: never more than they had and what is stored.
TEST(StartOverlap, GivesBackNoMoreThanWasThereAndNoLessThanAnImpact) {
  const double K = 1e8, depth = 1e-3, e = 0.5;
  const double stored = K * std::pow(depth, 2.5) / 2.5;
  const std::string law =
      fmt::format("model: calibrated, stiffness: {} N/m^1.5, restitution: {}", K, e);
  for (const double speed : {-3.0, -1e-3, 1e-3, 3.0}) {
    const Outcome run = run_with("compliant", sunken_disk(depth, law, 0, speed), 0.1);
    const double most = stored + 0.5 * mass * speed * speed;
    const double kinetic = 0.5 * mass * run.end.u[1] * run.end.u[1];
    EXPECT_GT(run.end.q[1], radius) << speed;
    EXPECT_LE(kinetic, most * (1 + 1e-7)) << speed;
    EXPECT_GE(kinetic, 0.9 * e * e * most) << speed;
  }
}

}  // namespace
}  // namespace backlash::test::start_overlap
