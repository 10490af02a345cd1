// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/runs.h"
#include "support/systems/ball_row.h"
#include "support/systems/planar_body.h"
#include "support/systems/rod_impact.h"

namespace backlash::test::impact_energy {
namespace {

TEST(StrongesLaw, AgreesWithTheOthersWhereTheSlipKeepsItsDirection) {
  const double e = 0.5, friction = 0.2;
  const RodImpact rod{
      .slip = 20, .law = {.restitution = e, .friction = friction, .impact = ImpactLaw::stronge}};
  const double P_N = (1 + e) * rod.approach / (rod.G_NN() - friction * rod.G_NT());
  for_every_solver([&](const MoreauOptions& options) {
    const ContactOutcome contact = rod.step(options).result.contacts.at(0);
    EXPECT_NEAR(contact.impulse[0], P_N, 1e-10 * P_N);
    EXPECT_NEAR(contact.gamma_after[0], e * rod.approach, 1e-10 * rod.slip);
  });
}

TEST(StrongesLaw, ReturnsTheSquareOfTheRestitutionOfTheWorkWhereTheContactSticks) {
  // Both phases stop the end point: γ_N = Ĝ Λ_N, so ½Ĝ(κ C_N)² = e² ½ C_N |γ_N⁻| (theory 3.10).
  const double e = 0.5, slip = 1, friction = 3;
  const RodImpact rod{
      .slip = slip, .law = {.restitution = e, .friction = friction, .impact = ImpactLaw::stronge}};
  const double determinant = rod.G_NN() * rod.G_TT() - rod.G_NT() * rod.G_NT();
  const double felt = determinant / rod.G_TT();
  const double C_N = (rod.G_TT() * rod.approach + rod.G_NT() * slip) / determinant;
  const double part = e * std::sqrt(rod.approach / (felt * C_N));
  ASSERT_GT(std::abs(part - e), 0.05);  // Poisson's law differs
  for_every_solver([&](const MoreauOptions& options) {
    const ContactOutcome contact = rod.step(options).result.contacts.at(0);
    EXPECT_NEAR(contact.impulse[0], (1 + part) * C_N, 1e-10 * C_N);
    EXPECT_NEAR(contact.gamma_after[0], felt * part * C_N, 1e-10);
    EXPECT_NEAR(contact.gamma_after[1], 0, 1e-11);
  });
}

TEST(StrongesLaw, ReturnsTheWorkOfEachContactOfARowOfBalls) {
  // Compression: all at v/3, impulses ⅔ m v and ⅓ m v. Only the first contact takes work,
  // ½ ⅔ m v v; the second is pressed from γ = 0 and keeps κ = e. With P = κ₁ ⅔ and Q = e ⅓ of m v,
  // γ₁₂ = 2P − Q and ½P(2P − Q) = e² ½ ⅔ (in units of v).
  const double v = 3, e = 0.5, m = 0.7;
  const ContactLaw law{.restitution = e, .impact = ImpactLaw::stronge};
  const BallRow balls(m, {law, law});
  const double Q = e / 3;
  const double P = (Q + std::sqrt(Q * Q + 16. / 3 * e * e)) / 4;
  for_every_solver([&](const MoreauOptions& options) {
    const State end = one_step(balls, arriving_ball(balls, v), 1e-3, options).state;
    EXPECT_NEAR(end.u[0], v * (1. / 3 - P), 1e-9 * v);
    EXPECT_NEAR(end.u[1], v * (1. / 3 + P - Q), 1e-9 * v);
    EXPECT_NEAR(end.u[2], v * (1. / 3 + Q), 1e-9 * v);
  });
}

/// A body that hits a wall or two at once, anywhere and in any way, but cannot jam between them.
struct RandomImpact {
  PlanarBody body;
  State start;

  RandomImpact(ImpactLaw impact, unsigned seed) : RandomImpact(data(impact, seed), seed) {}

  double gained() const {
    const OneStep done = one_step(body, start, 1e-9);
    const double before = body.kinetic_energy(configuration(body, 0, start.q), start.u);
    const double after = body.kinetic_energy(configuration(body, 0, start.q), done.state.u);
    const double gain = (after - before) / before;
    EXPECT_NEAR(done.result.gain.energy, std::max(0.0, after - before), 1e-6 * before);
    return gain;
  }

 private:
  RandomImpact(const PlanarBodyData& data, unsigned seed) : body(data), start(motion(body, seed)) {}

  static PlanarBodyData data(ImpactLaw impact, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    PlanarBodyData data{.mass = 1, .inertia = 0.03 + 0.1 * unit(random), .gravity = {0, 0}};
    const int touches = 1 + static_cast<int>(2 * unit(random));
    for (int i = 0; i < touches; ++i) {
      const double angle = 0.3 + 2.5 * unit(random), r = 0.2 + 0.6 * unit(random);
      const Vec2 n(std::cos(angle), std::sin(angle)),
          p = r * Vec2(2 * unit(random) - 1, -unit(random));
      data.touches.push_back({.name = std::to_string(i),
                              .p_BC = {p.x(), p.y()},
                              .n_W = {n.x(), n.y()},
                              .offset = n.dot(p),
                              .law = {.restitution = 0.5 + 0.5 * unit(random),
                                      .friction = 0.8 * unit(random),
                                      .impact = impact}});
    }
    return data;
  }
  static State motion(const PlanarBody& body, unsigned seed) {
    std::mt19937 random(seed + 1);
    std::normal_distribution<double> normal(0, 1);
    return initial_state(body, 0, Vec3(0, 0, 0),
                         Vec3(normal(random), -3 - normal(random), 2 * normal(random)));
  }
};

TEST(NewtonsLaw, MayMakeEnergyWithFrictionAndTheStepSaysSo) {
  int gaining = 0;
  for (unsigned seed = 0; seed < 1000; ++seed)
    if (RandomImpact(ImpactLaw::newton, seed).gained() > 1e-6) ++gaining;
  EXPECT_GT(gaining, 10);
}

TEST(StrongesLaw, NeverMakesEnergy) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_LT(RandomImpact(ImpactLaw::stronge, seed).gained(), 1e-9);
  }
}

}  // namespace
}  // namespace backlash::test::impact_energy
