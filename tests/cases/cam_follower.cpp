// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/hand_derived/cam_follower.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cases/reference_table.h"
#include "support/runs.h"

// Paper 000, reading A. The reference is an event-driven solution, good to all digits printed.

namespace backlash::test::cam_follower {
namespace {

constexpr double reference_spacing = 1e-4;  // of tests/data/cam_follower_reference.csv [s]
constexpr double first_impact = 3.19800270386924e-3, second_impact = 9.37406422700650e-3;
constexpr double first_approach = -8.37529208434308;
constexpr double permanent = 1.72242268254045e-2;
constexpr double force_at_20_ms = 1284.693886;

/// What a run of 0.05 s, almost one lobe, looked like.
struct Motion {
  std::vector<double> impacts;  ///< middles of the steps [s]
  double approach = 0;          ///< γ⁻ of the first one [m/s]
  double permanent = 0;         ///< from here to 30 ms the contact pushes [s]
  double force = 0;             ///< in the step that ends at 20 ms [N]
  double error = 0;             ///< largest of y at the reference's times [m]
  double distance = 0;          ///< largest |y − s| after 17.5 ms [m]
  State end;
};

Motion motion(double step, const MoreauOptions& options) {
  static const auto reference = reference_table("cam_follower_reference.csv");
  const CamFollower cam;
  const int every = static_cast<int>(std::lround(reference_spacing / step));
  Motion found;
  Moreau integrator(cam, options);
  State state = cam_follower_start(cam);
  for (int i = 1; i <= 500 * every; ++i) {
    const StepResult& result = integrator.step(state, step);
    EXPECT_EQ(result.status, StepStatus::done) << name(result.status) << " at " << state.t;
    if (result.status != StepStatus::done) return found;
    const bool pushes = !result.contacts.empty() && result.contacts[0].impulse[0] > 0;
    if (pushes && result.contacts[0].state == ContactState::impact) {
      if (found.impacts.empty()) found.approach = result.contacts[0].gamma_before[0];
      found.impacts.push_back(result.t_start + 0.5 * step);
    }
    if (!pushes && state.t < 0.03) found.permanent = state.t;
    if (i == 200 * every && pushes) found.force = result.contacts[0].impulse[0] / step;
    if (state.t > 0.0175)
      found.distance = std::max(found.distance, std::abs(state.q[0] - cam.lift(state.t)));
    if (i % every == 0)
      found.error = std::max(
          found.error, std::abs(state.q[0] - reference[static_cast<std::size_t>(i / every)][1]));
  }
  found.end = state;
  return found;
}

TEST(CamFollower, FallsHitsAndRidesTheCamWithEverySolver) {
  for (const double step : {1e-4, 1e-5}) {
    SCOPED_TRACE(step);
    for_every_solver([&](const MoreauOptions& options) {
      const Motion found = motion(step, options);
      ASSERT_GE(found.impacts.size(), 2u);
      EXPECT_NEAR(found.impacts[0], first_impact, step);
      EXPECT_NEAR(found.impacts[1], second_impact, 4 * step);
      EXPECT_NEAR(found.permanent, permanent, 10 * step);
    });
  }
}

TEST(CamFollower, FollowsTheReferenceAtOrderOneWithTheErrorsKnown) {
  const double known[] = {6.1e-4, 9.2e-5, 6.7e-6};
  for (const ForceVelocity force_velocity : {ForceVelocity::start, ForceVelocity::midpoint}) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      const double step = std::pow(10, -4 - i);
      const Motion found = motion(step, {.force_velocity = force_velocity});
      error[i] = found.error;
      EXPECT_LT(error[i], 1.05 * known[i]);
      EXPECT_NEAR(found.impacts.at(0), first_impact, step);
      EXPECT_NEAR(found.impacts.at(1), second_impact, 4 * step);
      EXPECT_NEAR(found.permanent, permanent, 10 * step);
    }
    EXPECT_NEAR(std::log10(error[0] / error[2]) / 2, 1, 0.1);
  }
}

TEST(CamFollower, GivesTheSameMotionWithEverySolver) {
  const Motion reference = motion(1e-5, {});
  for_every_solver([&](const MoreauOptions& options) {
    const Motion found = motion(1e-5, options);
    EXPECT_EQ(found.impacts, reference.impacts);
    EXPECT_NEAR(found.end.q[0], reference.end.q[0], 1e-13);
    EXPECT_NEAR(found.end.u[0], reference.end.u[0], 1e-9);
  });
}

TEST(CamFollower, PressesOnTheCamWithTheForceOfPermanentContactAtOrderOne) {
  double error[3];
  for (int i = 0; i < 3; ++i)
    error[i] = std::abs(motion(std::pow(10, -4 - i), {}).force - force_at_20_ms);
  EXPECT_LT(error[2], 1e-4 * force_at_20_ms);
  EXPECT_NEAR(std::log10(error[0] / error[2]) / 2, 1, 0.1);
}

TEST(CamFollower, StaysOnTheCamAfterItsBounces) {
  // The follower is closed by velocities, so its distance is of the order of what one step opens.
  double distance[3];
  for (int i = 0; i < 3; ++i) distance[i] = motion(std::pow(10, -4 - i), {}).distance;
  EXPECT_LT(distance[2], 1e-7);
  EXPECT_GT(std::log10(distance[0] / distance[2]) / 2, 0.9);
}

TEST(CamFollower, ReceivesFromTheCamWhatItsEnergyGainsAndItsImpactsLose) {
  const CamFollower cam;
  const State start = cam_follower_start(cam);
  const EnergyLedger before = energy_ledger(cam, start);
  const auto imbalance = [&](double step, double until) {
    const EnergyLedger after = energy_ledger(cam, run(cam, start, step, until));
    EXPECT_GT(after.impact_loss, 0);
    // Without friction all loss is the impacts'; riding on the cam is free up to order one.
    EXPECT_NEAR(after.impact_loss, after.contact_loss, 20 * step * after.contact_loss);
    EXPECT_GT(after.contacts, -after.contact_loss);  // the cam did work
    return std::abs(energy_imbalance(before, after)) / before.potential;
  };
  // The midpoint rule keeps, up to the work of the contact, an energy that differs from the true
  // one by ⅛ Δt² times a function of the state: order two in flight after the first impact …
  EXPECT_LT(imbalance(1e-5, 0.0034), 1e-5);
  EXPECT_NEAR(std::log10(imbalance(1e-4, 0.0034) / imbalance(1e-6, 0.0034)) / 2, 2, 0.05);
  // … and nothing at all where the follower is back at the upper dead point.
  EXPECT_LT(imbalance(1e-4, 0.05), 1e-12);
  EXPECT_LT(imbalance(1e-5, 0.05), 1e-12);
}

TEST(CamFollower, RepeatsItsMotionLobeByLobe) {
  const CamFollower cam;
  const double step = 1e-5, period = cam.period();
  const State one = run(cam, cam_follower_start(cam), step, period + 0.01);
  const State two = run(cam, cam_follower_start(cam), step, 2 * period + 0.01);
  EXPECT_NEAR(period, 0.0500094341545653, 1e-15);
  EXPECT_NEAR(one.q[0], two.q[0], 2 * 9.2e-5);  // twice the scheme's error
}

}  // namespace
}  // namespace backlash::test::cam_follower
