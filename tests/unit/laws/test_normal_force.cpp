// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/normal_force.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/laws/compliant_law.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ForceFormula formula(std::string_view text) { return {parse_expression(text, force_variables)}; }

std::vector<NormalForce> all_forces() {
  return {HystereticForce{1e9, 1.5, 0.75}, KelvinVoigt{1e6, 300}, AdamsImpact{1e8, 1.5, 200, 1e-3},
          formula("1e9*delta^1.5*(1 + 0.75*ddelta/ddelta0)")};
}

TEST(AllNormalForces, VanishWithoutOverlap) {
  for (const NormalForce& force : all_forces())
    for (const double depth : {0.0, -1e-6, -1.0}) {
      EXPECT_EQ(normal_force(force, depth, 3, 1), 0);
      EXPECT_EQ(unclamped_normal_force(force, depth, 3, 1), 0);
      EXPECT_EQ(elastic_energy(force, depth), 0);
    }
}

TEST(AllNormalForces, PushAndNeverPull) {
  for (const NormalForce& force : all_forces()) {
    const double depth = 1e-5;
    EXPECT_GT(normal_force(force, depth, 1, 1), 0);
    EXPECT_GT(clamp_margin(force, depth, 1, 1), 0);
    EXPECT_EQ(normal_force(force, depth, 1, 1), unclamped_normal_force(force, depth, 1, 1));
    EXPECT_EQ(normal_force(force, depth, -1e4, 1), 0);
    EXPECT_LT(unclamped_normal_force(force, depth, -1e4, 1), 0);
    EXPECT_LT(clamp_margin(force, depth, -1e4, 1), 0);
  }
}

TEST(AllNormalForces, StoreTheWorkOfTheirElasticPart) {
  for (const NormalForce& force : all_forces()) {
    const double depth = 2e-4, step = 1e-8;
    const double slope =
        (elastic_energy(force, depth + step) - elastic_energy(force, depth - step)) / (2 * step);
    EXPECT_NEAR(slope, normal_force(force, depth, 0, 1), 1e-6 * slope);
  }
}

TEST(HystereticForce, IsItsFormula) {
  for (const double n : {1.0, 1.5, 2.3}) {
    const HystereticForce force{.stiffness = 7e8, .exponent = n, .hysteresis = 0.4};
    const double elastic = 7e8 * std::pow(1e-4, n);
    EXPECT_NEAR(normal_force(force, 1e-4, 0, 2), elastic, 1e-14 * elastic);
    EXPECT_NEAR(normal_force(force, 1e-4, 1, 2), elastic * 1.2, 1e-14 * elastic);
    EXPECT_NEAR(elastic_energy(force, 1e-4), elastic * 1e-4 / (n + 1), 1e-17 * elastic);
  }
}

TEST(HystereticForce, HasAMarginThatDoesNotVanishWithTheDepth) {
  const HystereticForce force{.stiffness = 7e8, .hysteresis = 0.5};
  EXPECT_EQ(clamp_margin(force, 0, 1, 1), 1.5);
  EXPECT_EQ(clamp_margin(force, 1e-3, -2, 1), 0);
}

TEST(KelvinVoigt, JumpsAtItsEntry) {
  const NormalForce kelvin_voigt = all_forces()[1];
  EXPECT_NEAR(normal_force(kelvin_voigt, 1e-300, 2, 2), 600, 1e-12);
}

TEST(AdamsImpact, DampsByACubicStepOfTheDepth) {
  const AdamsImpact force{.stiffness = 1e8, .exponent = 2.2, .damping = 200, .depth = 1e-3};
  const auto damping = [&](double depth) {
    return (normal_force(force, depth, 1, 1) - normal_force(force, depth, 0, 1));
  };
  EXPECT_NEAR(damping(0.5e-3), 100, 1e-11);
  EXPECT_NEAR(damping(0.25e-3), 200 * (3 * 0.25 * 0.25 - 2 * 0.25 * 0.25 * 0.25), 1e-11);
  EXPECT_NEAR(damping(1e-3), 200, 1e-11);
  EXPECT_NEAR(damping(2e-3), 200, 1e-10);
}

