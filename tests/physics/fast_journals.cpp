// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Journals that go round fast, or whose play is small beside a step: what contacts take is bounded,
// and what the method makes is told.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::fast_journals {
namespace {

constexpr double mass = 2, inertia = 0.02, arm = 0.1, play = 1e-4;  // [kg, kg m², m, m]

/// A bar in one frictionless bearing, spinning at that speed; its journal is centred at the start.
std::string spinning_bar(double speed) {
  return fmt::format(
      "laws: {{smooth: {{restitution: 0.3}}}}\n"
      "bodies: {{bar: {{mass: {}, inertia: {}, com: [{}, 0]}}}}\n"
      "joints: {{pin: {{type: revolute, between: [ground, bar], initial: {{speed: {} rad/s}}, "
      "clearance: {{gap: {}, law: smooth}}}}}}\n",
      mass, inertia, arm, speed, play);
}

TEST(FastJournal, TakesNoMoreThanItsAngularMomentumAllowsAndTheMethodLittleBeside) {
  const Assembly assembly = assembled(spinning_bar(300));
  const System& system = *assembly.system;
  const EnergyLedger before = energy_ledger(system, assembly.start);
  // L about the bearing stays; the bar ends on the circle: J grows from J0 to J1.
  const double J0 = inertia + mass * arm * arm;
  const double J1 = inertia + mass * (arm + play) * (arm + play);
  const double most = before.kinetic * (1 - J0 / J1);
  for (const double step : {2e-5, 1e-5, 5e-6}) {
    SCOPED_TRACE(step);
    const EnergyLedger after = energy_ledger(system, run(system, assembly.start, step, 1));
    EXPECT_NEAR(after.contact_loss, most, 0.1 * most);
    EXPECT_LT(std::abs(made_by_method(before, after)), 1e-3 * before.kinetic);
    EXPECT_LE(after.impact_loss, after.contact_loss * (1 + 1e-9));
  }
}

TEST(FastJournal, ThatSwingsInItsPlayIsNotReleasedAndCaughtAgain) {
  // A pendulum that hangs in a play of 1 µm, where the journal swings at 3100 rad/s.
  const Assembly assembly = assembled(R"(gravity: [0, -9.81]
laws: {smooth: {restitution: 0.4}}
bodies: {bar: {mass: 0.1, inertia: 1e-4, com: [0.05, 0]}}
joints: {pin: {type: revolute, between: [ground, bar], initial: {angle: -1.5}, clearance: {gap: 1 um, journal_radius: 5 mm, law: smooth}}}
)");
  for (const double step : {1e-4, 3e-5, 1e-5}) {
    SCOPED_TRACE(step);
    int begins = 0, ends = 0;
    double deepest = 0;
    run(*assembly.system, assembly.start, step, 0.3, {}, [&](const State& s, const StepResult& r) {
      for (const ContactOutcome& c : r.contacts) {
        begins += lasts(c.state) && !lasts(c.before);
        ends += lasts(c.before) && !lasts(c.state);
        if (s.t > 0.1) deepest = std::max(deepest, -c.gap);
      }
      for (const ContactOutcome& c : r.released) ends += lasts(c.before);
    });
    EXPECT_EQ(begins, 1);
    EXPECT_EQ(ends, 0);
    EXPECT_LT(deepest, 0.02e-6);  // the chord of a step; it fell in by 5 to 10 % of the play
  }
}

TEST(SmallPlay, OfACrankedRockerIsNotLeftByMoreThanAFewWaysOfAStep) {
  const Assembly assembly = assembled(R"(laws: {steel: {restitution: 0.3}}
bodies:
  crank: {mass: 0.3, inertia: 4e-4, com: [0.03, 0]}
  coupler: {mass: 0.5, inertia: 3e-3, com: [0.1, 0]}
  rocker: {mass: 0.6, inertia: 3e-3, com: [0.075, 0]}
joints:
  O: {type: revolute, between: [ground, crank], drive: {speed: 240 rpm}}
  B: {type: revolute, between: [crank, coupler], at: [[0.06, 0], [0, 0]], clearance: {gap: 1 um, law: steel}}
  C: {type: revolute, between: [coupler, rocker], at: [[0.2, 0], [0.15, 0]]}
  D: {type: revolute, between: [ground, rocker], at: [[0.22, 0], [0, 0]], initial: {guess: 90 deg}}
)");
  const System& system = *assembly.system;
  double deepest = 0;
  run(system, assembly.start, 1e-4, 1, {}, [&](const State&, const StepResult& result) {
    for (const ContactOutcome& contact : result.contacts) deepest = std::max(deepest, -contact.gap);
  });
  EXPECT_LT(deepest, 1e-4);  // of 2.5 m/s · 1e-4 s a part; it was millimetres
}

}  // namespace
}  // namespace backlash::test::fast_journals
