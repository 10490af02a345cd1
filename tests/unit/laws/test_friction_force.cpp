// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/friction_force.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double mu = 0.3, mu_s = 0.4, N = 50;
const Threlfall threlfall{.friction = mu, .speed = 1e-3};
const Ambrosio ambrosio{.friction = mu, .lower_speed = 1e-4, .higher_speed = 1e-3};
const BengisuAkay bengisu_akay{mu_s, mu, 1e-3, 2000};
const AdamsStep adams_step{mu_s, mu, 1e-3, 3e-3};
const LuGre lu_gre{mu_s, mu, 1e-3, 1e5, 300, 0.4};
const std::vector<FrictionForce> stateless = {Frictionless{}, threlfall, ambrosio, bengisu_akay,
                                              adams_step};

/// μ against the velocity.
double mu_at(const FrictionForce& law, double v) { return -friction(law, v, N, 0).force / N; }

TEST(AllFrictions, AreOddInTheVelocityAndProportionalToTheNormalForce) {
  for (const FrictionForce& law : stateless)
    for (double v = 1e-5; v < 1; v *= 1.7) {
      EXPECT_EQ(friction(law, -v, N, 0).force, -friction(law, v, N, 0).force);
      EXPECT_NEAR(friction(law, v, 2 * N, 0).force, 2 * friction(law, v, N, 0).force, 1e-14 * N);
      EXPECT_LE(friction(law, v, N, 0).force * v, 0);
      EXPECT_EQ(friction_states(law), 0);
    }
  for (double v = 1e-5; v < 1; v *= 1.7)
    EXPECT_EQ(friction(lu_gre, -v, N, -1e-6).force, -friction(lu_gre, v, N, 1e-6).force);
  EXPECT_EQ(friction_states(lu_gre), 1);
}

TEST(AllFrictions, VanishAtRestAndWithoutNormalForce) {
  for (const FrictionForce& law : stateless) {
    EXPECT_EQ(friction(law, 0, N, 0).force, 0);
    EXPECT_EQ(friction(law, 0.1, 0, 0).force, 0);
  }
  EXPECT_EQ(friction(lu_gre, 0, N, 0).force, 0);
  EXPECT_EQ(friction(lu_gre, 0.1, 0, 1e-6).force, 0);
}

TEST(AllFrictions, AreContinuous) {
  for (const FrictionForce& law : stateless)
    for (double v = -5e-3; v < 5e-3; v += 1e-6)
      EXPECT_NEAR(mu_at(law, v + 1e-6), mu_at(law, v), 3 * mu_s / 1e-3 * 1e-6) << v;
}

TEST(AllFrictions, GrowUpToTheirSpeedAndNotBeyondIt) {
  for (const FrictionForce& law : stateless)
    for (double v = 0; v < 2e-2; v += 1e-5) {
      const double growth = mu_at(law, v + 1e-5) - mu_at(law, v);
      if (v + 1e-5 < 1e-3) {
        EXPECT_GE(growth, 0) << v;
      } else if (v > 1e-3) {
        EXPECT_LE(growth, 1e-15) << v;
      }
    }
}

TEST(AllFrictions, AreKnownWhereTheySlideFast) {
  for (const FrictionForce& law : stateless)
    EXPECT_NEAR(sliding_friction(law), mu_at(law, 10), 1e-15);
  EXPECT_EQ(sliding_friction(lu_gre), mu);
}

TEST(Threlfall, HasItsClosedValues) {
  EXPECT_NEAR(mu_at(threlfall, 0.5e-3), mu * (1 - std::exp(-1.5)), 1e-15);
  EXPECT_NEAR(mu_at(threlfall, 1e-3), mu * (1 - std::exp(-3.0)), 1e-15);
  EXPECT_NEAR(mu_at(threlfall, 7), mu * (1 - std::exp(-3.0)), 1e-15);
}

TEST(Ambrosio, HasADeadBandThenALineThenCoulombsFriction) {
  EXPECT_EQ(mu_at(ambrosio, 0.9e-4), 0);
  EXPECT_NEAR(mu_at(ambrosio, 5.5e-4), mu / 2, 1e-14);
  EXPECT_NEAR(mu_at(ambrosio, 2e-3), mu, 1e-15);
}

TEST(BengisuAkay, RisesAsAParabolaAndFallsAsAnExponential) {
  EXPECT_NEAR(mu_at(bengisu_akay, 0.5e-3), 0.75 * mu_s, 1e-15);
  EXPECT_NEAR(mu_at(bengisu_akay, 1e-3), mu_s, 1e-15);
  EXPECT_NEAR(mu_at(bengisu_akay, 1.5e-3), mu + (mu_s - mu) * std::exp(-1.0), 1e-15);
  EXPECT_NEAR(mu_at(bengisu_akay, 1), mu, 1e-15);
}