TEST(AdamsImpact, HasItsKinkWhereItsDampingIsFull) {
  EXPECT_EQ(kink_depth(AdamsImpact{1e8, 1.5, 200, 1e-3}), 1e-3);
  EXPECT_EQ(kink_depth(AdamsImpact{1e8, 1.5, 0, 1e-3}), std::nullopt);
  EXPECT_EQ(kink_depth(HystereticForce{1e8}), std::nullopt);
  EXPECT_EQ(kink_depth(KelvinVoigt{1e8, 1}), std::nullopt);
}

TEST(ForceFormula, IsEvaluatedWithDepthRateAndEntryRate) {
  EXPECT_EQ(normal_force(formula("delta + 10*ddelta + 100*ddelta0"), 1, 2, 3), 321);
}

TEST(ForceFormula, StoresPowersOfTheDepthExactly) {
  for (const double n : {1.0, 1.5, 2.0, 3.5, 6.0}) {
    const NormalForce force = formula("1e9*delta^" + std::to_string(n) + " + 20*ddelta");
    const double exact = 1e9 * std::pow(0.3, n + 1) / (n + 1);
    EXPECT_NEAR(elastic_energy(force, 0.3), exact, 1e-14 * exact) << n;
  }
}

void expect_refused(const NormalForce& force, const char* message) {
  EXPECT_THAT([&] { validate(force, "law 'steel'"); },
              ThrowsMessage<InputError>(HasSubstr(message)));
}

TEST(AllNormalForces, AcceptSensibleNumbers) {
  for (const NormalForce& force : all_forces()) EXPECT_NO_THROW(validate(force, "law"));
}

TEST(AllNormalForces, RefuseWhatMakesNoSenseByName) {
  expect_refused(HystereticForce{.stiffness = 0},
                 "law 'steel': stiffness must be positive and finite [N/m^1.5], is 0");
  expect_refused(HystereticForce{.stiffness = 1, .exponent = 0.5},
                 "law 'steel': exponent must lie in [1, 10] -, is 0.5");
  expect_refused(HystereticForce{.stiffness = 1, .hysteresis = -1}, "law 'steel': hysteresis");
  expect_refused(KelvinVoigt{-1, 0}, "stiffness must be positive and finite [N/m], is -1");
  expect_refused(KelvinVoigt{1, -2}, "law 'steel': damping");
  expect_refused(AdamsImpact{1, 1.5, 0, 0}, "law 'steel': depth must be positive");
  expect_refused(AdamsImpact{1, 11, 0, 1}, "law 'steel': exponent");
  expect_refused(AdamsImpact{std::nan(""), 1.5, 0, 1}, "law 'steel': stiffness");
  expect_refused(AdamsImpact{1, 1.5, -1, 1}, "law 'steel': damping");
  expect_refused(formula("3*ddelta"), "law 'steel': force must depend on delta, the depth [m], is");
}

TEST(CompliantLaw, CountsSlowContactsAsItsSlowestEntry) {
  const CompliantLaw law{.normal = HystereticForce{1e9}, .slowest_entry = 1e-3};
  EXPECT_EQ(entry_rate(law, 0), 1e-3);
  EXPECT_EQ(entry_rate(law, -2), 1e-3);
  EXPECT_EQ(entry_rate(law, 0.5), 0.5);
  EXPECT_NO_THROW(validate(law, "law"));
  EXPECT_THAT(
      [] {
        validate(CompliantLaw{HystereticForce{1e9}, {}, 0}, "law 'steel'");
      },
      ThrowsMessage<InputError>(HasSubstr("law 'steel': slowest entry")));
}

}  // namespace
}  // namespace backlash
