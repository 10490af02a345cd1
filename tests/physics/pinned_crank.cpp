// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/systems/pinned_crank.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test {
namespace {

double pin_error(const PinnedCrank& crank, const State& state) {
  const auto rows = static_cast<Eigen::Index>(crank.info().bilaterals.size());
  Vector g = Vector::Zero(rows);
  crank.bilateral_errors(configuration(crank, state.t, state.q), g);
  return g.cwiseAbs().maxCoeff();
}

TEST(PinnedCrank, KeepsItsEnergyItsPinAndASmoothConstraintVelocity) {
  const PinnedCrankData data;
  const PinnedCrank crank(data);
  const double step = 1e-5;
  const State start = crank.start(0, 150);
  const double energy = energy_ledger(crank, start).mechanical();
  for_every_solver([&](const MoreauOptions& options) {
    double drift = 0, largest = 0, alternating = 0;
    std::vector<Vector> rates;
    const State end =
        run(crank, start, step, 0.1, options, [&](const State& state, const StepResult&) {
          drift = std::max(drift, pin_error(crank, state));
          rates.push_back(crank.constraint_velocity(state));
          largest = std::max(largest, rates.back().norm());
          if (rates.size() < 50) return;  // the step from γ = 0 to its smooth course is forgotten
          const std::size_t n = rates.size();
          alternating =
              std::max(alternating, (rates[n - 1] - 2 * rates[n - 2] + rates[n - 3]).norm());
        });
    EXPECT_NEAR(energy_ledger(crank, end).mechanical(), energy, 1e-10 * energy);
    EXPECT_LT(drift, 1e-10 * data.length);
    // γ_E is O(Δt²) of the pin's acceleration over Δt, and smooth: its second differences are much
    // smaller still. Chatter would make them four times as large as γ_E itself.
    EXPECT_LT(largest, 1e-4);
    EXPECT_LT(alternating, 1e-2 * largest + 1e-10);
    const double turn = 150 * 0.1, step_angle = 150 * step;
    EXPECT_NEAR(end.q[2], turn, turn * step_angle * step_angle / 12);
  });
}

TEST(PinnedCrank, ForgetsAnErrorOfItsStartVelocity) {
  const PinnedCrank crank;
  State start = crank.start(0.3, 150);
  start.u[0] += 1e-3;
  for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
    std::vector<double> errors;
    run(crank, start, 1e-5, 1e-3, {.scheme = scheme}, [&](const State& state, const StepResult&) {
      errors.push_back(crank.constraint_velocity(state).norm());
    });
    double smooth = 0;
    run(crank, crank.start(0.3, 150), 1e-5, 1e-3, {.scheme = scheme},
        [&](const State& state, const StepResult&) {
          smooth = std::max(smooth, crank.constraint_velocity(state).norm());
        });
    EXPECT_GT(errors.front(), 1e-4);
    // The alternating error is multiplied by −½ and −⅓ from step to step.
    for (std::size_t i = 1; i < 20; ++i)
      EXPECT_LT(errors[i], 4e-3 * std::pow(0.5, static_cast<double>(i)) + 2 * smooth) << i;
    EXPECT_LT(errors.back(), 2 * smooth);
  }
}

TEST(PinnedCrank, IsPutBackOnItsPinAndTheEnergyOfThatBooked) {
  const PinnedCrankData data{.gravity = 9.81};
  const PinnedCrank crank(data);
  State start = crank.start(0.3, 5);
  start.q[1] += 1e-4;
  const State end = run(crank, start, 1e-5, 1e-5);
  EXPECT_LT(pin_error(crank, end), 1e-12 * data.length);
  const EnergyLedger before = energy_ledger(crank, start), after = energy_ledger(crank, end);
  EXPECT_LT(after.projections, -0.1 * data.mass * data.gravity * 1e-4);
  EXPECT_NEAR(energy_imbalance(before, after), 0, 1e-12 * before.kinetic);
}

/// Its two pins want the end to be at two places.
class TornCrank : public PinnedCrank {
 public:
  TornCrank() : PinnedCrank({.copies = 2}) {}
  void bilateral_errors(const Configuration& c, VectorRef g) const override {
    PinnedCrank::bilateral_errors(c, g);
    g[2] += 1e-3;
  }
};

