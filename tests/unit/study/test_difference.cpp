// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/difference.h"

#include <numbers>

#include <gtest/gtest.h>

#include "backlash/study/run_charts.h"

namespace backlash {
namespace {

/// f at `rows` times from 0 to 1.
template <class F>
Series series(F f, int rows = 1001) {
  Series s{.name = "a.x", .unit = "m", .t = Vector::LinSpaced(rows, 0, 1)};
  s.values.resize(rows);
  for (int i = 0; i < rows; ++i) s.values[i] = f(s.t[i]);
  return s;
}

TEST(Difference, HasTheMaximumAndRootMeanSquareOfTheClosedForm) {
  const Series a = series([](double t) { return std::sin(20 * t); });
  const Series b = series([](double t) { return std::sin(20 * t) + 0.3 * t; });
  const SeriesDifference d = difference(a, b, {.tolerance = 0.05}, 0);
  EXPECT_NEAR(d.max, 0.3, 1e-12);
  EXPECT_EQ(d.t_max, 1);
  EXPECT_NEAR(d.rms, 0.3 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(d.last, 0.3, 1e-12);
  EXPECT_NEAR(d.scale, 2, 1e-3);
  EXPECT_NEAR(d.t_disagree, 0.1 / 0.3, 2e-3);  // 0.05 of the range 2 is 0.1
}

TEST(Difference, OfRowsAtOtherTimesTakesValuesBetweenThemInProportion) {
  const Series a = series([](double t) { return 5 * t; }, 11);
  Series b = series([](double t) { return 5 * t; }, 38);
  const SeriesDifference d = difference(a, b, {}, 0);
  EXPECT_LT(d.max, 1e-14);
  EXPECT_TRUE(d.agree());
  b.t *= 0.5;  // ends earlier
  EXPECT_EQ(difference(a, b, {}, 0).t_end, 0.5);
}

TEST(Difference, OfAnImpactThatComesALittleLaterIsNoDisagreement) {
  const Series a = series([](double t) { return t < 0.5 ? 1.0 : -1.0; });
  const Series b = series([](double t) { return t < 0.51 ? 1.0 : -1.0; });
  EXPECT_TRUE(difference(a, b, {.impact_time = 0.02}, 0).agree());
  EXPECT_NEAR(difference(a, b, {.impact_time = 0.005}, 0).t_disagree, 0.5, 1e-9);
  EXPECT_EQ(difference(a, b, {.impact_time = 0.02}, 0).max, 2);
}

TEST(Difference, OfNoiseInAConstantIsMeasuredByTheOtherChannels) {
  const Series a = series([](double) { return 0.0; });
  const Series b = series([](double t) { return 1e-17 * std::sin(1000 * t); });
  const Series moving = series([](double t) { return t; });
  EXPECT_TRUE(difference(a, b, {}, least_scale({a, moving}, "m")).agree());
}

TEST(Difference, OfAnglesOfContactsKnowsTheSeam) {
  Series a = series([](double) { return std::numbers::pi - 1e-3; });
  Series b = series([](double) { return -std::numbers::pi + 1e-3; });
  a.name = b.name = "J.contact_angle";
  EXPECT_NEAR(difference(a, b, {}, 0).max, 2e-3, 1e-12);
}

RunEvent impact(double t, const char* contact, double speed) {
  return {.t = t, .kind = "impact", .contact = contact, .gamma_n_before = -speed};
}

TEST(MatchImpacts, PairsEachOnceWithinTheTimeContactByContact) {
  const std::vector<RunEvent> a{impact(0.1, "left", 1), impact(0.2, "right", 1),
                                impact(0.3, "left", 1), impact(0.4, "left", 1e-4)};
  const std::vector<RunEvent> b{impact(0.1005, "left", 0.9), impact(0.2, "left", 1),
                                impact(0.302, "left", 1)};
  const ImpactMatch m = match_impacts(a, b, 0.005);
  EXPECT_EQ(m.reference, 3);  // the last of a is not hard
  EXPECT_EQ(m.other, 3);
  EXPECT_EQ(m.matched_reference, 2);
  EXPECT_EQ(m.matched_other, 2);
  EXPECT_NEAR(m.largest_shift, 0.002, 1e-12);
  EXPECT_NEAR(m.largest_speed_difference, 0.1, 1e-12);
  EXPECT_EQ(m.t_first_unmatched, 0.2);
  EXPECT_FALSE(m.all());
  EXPECT_TRUE(match_impacts(a, a, 1e-9).all());
  EXPECT_TRUE(match_impacts({}, {}, 1).all());
}

TEST(CommonName, IsTheQuantityOrTheItem) {
  EXPECT_EQ(common_name({"a.x"}), "a.x");
  EXPECT_EQ(common_name({"a.gap", "b.gap"}), "gap");
  EXPECT_EQ(common_name({"guide.gap1", "guide.gap2"}), "guide.gap");
  EXPECT_EQ(common_name({"slider.x", "slider.y"}), "slider");
  EXPECT_EQ(common_name({"slider.x", "crank.y"}), "");
}

}  // namespace
}  // namespace backlash
