// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Friction, limiters and clutches of given strength in mechanisms that drives move, where holding
// is no motion, by the optimisation (theory 12.8).
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/recorded_run.h"

namespace backlash::test::optimisation_relays {
namespace {

constexpr double pi = std::numbers::pi;

double peak_of(const RunReport& report, std::string_view name) {
  for (const JointLoad& load : report.loads.joints)
    if (load.joint == name) return std::abs(load.force.value);
  return NAN;
}

/// In a turn the slide rubs along four times the crank: T 2π = 4 r F in the mean.
TEST(OptimisationRelays, ASlideThatRubsAsksOfItsDriveWhatItDissipates) {
  const double r = 0.1, friction = 5;
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const RunReport report = report_of(fmt::format(R"(
backlash: 1
bodies:
  crank: {{mass: 0.3, inertia: 2.5e-4, com: [0.05, 0]}}
  rod: {{mass: 0.3, inertia: 1e-3, com: [0.1, 0]}}
  slider: {{mass: 0.5, inertia: 1e-4}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{speed: 120 rpm}}, initial: {{angle: 20 deg}}}}
  B: {{type: revolute, between: [crank, rod], at: [[{}, 0], [0, 0]]}}
  C: {{type: revolute, between: [rod, slider], at: [[0.25, 0], [0, 0]]}}
  G: {{type: prismatic, between: [ground, slider], friction: {{strength: {}}}, initial: {{guess: 0.3}}}}
simulation: {{method: optimisation, coordinates: {}, step: 5e-4, until: 0.5}}
)",
                                                   r, friction, coordinates));
    const double mean = 4 * r * friction / (2 * pi);
    EXPECT_NEAR(report.loads.drives.at(0).mean_load(), mean, 0.03 * mean);  // of first order
    EXPECT_NEAR(report.end.relays, -4 * r * friction, 0.01 * 4 * r * friction);
  }
}

/// The lever turns away in the free direction of the clutch, and the wheel stays where friction
/// holds it.
TEST(OptimisationRelays, AOneWayClutchRunsFreeBesideFrictionThatHolds) {
  const RunReport report = report_of(R"(
backlash: 1
bodies: {lever: {mass: 1, inertia: 0.002}, wheel: {mass: 1, inertia: 0.01}}
joints:
  L: {type: revolute, between: [ground, lever], drive: {angle: -0.5*cos(6*t)}}
  W: {type: revolute, between: [ground, wheel], friction: {strength: 0.05}}
forces:
  clutch: {type: one_way_clutch, between: [lever, wheel], free: counter-clockwise, capacity: 1}
simulation: {method: optimisation, step: 1e-3, until: 1.1}
)");
  // While it drives, the clutch accelerates the wheel against its friction: J a w² + T at most.
  const double greatest = 0.01 * 0.5 * 36 + 0.05;
  EXPECT_NEAR(peak_of(report, "clutch"), greatest, 0.02 * greatest);
}

/// Two bodies that have nothing in common go on as each of them alone.
TEST(OptimisationRelays, APreloadedSpringDoesNotFeelAnotherBody) {
  const auto model = [](const char* other_body, const char* other_joint, const char* other_force) {
    return fmt::format(R"(
backlash: 1
bodies:
  m4: {{mass: 2, inertia: 0.01}}
{}
joints:
  p: {{type: prismatic, between: [ground, m4], at: [[0, 3], [0, 0]], initial: {{speed: 0.8}}}}
{}
forces:
  pre: {{type: preloaded_spring, joint: p, stiffness: 500, preload: 4}}
{}
simulation: {{method: optimisation, step: 5e-5, until: 0.15}}
)",
                       other_body, other_joint, other_force);
  };
  const RunReport both =
      report_of(model("  m3: {mass: 1, inertia: 0.01}",
                      "  r: {type: revolute, between: [ground, m3], initial: {speed: 40}}",
                      "  spiral: {type: torsion_spring, joint: r, stiffness: 0.2, angle: 30}"));
  const RunReport alone = report_of(model("", "", ""));
  EXPECT_GT(peak_of(alone, "pre"), 20);
  EXPECT_NEAR(peak_of(both, "pre"), peak_of(alone, "pre"), 1e-6 * peak_of(alone, "pre"));
}

/// Friction without strength is none: the steps go on without the optimiser.
TEST(OptimisationRelays, FrictionWithoutStrengthIsNone) {
  const auto model = [](const char* friction) {
    return fmt::format(R"(
backlash: 1
gravity: [0, -9.81]
bodies: {{arm: {{mass: 1, inertia: 0.01, com: [0.2, 0]}}}}
joints: {{A: {{type: revolute, between: [ground, arm], drive: {{speed: 10}}{}}}}}
simulation: {{method: optimisation, step: 1e-3, until: 0.2}}
)",
                       friction);
  };
  const RunReport without = report_of(model("")),
                  none = report_of(model(", friction: {strength: 0}"));
  EXPECT_NEAR(none.loads.drives.at(0).load.value, without.loads.drives.at(0).load.value, 1e-6);
  EXPECT_NEAR(none.loads.drives.at(0).work, without.loads.drives.at(0).work, 1e-6);
  EXPECT_LE(none.run.solver_iterations, 10 * none.run.steps);
}

}  // namespace
}  // namespace backlash::test::optimisation_relays