TEST(PinnedCrank, ThatCannotFulfilItsRowsSaysSo) {
  const TornCrank crank;
  State state = crank.start(0.3, 20);
  const State before = state;
  Moreau integrator(crank, {});
  EXPECT_EQ(integrator.step(state, 1e-4).status, StepStatus::drift_not_projected);
  EXPECT_TRUE(state.q == before.q && state.u == before.u);
  EXPECT_EQ(state.z.head(before.z.size()), before.z);  // behind it is room of the integrator
}

TEST(PinnedCrank, IsAPhysicalPendulumUnderGravityAtOrderTwo) {
  const PinnedCrankData data{.gravity = 9.81};
  const PinnedCrank crank(data);
  const double half = data.length / 2, until = 1;
  const double J = data.inertia + data.mass * half * half;
  // J θ̈ = −m g l/2 cos θ by Runge–Kutta.
  const auto rate = [&](const Vec2& y) {
    return Vec2(y[1], -data.mass * data.gravity * half * std::cos(y[0]) / J);
  };
  Vec2 reference(0.2, 3);
  constexpr int fine = 20000;
  for (int i = 0; i < fine; ++i) {
    const double h = until / fine;
    const Vec2 a = rate(reference), b = rate(reference + h / 2 * a),
               c = rate(reference + h / 2 * b), d = rate(reference + h * c);
    reference += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const State start = crank.start(0.2, 3);
  const EnergyLedger before = energy_ledger(crank, start);
  const auto angle_error = [&](int steps) {
    return std::abs(run(crank, start, until / steps, until).q[2] - reference[0]);
  };
  const auto speed_error = [&](int steps) {
    return std::abs(run(crank, start, until / steps, until).u[2] - reference[1]);
  };
  const auto energy_error = [&](int steps) {
    double worst = 0;
    run(crank, start, until / steps, until, {}, [&](const State& state, const StepResult&) {
      const EnergyLedger now = energy_ledger(crank, state);
      worst = std::max(worst, std::abs(now.mechanical() - before.mechanical()));
      EXPECT_NEAR(energy_imbalance(before, now), 0, 1e-11 * before.kinetic);  // all is booked
      EXPECT_EQ(now.bilaterals, 0);  // no drive: what the rows do is the method's own error
      EXPECT_NEAR(made_by_method(before, now), now.mechanical() - before.mechanical(), 1e-15);
    });
    return worst;
  };
  EXPECT_NEAR(observed_order(angle_error, 500, 8000), 2, 0.1);
  EXPECT_NEAR(observed_order(speed_error, 500, 8000), 2, 0.1);
  EXPECT_GT(observed_order(energy_error, 500, 4000), 1.9);
}

TEST(PinnedCrank, MovesTheSameWhenItsRowsAreWrittenTwice) {
  PinnedCrankData data{.gravity = 9.81};
  const PinnedCrank once(data);
  data.copies = 3;
  const PinnedCrank thrice(data);
  const State reference = run(once, once.start(0.2, 20), 1e-4, 0.5);
  for_every_solver([&](const MoreauOptions& options) {
    const State end = run(thrice, thrice.start(0.2, 20), 1e-4, 0.5, options);
    EXPECT_LT((end.q - reference.q).norm(), 1e-9);
    EXPECT_LT((end.u - reference.u).norm(), 1e-7);
    EXPECT_LT(pin_error(thrice, end), 1e-10 * data.length);
  });
}

TEST(DrivenCrank, ReceivesFromItsDriveTheEnergyItGains) {
  const PinnedCrankData data{
      .gravity = 9.81, .drive_speed = 20, .drive_swing = 0.5, .drive_frequency = 30};
  const PinnedCrank crank(data);
  const State start = crank.start(0, crank.drive_rate(0));
  const EnergyLedger before = energy_ledger(crank, start);
  const double until = 0.13, half = data.length / 2;
  const double J = data.inertia + data.mass * half * half;
  for_every_solver([&](const MoreauOptions& options) {
    const State end = run(crank, start, 1e-4, until, options);
    EXPECT_NEAR(end.q[2], crank.drive_angle(until), 1e-10);
    EXPECT_LT(pin_error(crank, end), 1e-10 * data.length);
  });
  const auto errors = [&](int steps) {
    const State end = run(crank, start, until / steps, until);
    const EnergyLedger after = energy_ledger(crank, end);
    const double w0 = crank.drive_rate(0), w1 = crank.drive_rate(until);
    const double gained = 0.5 * J * (w1 * w1 - w0 * w0) +
                          data.mass * data.gravity * half * std::sin(crank.drive_angle(until));
    EXPECT_NEAR(energy_imbalance(before, after), 0, 1e-11 * before.kinetic);  // all is booked
    return Vec3(std::abs(after.bilaterals - gained), std::abs(end.u[2] - w1),
                std::abs(made_by_method(before, after)));
  };
  const Vec3 coarse = errors(500), fine = errors(4000);
  EXPECT_LT(fine[2], 1e-8 * before.kinetic);
  for (int i = 0; i < 3; ++i)
    EXPECT_GT(std::log(coarse[i] / fine[i]) / std::log(8), 1.8) << "error " << i;
}

TEST(PinnedCrank, ReboundsFromAFloorAtEpsilonTimesItsSpin) {
  // One degree of freedom: whatever friction does at the tip, γ_N⁺ = −ε γ_N⁻ means ω⁺ = −ε ω⁻.
  const double e = 0.6, angle = 0.3;
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::poisson})
    for (const double friction : {0.0, 0.2}) {
      if (impact == ImpactLaw::poisson && friction > 0) continue;  // returns an impulse instead
      PinnedCrankData data{.law = {.restitution = e, .friction = friction, .impact = impact}};
      data.floor = data.length * std::sin(angle);
      const PinnedCrank crank(data);
      for_every_solver([&](const MoreauOptions& options) {
        const auto error = [&](int steps) {
          const State end = run(crank, crank.start(0.5, -20), 0.02 / steps, 0.02, options);
          EXPECT_LT(pin_error(crank, end), 1e-10 * data.length);
          EXPECT_LT(crank.constraint_velocity(end).norm(), 100.0 / steps / steps);
          return std::abs(end.u[2] / (e * 20) - 1);
        };
        EXPECT_LT(error(4000), 1e-4);
      });
      const auto swing_error = [&](int steps) {
        // Mean over where in its step the impact falls.
        double sum = 0;
        for (int i = 0; i < 16; ++i) {
          const double until = 0.02, met = 0.2 / 20;
          const State end = run(crank, crank.start(0.5, -20), until / (steps + 0.13 * i), until);
          sum += std::abs(end.q[2] - (angle + e * 20 * (until - met)));
        }
        return sum;
      };
      EXPECT_NEAR(observed_order(swing_error, 500, 16000), 1, 0.15);
    }
}