TEST(AdamsStep, TakesCubicStepsToTheStaticAndToTheKineticFriction) {
  const double s = 0.75;  // (v + v_s)/(2 v_s) at v_s/2
  EXPECT_NEAR(mu_at(adams_step, 0.5e-3), mu_s * (2 * s * s * (3 - 2 * s) - 1), 1e-15);
  EXPECT_NEAR(mu_at(adams_step, 1e-3), mu_s, 1e-15);
  EXPECT_NEAR(mu_at(adams_step, 2e-3), (mu_s + mu) / 2, 1e-15);
  EXPECT_NEAR(mu_at(adams_step, 3e-3), mu, 1e-15);
  EXPECT_NEAR(mu_at(adams_step, 3), mu, 1e-15);
}

TEST(LuGre, SlidesSteadilyOnStribecksCurve) {
  for (const double v : {-2e-3, -1e-4, 3e-4, 1e-3, 5e-2}) {
    const double g = mu + (mu_s - mu) * std::exp(-v * v / 1e-6);
    const double z = std::copysign(g / lu_gre.stiffness, v);
    const FrictionOutcome steady = friction(lu_gre, v, N, z);
    EXPECT_NEAR(steady.state_rate, 0, 1e-15);
    EXPECT_NEAR(steady.force, -N * (std::copysign(g, v) + 0.4 * v), 1e-12);
  }
}

TEST(LuGre, HoldsAtRestLikeASpring) {
  const FrictionOutcome held = friction(lu_gre, 0, N, 1e-6);
  EXPECT_EQ(held.state_rate, 0);
  EXPECT_NEAR(held.force, -N * 1e5 * 1e-6, 1e-13);
}

TEST(LuGre, KeepsItsBristlesWithinTheStaticFrictionHoweverTheNormalForceVaries) {
  double z = 0;
  for (int i = 0; i < 200000; ++i) {
    const double t = i * 1e-7;
    const double normal = std::max(0.0, N * std::sin(3000 * t));
    z += 1e-7 * friction(lu_gre, 0.02 * std::cos(500 * t), normal, z).state_rate;
    ASSERT_LE(std::abs(z), mu_s / lu_gre.stiffness * (1 + 1e-3));
  }
}

void expect_refused(const FrictionForce& law, const char* message) {
  EXPECT_THAT([&] { validate(law, "law 'steel'"); }, ThrowsMessage<InputError>(HasSubstr(message)));
}

TEST(AllFrictions, AcceptSensibleNumbers) {
  for (const FrictionForce& law : stateless) EXPECT_NO_THROW(validate(law, "law"));
  EXPECT_NO_THROW(validate(FrictionForce(lu_gre), "law"));
}

TEST(AllFrictions, RefuseWhatMakesNoSenseByName) {
  expect_refused(Threlfall{-0.1, 1e-3}, "law 'steel': friction must be zero or positive");
  expect_refused(Threlfall{0.1, 0}, "law 'steel': speed of the friction");
  expect_refused(Ambrosio{0.1, -1, 1}, "law 'steel': lower speed of the friction");
  expect_refused(Ambrosio{0.1, 2e-3, 1e-3},
                 "law 'steel': higher speed of the friction must be above the lower one, 0.002 "
                 "m/s, is 0.001");
  expect_refused(BengisuAkay{0.1, 0.2, 1, 1},
                 "law 'steel': static friction must not be below the kinetic friction, 0.2, is "
                 "0.1");
  expect_refused(BengisuAkay{0.2, 0.1, 1, -1}, "law 'steel': decay of the friction");
  expect_refused(AdamsStep{0.2, 0.1, 1, 1}, "law 'steel': friction speed must be above");
  expect_refused(LuGre{0.2, 0, 1, 1, 1, 1}, "law 'steel': kinetic friction");
  expect_refused(LuGre{0.2, 0.1, 0, 1, 1, 1}, "law 'steel': Stribeck speed");
  expect_refused(LuGre{0.2, 0.1, 1, 0, 1, 1}, "law 'steel': stiffness of the bristles");
  expect_refused(LuGre{0.2, 0.1, 1, 1, -1, 1}, "law 'steel': damping of the bristles");
  expect_refused(LuGre{0.2, 0.1, 1, 1, 1, -1}, "law 'steel': viscosity");
}

}  // namespace
}  // namespace backlash
