// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "support/observed_order.h"
#include "support/runs.h"
#include "support/systems/ball_on_table.h"
#include "support/systems/ball_row.h"
#include "support/systems/planar_body.h"
#include "support/systems/rod_impact.h"

namespace backlash::test::impacts {
namespace {

constexpr double g = 9.81;

TEST(TouchingBalls, ShareTheMomentumOfTheOneThatArrivesByNewtonsLaw) {
  const double v = 3;
  for (const int n : {2, 3, 5, 8})
    for (const double e : {0.0, 0.3, 1.0}) {
      SCOPED_TRACE(::testing::Message() << n << " balls, e = " << e);
      const BallRow balls(0.7, std::vector<ContactLaw>(static_cast<std::size_t>(n - 1),
                                                       ContactLaw{.restitution = e}));
      for_every_solver([&](const MoreauOptions& options) {
        const State end = one_step(balls, arriving_ball(balls, v), 1e-3, options).state;
        EXPECT_NEAR(end.u[0], v * (1 - e * (n - 1)) / n, 1e-11 * v);
        for (int i = 1; i < n; ++i) EXPECT_NEAR(end.u[i], v * (1 + e) / n, 1e-11 * v);
      });
    }
}

TEST(TouchingBalls, OfTwoLawsObeyNewtonsForTheVelocityAndPoissonsForTheImpulse) {
  // Balls 1–2 by Newton's law (e), 2–3 by Poisson's (p). Compression: γ₁₂ = e v, γ₂₃ = 0, as for
  // three balls. Expansion: p times the impulse of 2–3 on top, with γ₁₂ = e v kept.
  const double v = 3, e = 0.3, p = 0.6, m = 0.7;
  const BallRow balls(m, {{.restitution = e}, {.restitution = p, .impact = ImpactLaw::poisson}});
  const double compression = m * v * (1 + e) / 3;  // of 2–3
  const double P23 = (1 + p) * compression;
  const double P12 = (m * v * (1 + e) + P23) / 2;  // from u2 − u1 = e v
  for_every_solver([&](const MoreauOptions& options) {
    const OneStep done = one_step(balls, arriving_ball(balls, v), 1e-3, options);
    ASSERT_EQ(done.result.contacts.size(), 2u);
    EXPECT_NEAR(done.result.contacts[0].impulse[0], P12, 1e-11 * m * v);
    EXPECT_NEAR(done.result.contacts[1].impulse[0], P23, 1e-11 * m * v);
    EXPECT_NEAR(done.state.u[1] - done.state.u[0], e * v, 1e-11 * v);
    EXPECT_NEAR(done.state.u[2], P23 / m, 1e-11 * v);
  });
}

TEST(TouchingBalls, UnderPoissonsLawPassTheImpulseOn) {
  // Compression: all three at v/3, impulses ⅔ m v and ⅓ m v; expansion adds p times those.
  const double v = 3, p = 0.5, m = 0.7;
  const ContactLaw law{.restitution = p, .impact = ImpactLaw::poisson};
  const BallRow balls(m, {law, law});
  for_every_solver([&](const MoreauOptions& options) {
    const State end = one_step(balls, arriving_ball(balls, v), 1e-3, options).state;
    EXPECT_NEAR(end.u[0], v - (1 + p) * 2 * v / 3, 1e-11 * v);
    EXPECT_NEAR(end.u[1], (1 + p) * v / 3, 1e-11 * v);
    EXPECT_NEAR(end.u[2], (1 + p) * v / 3, 1e-11 * v);
  });
}

TEST(PoissonsLaw, AgreesWithNewtonsForOneContactWithoutFriction) {
  const double v = 2;
  for (const double e : {0.0, 0.25, 0.8, 1.0}) {
    SCOPED_TRACE(e);
    const ContactLaw newton{.restitution = e};
    const ContactLaw poisson{.restitution = e, .impact = ImpactLaw::poisson};
    const BallRow by_newton(0.7, {newton}), by_poisson(0.7, {poisson});
    for_every_solver([&](const MoreauOptions& options) {
      const State start = initial_state(by_newton, 0, Vec2(0, 1), Vec2(v, 0));
      const State a = one_step(by_newton, start, 1e-3, options).state;
      const State b = one_step(by_poisson, start, 1e-3, options).state;
      EXPECT_NEAR(a.u[1] - a.u[0], e * v, 1e-13);
      EXPECT_LT((a.u - b.u).norm(), 1e-13);
    });
  }
}

TEST(PoissonsLaw, ReturnsUnderGravityWhatTheImpactAloneGivesAndLetsTheForceAct) {
  // Newton's law replaces what gravity does in the step of the impact, Poisson's does not.
  const double v = 2, e = 0.5, step = 1e-3;
  const BallOnTable by_newton({.law = {.restitution = e}});
  const BallOnTable by_poisson({.law = {.restitution = e, .impact = ImpactLaw::poisson}});
  const State start = initial_state(by_newton, 0, Vector::Zero(1), Vector::Constant(1, -v));
  for_every_solver([&](const MoreauOptions& options) {
    EXPECT_NEAR(one_step(by_newton, start, step, options).state.u[0], e * v, 1e-13);
    EXPECT_NEAR(one_step(by_poisson, start, step, options).state.u[0], e * v - g * step, 1e-13);
  });
}

TEST(PoissonsLaw, LetsAContactRestUnderGravity) {
  const BallOnTable ball({.mass = 2, .law = {.restitution = 0.8, .impact = ImpactLaw::poisson}});
  const double step = 1e-3;
  const State start = initial_state(ball, 0, Vector::Zero(1), Vector::Zero(1));
  for_every_solver([&](const MoreauOptions& options) {
    run(ball, start, step, 0.5, options, [&](const State& state, const StepResult& result) {
      EXPECT_NEAR(state.u[0], 0, 1e-11 * g * step);
      EXPECT_NEAR(state.q[0], 0, 1e-13);
      ASSERT_EQ(result.contacts.size(), 1u);
      EXPECT_NEAR(result.contacts[0].impulse[0], 2 * g * result.step, 1e-11 * g * step);
      EXPECT_EQ(result.contacts[0].state, ContactState::slip);
    });
  });
}

TEST(PoissonsLaw, BringsABouncingBallToRestLikeNewtons) {
  const double height = 0.7, e = 0.5, step = 1e-4;
  const BallOnTable ball({.law = {.restitution = e, .impact = ImpactLaw::poisson}});
  const double t1 = std::sqrt(2 * height / g), end = t1 * (1 + e) / (1 - e);
  double rest = 0;
  run(ball, initial_state(ball, 0, Vector::Constant(1, height), Vector::Zero(1)), step, 1.5 * end,
      {}, [&](const State&, const StepResult& result) {
        if (result.contacts.empty() || result.contacts[0].state == ContactState::open)
          rest = result.t_start + result.step;
      });
  // Each bounce starts g Δt slower than Newton's, which shortens it and all later ones by at most
  // 2 Δt/(1 − e); there are as many bounces as it takes e^n v₁ to fall to g Δt.
  const double count = std::log(g * t1 / (g * step)) / std::log(1 / e);
  EXPECT_NEAR(rest, end, 2 * step * (1 + e) / (1 - e) + count * 2 * step / (1 - e));
}

TEST(PoissonsLaw, MixesWithNewtonsAtABodyThatHitsTwoWallsAtOnce) {
  PlanarBodyData data{.gravity = {0, 0}};
  data.touches = {{.name = "floor", .law = {.restitution = 0.3}, .tangents = 0},
                  {.name = "wall",
                   .n_W = {1, 0},
                   .law = {.restitution = 0.8, .impact = ImpactLaw::poisson},
                   .tangents = 0}};
  const PlanarBody body(data);
  const State start = initial_state(body, 0, Vec3(0, 0, 0), Vec3(-2, -1, 0));
  for_every_solver([&](const MoreauOptions& options) {
    const State end = one_step(body, start, 1e-3, options).state;
    EXPECT_NEAR(end.u[0], 0.8 * 2, 1e-13);
    EXPECT_NEAR(end.u[1], 0.3 * 1, 1e-13);
  });
}

TEST(RodImpact, ThatSlidesThroughBothPhasesReturnsTheSameUnderBothLaws) {
  const double e = 0.5, friction = 0.2;
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::poisson}) {
    const RodImpact rod{.slip = 20,
                        .law = {.restitution = e, .friction = friction, .impact = impact}};
    const double P_N = (1 + e) * rod.approach / (rod.G_NN() - friction * rod.G_NT());
    for_every_solver([&](const MoreauOptions& options) {
      const ContactOutcome contact = rod.step(options).result.contacts.at(0);
      const double tolerance = 2e-12 * rod.slip;  // residuals are relative to the free velocity
      EXPECT_NEAR(contact.impulse[0], P_N, tolerance * rod.mass);
      EXPECT_NEAR(contact.impulse[1], -friction * P_N, tolerance * rod.mass);
      EXPECT_NEAR(contact.gamma_after[0], e * rod.approach, tolerance);
      EXPECT_GT(contact.gamma_after[1], 0);
    });
  }
}

