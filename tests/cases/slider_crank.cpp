// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/hand_derived/slider_crank.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cases/reference_table.h"
#include "support/runs.h"

// Paper 001. The reference is an event-driven solution, good to all digits printed.

namespace backlash::test::slider_crank {
namespace {

constexpr double reference_spacing = 1e-4;  // of tests/data/slider_crank_reference.csv [s]
constexpr double hits[] = {2.69250275202121e-3, 5.61236319021042e-3, 7.47505621239663e-3,
                           8.42176793424930e-3, 8.8457052501296e-3,  9.0238800971105e-3};
constexpr double first_lower_hit = 2.588956287578906e-2;

/// What a run of 0.03 s looked like.
struct Motion {
  std::vector<double> upper_hits, lower_hits;  ///< middles of the steps [s]
  double angle_error = 0;                      ///< largest of θ1 at the reference's times [rad]
  double tilt = 0;                             ///< largest |θ3| [rad]
  double force[2] = {0, 0};   ///< mean normal force of corners 1 and 2 from 9.5 to 10.5 ms [N]
  std::vector<State> states;  ///< at the reference's times
};

Motion motion(const SliderCrank& crank, double step, const MoreauOptions& options) {
  static const auto reference = reference_table("slider_crank_reference.csv");
  const int every = static_cast<int>(std::lround(reference_spacing / step));
  Motion found;
  Moreau integrator(crank, options);
  State state = slider_crank_start(crank);
  found.states.push_back(state);
  for (int i = 1; i <= 300 * every; ++i) {
    const StepResult& result = integrator.step(state, step);
    EXPECT_EQ(result.status, StepStatus::done) << name(result.status) << " at " << state.t;
    if (result.status != StepStatus::done) return found;
    const double middle = result.t_start + 0.5 * step;
    for (const ContactOutcome& c : result.contacts) {
      if (c.state == ContactState::impact && c.key.pair == 0) found.upper_hits.push_back(middle);
      if (c.state == ContactState::impact && c.key.pair == 2) found.lower_hits.push_back(middle);
      if (c.key.pair < 2 && std::abs(middle - 0.01) < 0.5e-3)
        found.force[c.key.pair] += c.impulse[0] / 1e-3;
    }
    found.tilt = std::max(found.tilt, std::abs(state.q[2]));
    if (i % every != 0) continue;
    const auto& row = reference[static_cast<std::size_t>(i / every)];
    found.angle_error = std::max(found.angle_error, std::abs(state.q[0] - row[1]));
    found.states.push_back(state);
  }
  return found;
}

/// The scheme that the papers print, whose errors are known.
MoreauOptions with(ForceVelocity force_velocity, std::string_view solver = "auto") {
  return {.solver = solver,
          .contact_scheme = ContactScheme::original,
          .force_velocity = force_velocity};
}

TEST(SliderCrank, StartsWithTheKineticEnergyOfItsThreeBodies) {
  const SliderCrank crank;
  const SliderCrankData d;
  const double w1 = 150, w2 = -75, v_pin = d.crank_length * w1;
  const double v_rod = v_pin + d.rod_length / 2 * w2, v_slider = v_pin + d.rod_length * w2;
  const double energy =
      0.5 * (d.inertia[0] * w1 * w1 + d.mass[0] * v_pin * v_pin / 4 + d.inertia[1] * w2 * w2 +
             d.mass[1] * v_rod * v_rod + d.mass[2] * v_slider * v_slider);
  const EnergyLedger ledger = energy_ledger(crank, slider_crank_start(crank));
  EXPECT_NEAR(ledger.mechanical(), energy, 1e-14);
  EXPECT_NEAR(energy, 7.49554875, 1e-14);
}

TEST(SliderCrank, FirstHitsTheUpperGuideWithinOneStepWithEverySolver) {
  const SliderCrank crank;
  for (const double step : {1e-4, 1e-5}) {
    for_every_solver([&](const MoreauOptions& options) {
      const State before = run(crank, slider_crank_start(crank), step, hits[0] - 2 * step, options);
      double hit = 0, approach = 0;
      int corners = 0;
      run(crank, before, step, hits[0] + 2 * step, options,
          [&](const State&, const StepResult& result) {
            for (const ContactOutcome& c : result.contacts) {
              if (c.state != ContactState::impact) continue;
              hit = result.t_start + 0.5 * result.step;
              approach = c.gamma_before[0];
              ++corners;
              EXPECT_LT(c.key.pair, 2);
            }
            return hit == 0;
          });
      EXPECT_EQ(corners, 2);
      EXPECT_NEAR(hit, hits[0], step);
      EXPECT_NEAR(approach, -0.841612322033, 10 * step / 1e-5 * 1e-2);
    });
  }
}

TEST(SliderCrank, MeetsTheFirstSixHitsWithin40StepsAndAtOrderOne) {
  const SliderCrank crank;
  for (const ForceVelocity force_velocity : {ForceVelocity::start, ForceVelocity::midpoint}) {
    SCOPED_TRACE(force_velocity == ForceVelocity::start ? "start" : "midpoint");
    double sum[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const double step = i == 0 ? 1e-5 : 1e-6;
      const Motion found = motion(crank, step, with(force_velocity));
      ASSERT_GE(found.upper_hits.size(), 6u);
      EXPECT_NEAR(found.upper_hits[0], hits[0], step);
      for (std::size_t k = 1; k < 6; ++k) {
        EXPECT_NEAR(found.upper_hits[k], hits[k], 40 * step) << "hit " << k + 1;
        sum[i] += std::abs(found.upper_hits[k] - hits[k]);
      }
      ASSERT_GE(found.lower_hits.size(), 1u);
      EXPECT_NEAR(found.lower_hits[0], first_lower_hit, 40 * step);
    }
    EXPECT_NEAR(std::log10(sum[0] / sum[1]), 1, 0.15);
  }
}

TEST(SliderCrank, FollowsTheCrankAngleAtOrderOneWithTheErrorsKnownForBothVariants) {
  const SliderCrank crank;
  struct Variant {
    ForceVelocity force_velocity;
    double known[3];  ///< [rad]
  };
  for (const Variant& variant : {Variant{ForceVelocity::start, {3.41e-2, 3.36e-3, 3.37e-4}},
                                 Variant{ForceVelocity::midpoint, {8.5e-4, 9.0e-5, 6.9e-6}}}) {
    SCOPED_TRACE(variant.force_velocity == ForceVelocity::start ? "start" : "midpoint");
    double error[3];
    for (int i = 0; i < 3; ++i) {
      error[i] = motion(crank, std::pow(10, -4 - i), with(variant.force_velocity)).angle_error;
      EXPECT_LT(error[i], 1.05 * variant.known[i]);
    }
    EXPECT_NEAR(std::log10(error[0] / error[2]) / 2, 1, 0.1);
  }
}

TEST(SliderCrank, KeepsTheSliderParallelToItsGuideWithEverySolver) {
  const SliderCrank crank;
  for_every_solver([&](MoreauOptions options) {
    // Tolerances are relative to free velocities of some 20 m/s, and sweeps, which take one corner
    // after the other, use them up: 1e-13 for 1e-12 m/s.
    if (options.solver == "gauss-seidel") options.solver_options.tolerance = 1e-13;
    const Motion found = motion(crank, 1e-5, options);
    EXPECT_LT(found.tilt, 1e-12);
    EXPECT_LT(found.angle_error, 1.05 * 9.0e-5);
    ASSERT_GE(found.upper_hits.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found.upper_hits[k], hits[k], 40e-5);
  });
}

TEST(SliderCrank, ApproachesTheReferenceStates) {
  const SliderCrank crank;
  struct Figure {
    std::size_t row;
    double q[2], u[2];
    double order, speed_error;  ///< of the angles; of the speeds at 1e-6 [rad/s]
  };
  // Free flight at 2 ms, permanent contact at 10 ms. At 30 ms the slider bounces on the lower guide
  // in hops so short that a run at 1e-6 is in another hop: its speeds are off by a hop's jump.
  const Figure figures[] = {
      {20, {.27579441494846, -.13494926386584}, {120.463881713558, -56.473394142450}, 2, 1e-6},
      {100, {.94796132178859, -.41462420026003}, {67.471928518900, -21.501405097508}, 1, 1e-3},
      {300, {2.55062647367424, -.28571982239664}, {127.777942983577, 55.139353212835}, 1, 0.3}};
  std::vector<Motion> motions;
  for (const double step : {1e-4, 1e-5, 1e-6})
    motions.push_back(motion(crank, step, with(ForceVelocity::midpoint)));
  for (const Figure& figure : figures) {
    SCOPED_TRACE(static_cast<double>(figure.row) * reference_spacing);
    double angle_error[3], speed_error[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const State& state = motions[i].states.at(figure.row);
      angle_error[i] = std::hypot(state.q[0] - figure.q[0], state.q[1] - figure.q[1]);
      speed_error[i] = std::hypot(state.u[0] - figure.u[0], state.u[1] - figure.u[1]);
    }
    EXPECT_NEAR(std::log10(angle_error[0] / angle_error[2]) / 2, figure.order, 0.1);
    EXPECT_LT(speed_error[2], figure.speed_error);
  }
}

TEST(SliderCrank, PressesOnTheGuideWithTheForcesOfPermanentContact) {
  // Each push of a step stands for several steps around it, in which the contact is just apart:
  // the mean over a thousand steps sees the force up to one such push.
  const SliderCrank crank;
  const Motion found = motion(crank, 1e-6, with(ForceVelocity::midpoint));
  EXPECT_NEAR(found.force[0], 1.990037, 0.015 * 1.990037);
  EXPECT_NEAR(found.force[1], 1.970236, 0.015 * 1.970236);
  EXPECT_NEAR(found.force[0] / found.force[1], 1.990037 / 1.970236, 1e-3);
}

TEST(SliderCrank, KeepsEnergyForceAndAngleByDefaultBetterThanThePapersDo) {
  const SliderCrank crank;
  const State start = slider_crank_start(crank);
  const EnergyLedger before = energy_ledger(crank, start);
  const double step = 1e-5;
  double force[2] = {0, 0};  // at 10 ms: the mean of the steps that end and begin there
  const State end =
      run(crank, start, step, 0.1, {}, [&](const State& state, const StepResult& result) {
        if (std::abs(state.t - 0.5 * step - 0.01) > 0.6 * step) return;
        for (const ContactOutcome& c : result.contacts)
          force[c.key.pair] += c.impulse[0] / step / 2;
      });
  EXPECT_LT(std::abs(made_by_method(before, energy_ledger(crank, end))), 2e-4);
  EXPECT_NEAR(end.q[0], run(crank, start, step / 10, 0.1).q[0], 4e-4);
  EXPECT_NEAR(force[0], 1.990037, 1e-4 * 1.990037);
  EXPECT_NEAR(force[1], 1.970236, 1e-4 * 1.970236);
}

TEST(SliderCrank, BalancesItsEnergyAndLosesItInEachContact) {
  const SliderCrank crank;
  const State start = slider_crank_start(crank);
  const EnergyLedger before = energy_ledger(crank, start);
  const auto imbalance = [&](double step, ForceVelocity force_velocity) {
    const State end = run(crank, start, step, 0.1, with(force_velocity),
                          [](const State&, const StepResult& result) {
                            for (const ContactOutcome& c : result.contacts)
                              EXPECT_GE(c.loss, -1e-14) << c.key.pair;
                          });
    const EnergyLedger after = energy_ledger(crank, end);
    EXPECT_LT(after.contacts, 0);
    EXPECT_NEAR(after.contact_loss, -after.contacts, 1e-13);
    EXPECT_GT(after.impact_loss, 0);
    EXPECT_LE(after.impact_loss, after.contact_loss);
    return std::abs(energy_imbalance(before, after)) / after.contact_loss;
  };
  // The papers' force at u_A takes a sixth of what the contacts take; at u_M only the steps with an
  // impact are off, by what the changing M makes of the jump.
  const double start_loss = imbalance(1e-5, ForceVelocity::start);
  const double midpoint_loss = imbalance(1e-5, ForceVelocity::midpoint);
  EXPECT_LT(start_loss, 0.17);
  EXPECT_LT(midpoint_loss, 0.008);
  EXPECT_NEAR(std::log10(imbalance(1e-4, ForceVelocity::start) / start_loss), 1, 0.05);
  EXPECT_NEAR(std::log10(imbalance(1e-4, ForceVelocity::midpoint) / midpoint_loss), 1, 0.05);
}

/// Normal impulses of the corners 1 … 4, the friction on the upper and on the lower guide, and the
/// change of momentum. The corners of one face share the friction as they like where both stick
/// (their tangent columns are equal at θ3 = 0), so only its sum is compared.
struct Impulses {
  Vector unique = Vector::Zero(6);
  Vector u;
};

Impulses step_with(const SliderCrank& crank, const int (&order)[4], const State& from, double step,
                   const MoreauOptions& options) {
  State state = from;
  Moreau integrator(crank, options);
  const StepResult& result = integrator.step(state, step);
  EXPECT_EQ(result.status, StepStatus::done) << options.solver << " at " << from.t;
  Impulses found;
  for (const ContactOutcome& c : result.contacts) {
    const int corner = order[c.key.pair] - 1;
    found.unique[corner] = c.impulse[0];
    found.unique[4 + corner / 2] += c.impulse[1];
  }
  found.u = state.u;
  return found;
}

/// Impulses of `auto` and of each other solver, step by step along the trajectory of `auto`: equal
/// to 1e-10 of the largest (or of the weight's in a step) where solved directly; iterations stop at
/// residuals of 1e-12 of free velocities of 20 m/s, which move the slider's mass.
void expect_agreement(const SliderCrankData& data, double slider_speed, ContactScheme scheme) {
  const SliderCrank crank(data);
  const double step = 1e-5;
  const double weight = (data.mass[0] + data.mass[1] + data.mass[2]) * data.gravity;
  const double stopped = scheme == ContactScheme::original ? 0 : 1e-12 * 20 * data.mass[2];
  State state = slider_crank_start(crank, slider_speed);
  Moreau integrator(crank, {.contact_scheme = scheme});
  int compared = 0;
  double worst_direct = 0, worst_iterative = 0;
  for (int i = 0; i < 3000; ++i) {
    const State from = state;
    const StepResult& result = integrator.step(state, step);
    ASSERT_EQ(result.status, StepStatus::done) << "at " << from.t;
    if (result.contacts.empty()) continue;
    ++compared;
    const auto impulses_by = [&](std::string_view solver) {
      return step_with(crank, data.corner_order, from, step,
                       {.solver = solver, .contact_scheme = scheme});
    };
    const Impulses reference = impulses_by("auto");
    const double size = std::max(reference.unique.cwiseAbs().maxCoeff(), weight * step);
    for (const SolverEntry& solver : solver_table()) {
      const Impulses other = impulses_by(solver.name);
      const double difference = (other.unique - reference.unique).cwiseAbs().maxCoeff();
      const bool iterative = solver.name == "gauss-seidel" || solver.name == "augmented-lagrangian";
      double& worst = iterative ? worst_iterative : worst_direct;
      worst = std::max(worst, difference / size);
      EXPECT_LE(difference, iterative ? std::max(1e-8 * size, stopped) : 1e-10 * size)
          << solver.name << " at t = " << from.t << ", impulses " << reference.unique.transpose()
          << " and " << other.unique.transpose();
    }
  }
  EXPECT_GE(compared, 30);
  ::testing::Test::RecordProperty("worst of the direct", ::testing::PrintToString(worst_direct));
  ::testing::Test::RecordProperty("worst of the iterative",
                                  ::testing::PrintToString(worst_iterative));
}

/// By both schemes of contact.
void expect_agreement(const SliderCrankData& data, double slider_speed) {
  expect_agreement(data, slider_speed, ContactScheme::original);
  expect_agreement(data, slider_speed, ContactScheme::lasting);
}

TEST(SliderCrank, HasTheSameImpulsesInEveryStepWithEverySolver) { expect_agreement({}, 0); }

TEST(SliderCrank, HasTheSameImpulsesWithItsContactsPermuted) {
  SliderCrankData data;
  const int orders[][4] = {{3, 1, 4, 2}, {4, 3, 2, 1}};
  for (const auto& order : orders) {
    std::copy(order, order + 4, data.corner_order);
    SCOPED_TRACE(order[0]);
    expect_agreement(data, 0);
  }
}

TEST(SliderCrank, HasTheSameImpulsesWithStrongFriction) {
  SliderCrankData data;
  data.law.friction = 0.3;
  expect_agreement(data, 0);
}

TEST(SliderCrank, HasTheSameImpulsesWithATiltingSlider) { expect_agreement({}, 0.1); }

TEST(SliderCrank, MovesTheSameWithItsContactsPermuted) {
  SliderCrankData data;
  std::copy_n(std::begin({3, 1, 4, 2}), 4, data.corner_order);
  const SliderCrank crank, permuted(data);
  const State a = run(crank, slider_crank_start(crank), 1e-5, 0.03);
  const State b = run(permuted, slider_crank_start(permuted), 1e-5, 0.03);
  EXPECT_LT((a.q - b.q).norm(), 1e-11);
  EXPECT_LT((a.u - b.u).norm(), 1e-9);
}

}  // namespace
}  // namespace backlash::test::slider_crank
