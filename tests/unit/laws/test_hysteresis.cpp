// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/hysteresis.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using ::testing::ThrowsMessage;

double a_of(std::string_view rule, double e) {
  return hysteresis_of(*find_hysteresis_rule(rule), e, "law 'steel'");
}

TEST(DeliveredRestitution, SolvesItsEquation) {
  for (const double a : {1e-6, 1e-3, 0.05, 0.2, 1.0, 3.0, 10.0}) {
    const double e = delivered_restitution(a);
    EXPECT_NEAR(a * (1 + e), std::log1p(a) - std::log1p(-a * e), 1e-9 * a) << a;
  }
}

TEST(DeliveredRestitution, OfLankaraniAndNikraveshIsMoreThanAskedFor) {
  EXPECT_NEAR(delivered_restitution(a_of("lankarani-nikravesh", 0.9)), 0.913177, 5e-7);
  EXPECT_NEAR(delivered_restitution(a_of("lankarani-nikravesh", 0.7)), 0.795973, 5e-7);
  EXPECT_NEAR(delivered_restitution(a_of("lankarani-nikravesh", 0.5)), 0.725241, 5e-7);
}

TEST(DeliveredRestitution, FallsFromOneAsTheHysteresisGrows) {
  EXPECT_EQ(delivered_restitution(0), 1);
  double last = 1;
  for (double a = 1e-12; a < 1e12; a *= 1.3) {
    const double e = delivered_restitution(a);
    EXPECT_LT(e, last) << a;
    EXPECT_GT(e, 0) << a;
    last = e;
  }
}

TEST(Calibrated, DeliversWhatIsAskedForFromAlmostNothingToOne) {
  EXPECT_EQ(calibrated_hysteresis(1), 0);
  for (int i = 1; i <= 1000; ++i) {
    const double e = i / 1000.0;
    EXPECT_NEAR(delivered_restitution(calibrated_hysteresis(e)), e, 1e-14) << e;
  }
  for (const double loss : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15})
    EXPECT_NEAR(delivered_restitution(calibrated_hysteresis(1 - loss)), 1 - loss, 1e-15) << loss;
  for (const double e : {1e-3, 1e-6, 1e-12, 1e-100})
    EXPECT_NEAR(delivered_restitution(calibrated_hysteresis(e)), e, 1e-14 * e) << e;
}

/// Where nothing is lost all rules agree, and their first losses are of the same order.
TEST(AllRules, AskForNoHysteresisWhereNothingIsLost) {
  for (const HysteresisRule& rule : hysteresis_rules) {
    EXPECT_EQ(hysteresis_of(rule, 1, "law"), 0) << rule.name;
    EXPECT_EQ(find_hysteresis_rule(rule.name), &rule);
    if (rule.lowest < 1) {
      EXPECT_GT(hysteresis_of(rule, 0.5, "law"), hysteresis_of(rule, 0.9, "law")) << rule.name;
    }
  }
  EXPECT_EQ(find_hysteresis_rule("hooke"), nullptr);
}

TEST(AllRules, RefuseARestitutionThatTheirFormulaDoesNotHave) {
  for (const HysteresisRule& rule : hysteresis_rules) {
    SCOPED_TRACE(rule.name);
    for (const double bad : {-0.1, 1.1, std::nan("")})
      EXPECT_THROW(hysteresis_of(rule, bad, "law"), InputError);
    if (rule.lowest_included)
      EXPECT_NO_THROW(hysteresis_of(rule, rule.lowest, "law"));
    else
      EXPECT_THROW(hysteresis_of(rule, rule.lowest, "law"), InputError);
  }
  EXPECT_THAT([] { a_of("flores", 0); },
              ThrowsMessage<InputError>(
                  "law 'steel': restitution must lie in (0, 1] - with the law flores, is 0"));
  EXPECT_THAT([] { a_of("hu-guo", 1e-310); },
              ThrowsMessage<InputError>(::testing::HasSubstr("restitution must lie in (0, 1]")));
  EXPECT_THAT([] { a_of("hertz", 0.9); },
              ThrowsMessage<InputError>("law 'steel': restitution must be 1 with the law hertz, "
                                        "which loses nothing, is 0.9"));
}

}  // namespace
}  // namespace backlash