TEST(PinnedCrank, ComesToLieOnTheFloorWithItsForce) {
  const double angle = 0.3, step = 1e-4;
  for (const double friction : {0.0, 0.1}) {
    PinnedCrankData data{.gravity = 9.81, .law = {.restitution = 0.5, .friction = friction}};
    data.floor = data.length * std::sin(angle);
    const PinnedCrank crank(data);
    for_every_solver([&](const MoreauOptions& options) {
      // One degree of freedom makes the normal and the tangent row parallel; the fixed point
      // stalls.
      if (friction > 0 && options.solver == "augmented-lagrangian") return;
      double impulse = 0;
      const State end = run(crank, crank.start(0.5, 0), step, 1.2, options,
                            [&](const State& state, const StepResult& result) {
                              if (state.t < 1.0) return;
                              for (const ContactOutcome& c : result.contacts)
                                impulse += c.impulse[0];
                            });
      EXPECT_LT(end.u.norm(), 1e-8);
      EXPECT_NEAR(end.q[2], angle, 20 * step);
      // Half the weight, more or less what friction at the tip holds about the pin.
      const double half_weight = data.mass * data.gravity / 2, slope = std::tan(end.q[2]);
      EXPECT_GE(impulse / 0.2, half_weight / (1 + friction * slope) * (1 - 1e-3));
      EXPECT_LE(impulse / 0.2, half_weight / (1 - friction * slope) * (1 + 1e-3));
    });
  }
}

TEST(PinnedCrank, IsHeldByTheThetaSchemeToo) {
  const PinnedCrankData data{.gravity = 9.81};
  const PinnedCrank crank(data);
  const State reference = run(crank, crank.start(0.2, 3), 1e-5, 0.5);
  for (const double theta : {0.5, 1.0}) {
    const auto error = [&](int steps) {
      const State end = run(crank, crank.start(0.2, 3), 0.5 / steps, 0.5,
                            {.scheme = Scheme::theta, .theta = theta});
      EXPECT_LT(pin_error(crank, end), 1e-10 * data.length);
      return std::abs(end.q[2] - reference.q[2]);
    };
    EXPECT_NEAR(observed_order(error, 250, 2000), theta == 0.5 ? 2 : 1, 0.2);
  }
}

}  // namespace
}  // namespace backlash::test