TEST(RodImpact, ThatSticksInBothPhasesReturnsAnImpulseUnderPoissonsLaw) {
  const double e = 0.5, slip = 1, friction = 3;
  const RodImpact rod{
      .slip = slip, .law = {.restitution = e, .friction = friction, .impact = ImpactLaw::poisson}};
  // Compression stops the end point: P_C = −G⁻¹γ; expansion adds e P_CN, and keeps it from sliding.
  const double determinant = rod.G_NN() * rod.G_TT() - rod.G_NT() * rod.G_NT();
  const double C_N = (rod.G_TT() * rod.approach + rod.G_NT() * slip) / determinant;
  const double C_T = (-rod.G_NT() * rod.approach - rod.G_NN() * slip) / determinant;
  const double E_N = e * C_N, E_T = -rod.G_NT() / rod.G_TT() * E_N;
  ASSERT_LT(std::abs(C_T), friction * C_N);
  ASSERT_LT(std::abs(E_T), friction * E_N);
  for_every_solver([&](const MoreauOptions& options) {
    const ContactOutcome contact = rod.step(options).result.contacts.at(0);
    EXPECT_NEAR(contact.impulse[0], C_N + E_N, 1e-11 * C_N);
    EXPECT_NEAR(contact.impulse[1], C_T + E_T, 1e-11 * C_N);
    EXPECT_NEAR(contact.gamma_after[0], rod.G_NN() * E_N + rod.G_NT() * E_T, 1e-11);
    EXPECT_NEAR(contact.gamma_after[1], 0, 1e-11);
    EXPECT_GT(std::abs(contact.gamma_after[0] - e * rod.approach), 0.1);  // Newton's differs
  });
}

