// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"
#include "support/systems/planar_body.h"

namespace backlash::test::wheels {
namespace {

constexpr double g = 9.81;

TEST(SlidingWheel, SlowsByMuGAndRollsFromTStarAtTheSpeedThatItsInertiaLeaves) {
  const double mass = 1.3, radius = 0.2, v0 = 3, friction = 0.2, step = 1e-3;
  for (const double k2 : {0.4, 0.5, 1.0}) {  // ball, disk, hoop
    SCOPED_TRACE(k2);
    const PlanarBody body(wheel(mass, radius, k2, {.friction = friction}));
    const State start = initial_state(body, 0, Vec3(0, radius, 0), Vec3(v0, 0, 0));
    const double t_star = v0 / (friction * g * (1 + 1 / k2));
    for_every_solver([&](const MoreauOptions& options) {
      double slid_until = 0;
      const State end = run(
          body, start, step, 1.5 * t_star, options,
          [&](const State& state, const StepResult& result) {
            const double slip = state.u[0] + radius * state.u[2];
            if (slip > 1e-10) {
              slid_until = state.t;
              EXPECT_NEAR(state.u[0], v0 - friction * g * state.t, 1e-12);
              EXPECT_NEAR(state.q[0], v0 * state.t - friction * g * state.t * state.t / 2, 1e-12);
              EXPECT_NEAR(state.u[2], -friction * g * state.t / (k2 * radius), 1e-11);
              EXPECT_EQ(result.contacts.at(0).state, ContactState::slip);
            } else {
              EXPECT_NE(result.contacts.at(0).state, ContactState::open);
            }
          });
      EXPECT_NEAR(slid_until, t_star, step);
      EXPECT_NEAR(end.u[0], v0 / (1 + k2), 1e-12 * v0);
      EXPECT_NEAR(end.u[2], -end.u[0] / radius, 1e-11);
    });
  }
}

TEST(SlidingWheel, IsWhereItShouldBeWhenRollingAtOrderTwo) {
  const double radius = 0.2, v0 = 3, friction = 0.2, k2 = 0.5;
  const PlanarBody body(wheel(1, radius, k2, {.friction = friction}));
  const double t_star = v0 / (friction * g * (1 + 1 / k2)), until = 1.5 * t_star;
  const double x =
      v0 * t_star - friction * g * t_star * t_star / 2 + v0 / (1 + k2) * (until - t_star);
  const State start = initial_state(body, 0, Vec3(0, radius, 0), Vec3(v0, 0, 0));
  const auto error = [&](int steps) {  // mean over where in its step the wheel begins to roll
    double sum = 0;
    for (int i = 0; i < 16; ++i)
      sum += std::abs(run(body, start, until / (steps + 0.1 * i), until).q[0] - x);
    return sum;
  };
  EXPECT_NEAR(observed_order(error, 50, 800), 2, 0.15);
}

/// A disk that meets the floor in the middle of its first step, without gravity.
struct DiskImpact {
  double mass = 1.3, radius = 0.2, approach = 2, slip = 0;
  ContactLaw law;

  OneStep step(const MoreauOptions& options) const {
    PlanarBodyData data = wheel(mass, radius, 0.5, law);
    data.gravity = {0, 0};
    const PlanarBody body(data);
    const double vx = 0.7, spin = (slip - vx) / radius, dt = 1e-3;
    const State start = initial_state(body, 0, Vec3(0, radius, 0), Vec3(vx, -approach, spin));
    return one_step(body, start, dt, options);
  }
};

TEST(DiskImpact, TurnsTheSlipBackByTangentialRestitutionUpToTheLimitOfFriction) {
  for (const double slip : {-3.0, -0.2, 0.2, 3.0})
    for (const double e_T : {0.0, 0.5, 1.0})
      for (const double friction : {0.0, 0.1, 0.6}) {
        const DiskImpact impact{
            .slip = slip,
            .law = {.restitution = 0.4, .tangential_restitution = e_T, .friction = friction}};
        const double P_N = (1 + 0.4) * impact.mass * impact.approach;
        const double wanted = -(1 + e_T) * slip * impact.mass / 3;
        const double P_T = std::clamp(wanted, -friction * P_N, friction * P_N);
        for_every_solver([&](const MoreauOptions& options) {
          const OneStep done = impact.step(options);
          ASSERT_EQ(done.result.contacts.size(), 1u);
          const ContactOutcome& contact = done.result.contacts[0];
          EXPECT_EQ(contact.state, ContactState::impact);
          EXPECT_NEAR(contact.impulse[0], P_N, 1e-12 * P_N);
          EXPECT_NEAR(contact.impulse[1], P_T, 1e-12 * P_N);
          EXPECT_NEAR(contact.gamma_after[1], slip + 3 * P_T / impact.mass, 1e-11);
          EXPECT_NEAR(done.state.u[1], 0.4 * impact.approach, 1e-12);
        });
      }
}

TEST(DiskImpact, SwitchesFromReturningToSlidingWhereTheImpulseReachesTheCone) {
  const double e_T = 0.5, slip = 1.1;
  DiskImpact impact{.slip = slip, .law = {.restitution = 0.4, .tangential_restitution = e_T}};
  const double P_N = (1 + 0.4) * impact.mass * impact.approach;
  const double limit = (1 + e_T) * slip * impact.mass / 3 / P_N;  // the μ that just suffices
  for_every_solver([&](const MoreauOptions& options) {
    impact.law.friction = limit * (1 + 1e-6);
    EXPECT_NEAR(impact.step(options).result.contacts.at(0).gamma_after[1], -e_T * slip, 1e-11);
    impact.law.friction = limit * (1 - 1e-3);
    EXPECT_NEAR(impact.step(options).result.contacts.at(0).gamma_after[1],
                -e_T * slip + 1e-3 * (1 + e_T) * slip, 1e-11);
  });
}

TEST(DiskImpact, UnderPoissonsLawIsTheSameAsUnderNewtons) {
  // Normal and tangent of a disk are not coupled, so each phase adds its own clipped impulse:
  // together clip(−γ_T m/3, μ (1 + ε) m v).
  for (const double slip : {-3.0, -0.2, 0.2, 3.0})
    for (const double friction : {0.0, 0.1, 0.25, 0.6}) {
      const ContactLaw law{.restitution = 0.4, .friction = friction, .impact = ImpactLaw::poisson};
      const DiskImpact impact{.slip = slip, .law = law};
      const double P_N = (1 + 0.4) * impact.mass * impact.approach;
      const double P_T = std::clamp(-slip * impact.mass / 3, -friction * P_N, friction * P_N);
      for_every_solver([&](const MoreauOptions& options) {
        const OneStep done = impact.step(options);
        ASSERT_EQ(done.result.contacts.size(), 1u);
        EXPECT_EQ(done.result.contacts[0].state, ContactState::impact);
        EXPECT_NEAR(done.result.contacts[0].impulse[0], P_N, 1e-12 * P_N);
        EXPECT_NEAR(done.result.contacts[0].impulse[1], P_T, 1e-12 * P_N);
      });
    }
}

}  // namespace
}  // namespace backlash::test::wheels
