// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/table.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

TEST(Table, InterpolatesLinearlyAndHoldsOrExtends) {
  const TableFunction hold({{0, 1, 3}, {0, 2, 0}});
  EXPECT_EQ(hold.at(0.5), 1);
  EXPECT_EQ(hold.at(2), 1);
  EXPECT_EQ(hold.at(-1), 0);
  EXPECT_EQ(hold.jet(2).first, -1);
  EXPECT_EQ(hold.jet(5).first, 0);
  const TableFunction linear({{0, 1, 3}, {0, 2, 0}, Interpolation::linear, Extension::linear});
  EXPECT_EQ(linear.at(-1), -2);
  EXPECT_EQ(linear.at(5), -2);
}

TEST(Table, ACubicSplineOfACubicWithLevelCurvatureEndsIsExactAtThePoints) {
  const TableFunction f({{0, 1, 2, 4}, {1, -1, 2, 0}, Interpolation::cubic});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(f.at(f.table().x[i]), f.table().y[i], 1e-14);
  EXPECT_NEAR(f.jet(0).second, 0, 1e-14);
  for (const double x : {1.0, 2.0}) {  // slope and curvature are continuous
    EXPECT_NEAR(f.jet(x - 1e-9).first, f.jet(x + 1e-9).first, 1e-6);
    EXPECT_NEAR(f.jet(x - 1e-9).second, f.jet(x + 1e-9).second, 1e-6);
  }
}

/// A sine over one turn, by that many points.
Table sine(int points) {
  Table table{.interpolation = Interpolation::cubic, .extension = Extension::periodic};
  for (int i = 0; i <= points; ++i) {
    table.x.push_back(2 * std::numbers::pi * i / points);
    table.y.push_back(i == points ? 0 : std::sin(table.x.back()));
  }
  return table;
}

TEST(Table, APeriodicSplineOfTheSineConvergesWithTheFourthOrder) {
  const auto error = [](int points) {
    const TableFunction f(sine(points));
    double worst = 0;
    for (double x = -7; x < 7; x += 0.013) worst = std::max(worst, std::abs(f.at(x) - std::sin(x)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.3);
  const TableFunction f(sine(64));
  EXPECT_NEAR(f.jet(1).first, std::cos(1), 1e-5);
  EXPECT_NEAR(f.jet(1).second, -std::sin(1), 2e-3);
}

TEST(Table, RefusesWhatIsNoFunction) {
  EXPECT_THROW(TableFunction({{0}, {1}}), InputError);
  EXPECT_THROW(TableFunction({{0, 1}, {1}}), InputError);
  EXPECT_THROW(TableFunction({{0, 0}, {1, 2}}), InputError);
  EXPECT_THROW(TableFunction({{0, NAN}, {1, 2}}), InputError);
  EXPECT_THROW(TableFunction({{0, 1}, {1, 2}, Interpolation::linear, Extension::periodic}),
               InputError);
}

}  // namespace
}  // namespace backlash