TEST(RodImpact, ThatStopsSlidingInTheExpansionUsesWhatFrictionItNeeds) {
  const double e = 0.5, friction = 0.3;
  RodImpact rod{.slip = 0,
                .law = {.restitution = e, .friction = friction, .impact = ImpactLaw::poisson}};
  // Slides in the compression by C_T = −μ C_N; what slip is left the expansion can just stop or
  // not.
  const double C_N = rod.approach / (rod.G_NN() - friction * rod.G_NT());
  const double by_compression = (rod.G_NT() - friction * rod.G_TT()) * C_N;
  const double by_expansion = (rod.G_NT() - friction * rod.G_TT()) * e * C_N;
  const double just_stops = -by_compression - by_expansion;  // the slip that ends with the impact
  for_every_solver([&](const MoreauOptions& options) {
    rod.slip = just_stops * 1.01;
    const ContactOutcome sliding = rod.step(options).result.contacts.at(0);
    EXPECT_NEAR(sliding.impulse[1], -friction * (1 + e) * C_N, 1e-11 * C_N);
    EXPECT_NEAR(sliding.gamma_after[1], 0.01 * just_stops, 1e-11);
    rod.slip = just_stops * 0.99;
    const ContactOutcome sticking = rod.step(options).result.contacts.at(0);
    EXPECT_NEAR(sticking.impulse[0], (1 + e) * C_N, 1e-11 * C_N);
    EXPECT_NEAR(sticking.impulse[1],
                -friction * C_N - (rod.slip + by_compression + rod.G_NT() * e * C_N) / rod.G_TT(),
                1e-11 * C_N);
    EXPECT_NEAR(sticking.gamma_after[1], 0, 1e-11);
  });
}

/// A block of half width b and half height h that rocks from its left onto its right corner.
struct RockingBlock {
  double mass = 1.5, half_width = 0.1, half_height = 0.3, friction = 2;
  double gravity = 0;

