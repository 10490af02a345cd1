// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"
#include "support/systems/ball_on_table.h"

namespace backlash::test::bouncing_ball {
namespace {

constexpr double g = 9.81;

State dropped_from(const System& ball, double height) {
  return initial_state(ball, 0, Vector::Constant(1, height), Vector::Zero(1));
}

/// Middles of the steps with an impact [s], and when the ball came to rest.
struct Bounces {
  std::vector<double> impacts;
  double rest = 0;
};

Bounces bounces(const BallOnTable& ball, double height, double step, double until,
                const MoreauOptions& options) {
  Bounces found;
  run(ball, dropped_from(ball, height), step, until, options,
      [&](const State&, const StepResult& result) {
        const bool pushes =
            !result.contacts.empty() && result.contacts[0].state != ContactState::open;
        if (!pushes) found.rest = result.t_start + result.step;
        if (pushes && result.contacts[0].state == ContactState::impact)
          found.impacts.push_back(result.t_start + 0.5 * result.step);
      });
  return found;
}

/// The impact k = 0, 1, … of a ball that falls from `height`: t₁ (1 + 2 (e + … + e^k)).
double impact_time(double height, double e, int k) {
  const double t1 = std::sqrt(2 * height / g);
  double t = t1;
  for (int i = 1; i <= k; ++i) t += 2 * t1 * std::pow(e, i);
  return t;
}

TEST(BouncingBall, FirstHitsTheTableAfterTheTimeOfFreeFall) {
  const double height = 0.7, e = 0.5, step = 1e-3;
  const BallOnTable ball({.law = {.restitution = e}});
  const double t1 = std::sqrt(2 * height / g);
  for_every_solver([&](const MoreauOptions& options) {
    const Bounces found = bounces(ball, height, step, 1.2 * t1, options);
    ASSERT_GE(found.impacts.size(), 1u);
    EXPECT_NEAR(found.impacts[0], t1, step);
  });
}

TEST(BouncingBall, FallsExactlyAndReboundsAtETimesTheSpeedItHasWhenTheImpactIsMet) {
  const double height = 0.7, e = 0.5, step = 1e-3;
  const BallOnTable ball({.law = {.restitution = e}});
  for_every_solver([&](const MoreauOptions& options) {
    bool hit = false;
    run(ball, dropped_from(ball, height), step, 0.5, options,
        [&](const State& state, const StepResult& result) {
          const double t = result.t_start;
          if (result.contacts.empty() || hit) {
            if (hit) return true;
            EXPECT_NEAR(state.q[0], height - g * state.t * state.t / 2, 1e-13 * height);
            return true;
          }
          hit = true;
          EXPECT_NEAR(state.u[0], e * g * t, 1e-12 * g * t);
          return false;
        });
    EXPECT_TRUE(hit);
  });
}

TEST(BouncingBall, ComesToRestWhenItsBouncesHaveAddedUp) {
  const double height = 0.7, e = 0.5;
  const BallOnTable ball({.law = {.restitution = e}});
  const double t1 = std::sqrt(2 * height / g), end = t1 * (1 + e) / (1 - e);
  for_every_solver([&](const MoreauOptions& options) {
    const double step = 1e-4;
    const Bounces found = bounces(ball, height, step, 1.5 * end, options);
    // An impact is met up to a step late, and a bounce starts up to half a step too low; a bounce
    // that starts late by δ shifts all later ones by δ (1 + e)/(1 − e).
    EXPECT_NEAR(found.rest, end, 2 * (1 + e) / (1 - e) * step);
    const State later = run(ball, dropped_from(ball, height), step, 1.5 * end, options);
    EXPECT_NEAR(later.u[0], 0, 1e-15);
    EXPECT_NEAR(later.q[0], 0, g * t1 * step);
  });
}

TEST(BouncingBall, MeetsItsImpactsAndItsRestAtOrderOne) {
  const double e = 0.5;
  const BallOnTable ball({.law = {.restitution = e}});
  // One run's error depends on where in its step an impact falls: average over drop heights.
  const auto mean_error = [&](int steps, auto error_of) {
    double sum = 0;
    constexpr int heights = 12;
    for (int i = 0; i < heights; ++i) {
      const double height = 0.5 + 0.02 * i * std::numbers::phi;
      const double end = impact_time(height, e, 60);
      sum += error_of(bounces(ball, height, 1.3 / steps, 1.1 * end, {}), height, end) / heights;
    }
    return sum;
  };
  for (const int k : {1, 2, 3}) {
    const auto error = [&](int steps) {
      return mean_error(steps, [&](const Bounces& found, double height, double) {
        return std::abs(found.impacts.at(static_cast<std::size_t>(k)) - impact_time(height, e, k));
      });
    };
    EXPECT_NEAR(observed_order(error, 1000, 100000), 1, 0.15) << "impact " << k;
  }
  const auto rest_error = [&](int steps) {
    return mean_error(
        steps, [](const Bounces& found, double, double end) { return std::abs(found.rest - end); });
  };
  EXPECT_NEAR(observed_order(rest_error, 1000, 100000), 1, 0.15);
}

TEST(BouncingBall, LosesInItsImpactsTheEnergyThatItLoses) {
  const double height = 0.7, e = 0.5, mass = 2;
  const BallOnTable ball({.mass = mass, .law = {.restitution = e}});
  const double until = 2 * impact_time(height, e, 60);
  const State start = dropped_from(ball, height);
  const auto imbalance = [&](int steps) {
    const State end = run(ball, start, until / steps, until);
    return std::abs(energy_imbalance(energy_ledger(ball, start), energy_ledger(ball, end)));
  };
  const State end = run(ball, start, until / 20000, until);
  const EnergyLedger ledger = energy_ledger(ball, end);
  const double first_loss = mass * g * height * (1 - e * e);
  EXPECT_NEAR(ledger.contacts, -mass * g * height, 0.01 * mass * g * height);
  EXPECT_NEAR(ledger.contact_loss, -ledger.contacts, 1e-12);
  EXPECT_GT(ledger.impact_loss, first_loss * 0.99);
  EXPECT_LE(ledger.impact_loss, ledger.contact_loss * (1 + 1e-12));
  // The free flight is exact, and ½(u_A + u_E) is what both the energy and the position use.
  EXPECT_LT(imbalance(1000), 1e-12 * mass * g * height);
}

// The table A sin Ωt throws the ball up once a period if its speed at the impact is
// V = (gT/2)(1 − e)/(1 + e), and the bounce repeats itself.
struct PeriodOne {
  double frequency = 2 * std::numbers::pi * 5;
  double e = 0.6, phase = 0.15;
  double period() const { return 2 * std::numbers::pi / frequency; }
  double table_speed() const { return g * period() / 2 * (1 - e) / (1 + e); }
  BallOnTable system() const {
    return BallOnTable({.amplitude = table_speed() / (frequency * std::cos(phase)),
                        .frequency = frequency,
                        .law = {.restitution = e}});
  }
  /// Just after an impact at the phase φ.
  State start(const BallOnTable& ball) const {
    const double t = phase / frequency;
    return initial_state(ball, t, Vector::Constant(1, ball.table(t)),
                         Vector::Constant(1, g * period() / 2));
  }
};

/// Largest distance of an impact's phase from φ over 40 periods [s].
double phase_error(const PeriodOne& bounce, int steps_a_period, const MoreauOptions& options) {
  const BallOnTable ball = bounce.system();
  const double T = bounce.period(), first = bounce.phase / bounce.frequency;
  double worst = 0;
  long impacts = 0;
  run(ball, bounce.start(ball), T / steps_a_period, first + 40.5 * T, options,
      [&](const State&, const StepResult& result) {
        if (result.contacts.empty() || result.contacts[0].state != ContactState::impact) return;
        const double t = result.t_start + 0.5 * result.step - first;
        ++impacts;
        worst = std::max(worst, std::abs(t - static_cast<double>(impacts) * T));
      });
  EXPECT_EQ(impacts, 40);
  return worst;
}

TEST(BallOnVibratingTable, BouncesOnceAPeriodWhereTheTableHasTheSpeedThatReplacesTheLoss) {
  const PeriodOne bounce;
  for_every_solver([&](const MoreauOptions& options) {
    EXPECT_LT(phase_error(bounce, 4000, options), 8 * bounce.period() / 4000);
  });
}

TEST(BallOnVibratingTable, KeepsItsPeriodOneBounceAtOrderOne) {
  const PeriodOne bounce;
  const auto error = [&](int steps) { return phase_error(bounce, steps, {}); };
  EXPECT_NEAR(observed_order(error, 1000, 64000), 1, 0.15);
}

TEST(BallOnVibratingTable, LeavesAPhaseAtWhichTheTableIsTooSlow) {
  const PeriodOne steady;
  const BallOnTable ball = steady.system();
  PeriodOne bounce = steady;
  bounce.phase = 0.9;
  const State start = bounce.start(ball);
  const double T = bounce.period();
  std::vector<double> impacts;
  run(ball, start, T / 4000, start.t + 3 * T, {}, [&](const State&, const StepResult& result) {
    if (!result.contacts.empty() && result.contacts[0].state == ContactState::impact)
      impacts.push_back(result.t_start - start.t);
  });
  ASSERT_GE(impacts.size(), 2u);
  EXPECT_NEAR(impacts[0], T, T / 4000);  // the first flight is the steady one
  EXPECT_LT(impacts[1], 1.95 * T);       // the second one is shorter
}

TEST(BallOnVibratingTable, ReceivesFromTheTableWhatItsImpactsLose) {
  const PeriodOne bounce;
  const BallOnTable ball = bounce.system();
  const State start = bounce.start(ball);
  const double T = bounce.period();
  const EnergyLedger before = energy_ledger(ball, start);
  const auto imbalance = [&](int steps) {
    const State end = run(ball, start, T / steps, start.t + 10.4 * T);
    return std::abs(energy_imbalance(before, energy_ledger(ball, end)));
  };
  EXPECT_LT(imbalance(1000), 1e-12);  // constant force: exact
  const State end = run(ball, start, T / 100000, start.t + 10 * T + 0.4 * T);
  const EnergyLedger after = energy_ledger(ball, end);
  // Each impact takes ½ m (1 − e²)(gT/2 + V)², and the table gives it back.
  const double approach = g * T / 2 + bounce.table_speed();
  const double loss = 10 * 0.5 * (1 - bounce.e * bounce.e) * approach * approach;
  EXPECT_NEAR(after.contact_loss, loss, 1e-3 * loss);
  EXPECT_NEAR(after.impact_loss, after.contact_loss, 1e-12 * loss);
  EXPECT_NEAR(after.contacts, after.mechanical() - before.mechanical(), 1e-12);
}

}  // namespace
}  // namespace backlash::test::bouncing_ball