  double slenderness() const { return std::atan2(half_width, half_height); }
  PlanarBody system() const {
    const double b = half_width, h = half_height;
    PlanarBodyData data{
        .mass = mass, .inertia = mass * (b * b + h * h) / 3, .gravity = {0, -gravity}};
    data.touches = {{.name = "left", .p_BC = {-b, -h}, .law = {.friction = friction}},
                    {.name = "right", .p_BC = {b, -h}, .law = {.friction = friction}}};
    return PlanarBody(data);
  }
  /// Tilted by `angle` about the left corner (counterclockwise), turning about it.
  State start(const PlanarBody& body, double angle, double rate) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec2 arm(c * half_width - s * half_height, s * half_width + c * half_height);
    return initial_state(body, 0, Vec3(arm.x() - half_width, arm.y(), angle),
                         Vec3(-rate * arm.y(), rate * arm.x(), rate));
  }
  /// A step in whose middle the block stands upright.
  OneStep impact(double rate, const MoreauOptions& options) const {
    const PlanarBody body = system();
    const double step = 1e-9;
    return one_step(body, start(body, -0.5 * step * rate, rate), step, options);
  }
};

TEST(RockingBlock, KeepsTheShareOfItsSpinThatItsSlendernessAllows) {
  const double rate = -2;
  for (const double b : {0.02, 0.1, 0.3, 0.4}) {
    RockingBlock block{.half_width = b};
    const double sine = std::sin(block.slenderness());
    SCOPED_TRACE(sine);
    for_every_solver([&](const MoreauOptions& options) {
      const OneStep done = block.impact(rate, options);
      EXPECT_NEAR(done.state.u[2] / rate, 1 - 1.5 * sine * sine, 1e-7);  // gap O(Δt) from upright
      EXPECT_NEAR(done.result.contacts.at(0).impulse[0], 0, 1e-14);
      EXPECT_EQ(done.result.contacts.at(1).state, ContactState::impact);
    });
  }
}

TEST(RockingBlock, ThatIsFlatStopsDead) {
  // sin²α > 2/3: the formula would turn it back about the right corner into the floor.
  const RockingBlock block{.half_width = 0.5, .half_height = 0.3};
  ASSERT_GT(std::pow(std::sin(block.slenderness()), 2), 2.0 / 3);
  for_every_solver([&](const MoreauOptions& options) {
    const OneStep done = block.impact(-2, options);
    EXPECT_LT(done.state.u.norm(), 1e-7);
    EXPECT_GT(done.result.contacts.at(0).impulse[0], 0);
  });
}

TEST(RockingBlock, SlidesInTheImpactWhereFrictionIsTooSmall) {
  const double rate = -2;
  RockingBlock block;
  const double b = block.half_width, h = block.half_height, sine = std::sin(block.slenderness());
  const double after = rate * (1 - 1.5 * sine * sine);
  // Momentum of the centre: before it turns about the left corner, after about the right one.
  const double P_T = block.mass * (-h * after + h * rate);
  const double P_N = block.mass * (-b * after - b * rate);
  const double needed = std::abs(P_T) / P_N;
  for_every_solver([&](const MoreauOptions& options) {
    block.friction = needed * 1.001;
    const OneStep sticks = block.impact(rate, options);
    EXPECT_NEAR(sticks.result.contacts.at(1).impulse[0], P_N, 1e-6 * P_N);
    EXPECT_NEAR(sticks.result.contacts.at(1).impulse[1], P_T, 1e-6 * P_N);
    EXPECT_NEAR(sticks.state.u[2], after, 1e-6);
    block.friction = needed * 0.9;
    const OneStep slides = block.impact(rate, options);
    const ContactOutcome right = slides.result.contacts.at(1);
    EXPECT_NEAR(std::abs(right.impulse[1]), block.friction * right.impulse[0], 1e-12 * P_N);
    EXPECT_GT(std::abs(right.gamma_after[1]), 1e-3);
  });
}

TEST(RockingBlock, FallingUnderGravityKeepsThatShareAtOrderOne) {
  const RockingBlock block{.gravity = g};
  const PlanarBody body = block.system();
  const double ratio = 1 - 1.5 * std::pow(std::sin(block.slenderness()), 2);
  const auto error = [&](int steps) {
    const State start = block.start(body, 0.1, 0);
    double before = start.u[2], found = 0;
    run(body, start, 0.4 / steps, 0.4, {}, [&](const State& state, const StepResult& result) {
      for (const ContactOutcome& contact : result.contacts)
        if (contact.key.pair == 1 && contact.state == ContactState::impact) {
          found = state.u[2] / before;
          return false;
        }
      before = state.u[2];
      return true;
    });
    return std::abs(found - ratio);
  };
  EXPECT_LT(error(40000), 1e-4);
  EXPECT_NEAR(observed_order(error, 1000, 100000), 1, 0.2);
}

}  // namespace
}  // namespace backlash::test::impacts
