// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/chart_axis.h"
#include "backlash/draw/thinning.h"

namespace backlash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(ShownUnit, HasAPrefixThatLeavesFewDigits) {
  EXPECT_EQ(shown_unit("m", -0.001, 0.001).unit, "mm");
  EXPECT_EQ(shown_unit("m", 0, 3e-7).unit, "nm");
  EXPECT_EQ(shown_unit("N", 0, 3e6).unit, "MN");
  EXPECT_EQ(shown_unit("N m", 0, 2).unit, "N·m");
  EXPECT_EQ(shown_unit("m/s^2", 0, 40000).unit, "km/s²");
  EXPECT_EQ(shown_unit("rad/s", 0, 3e5).unit, "10³ rad/s");
  EXPECT_EQ(shown_unit("-", 0, 1.5).unit, "");
  EXPECT_EQ(shown_unit("-", 0, 2e-5).unit, "10⁻⁶");
  EXPECT_EQ(shown_unit("m or rad", 0, 3).unit, "m or rad");
  const ShownUnit mm = shown_unit("m", 0, 0.05);
  EXPECT_DOUBLE_EQ(mm(0.02), 20);
}

TEST(ShownUnit, LeavesACommonPartAwayWhereValuesHardlyDiffer) {
  const ShownUnit shown = shown_unit("m", 0.12, 0.120002);
  EXPECT_EQ(shown.unit, "µm");
  EXPECT_EQ(shown.offset_text, " − 0.12 m");
  EXPECT_NEAR(shown(0.120001), 1, 1e-9);
}

TEST(Ticks, AreRoundNumbersWithinTheAxis) {
  const Ticks ticks = linear_ticks(-1.05, 1.05, 5);
  EXPECT_THAT(ticks.labels, ElementsAre("−1.0", "−0.5", "0.0", "0.5", "1.0"));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-9, 9), share(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const double range = std::pow(10, exponent(random)), low = range * (10 * share(random) - 5);
    const Ticks any = linear_ticks(low, low + range, 6);
    EXPECT_GE(any.at.size(), 2u);
    EXPECT_LE(any.at.size(), 14u);
    for (const double at : any.at) {
      EXPECT_GE(at, low - 1e-9 * range);
      EXPECT_LE(at, low + range * (1 + 1e-9));
    }
    for (std::size_t k = 1; k < any.labels.size(); ++k) EXPECT_NE(any.labels[k], any.labels[k - 1]);
  }
}

TEST(Ticks, OfALogarithmicAxisArePowersOfTen) {
  EXPECT_THAT(logarithmic_ticks(0.5e-3, 2, 6).labels, ElementsAre("10⁻³", "10⁻²", "10⁻¹", "10⁰"));
  EXPECT_THAT(logarithmic_ticks(1e-12, 1, 4).labels, ElementsAre("10⁻¹²", "10⁻⁸", "10⁻⁴", "10⁰"));
  EXPECT_THAT(logarithmic_ticks(1.5, 7, 6).labels, ElementsAre("2·10⁰", "5·10⁰"));
}

TEST(Thinning, KeepsEveryExtremumOfEveryColumn) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise;
  std::vector<Vec2> points;
  for (int i = 0; i < 100000; ++i) points.emplace_back(i * 0.01, noise(random));
  points[777].y() = 50;
  points[31415].y() = -60;
  points[60000].y() = NAN;
  const double column = 2;
  const std::vector<std::size_t> kept = thinned(points, column);
  EXPECT_LT(kept.size(), 4u * 500 + 10);
  EXPECT_TRUE(std::ranges::is_sorted(kept));
  const auto extremes = [&](double c, const auto& indices) {
    std::pair<double, double> found{INFINITY, -INFINITY};
    for (const std::size_t i : indices)
      if (std::floor(points[i].x() / column) == c && std::isfinite(points[i].y())) {
        found.first = std::min(found.first, points[i].y());
        found.second = std::max(found.second, points[i].y());
      }
    return found;
  };
  std::vector<std::size_t> all(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (int c = 0; c < 500; c += 7) EXPECT_EQ(extremes(c, kept), extremes(c, all));
  for (const std::size_t i : {0u, 777u, 31415u, 60000u, 99999u})
    EXPECT_TRUE(std::ranges::find(kept, i) != kept.end()) << i;
}

Chart sine(int rows) {
  ChartSeries series{.name = "sine"};
  for (int i = 0; i < rows; ++i) {
    series.x.push_back(i * 1e-3);
    series.y.push_back(1e-3 * std::sin(i * 0.01));
  }
  return {.x = {.name = "t", .unit = "s"}, .y = {.name = "a.y", .unit = "m"}, .series = {series}};
}

TEST(Chart, NamesItsAxesWithUnits) {
  const std::string svg =
      chart_svg({.title = "A <title>", .notes = {"a note"}, .charts = {sine(5000)}});
  EXPECT_THAT(svg, HasSubstr(">t [s]<"));
  EXPECT_THAT(svg, HasSubstr(">a.y [mm]<"));
  EXPECT_THAT(svg, HasSubstr("A &lt;title&gt;"));
  EXPECT_THAT(svg, HasSubstr("a note"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_EQ(count_of(svg, "<polyline"), 1);
}

TEST(Chart, SaysWhereAnAxisHasNoUnit) {
  Chart chart = sine(50);
  chart.y = {.name = "guide.gap", .unit = "-", .range = std::pair(0.0, 2.0)};
  EXPECT_THAT(chart_svg({.charts = {chart}}), HasSubstr(">guide.gap [–]<"));
}

TEST(Chart, DrawsAMillionRowsInFewBytes) {
  EXPECT_LT(chart_svg({.charts = {sine(1000000)}}).size(), 200000u);
}

TEST(Chart, TellsCurvesApartWithoutColours) {
  Chart chart = sine(100);
  for (int i = 1; i < 5; ++i) {
    chart.series.push_back(chart.series[0]);
    chart.series.back().name = "curve " + std::to_string(i);
  }
  const std::string svg = chart_svg({.charts = {chart}});
  std::set<std::string> looks;
  const std::regex curve("<polyline [^>]*?(stroke-dasharray=\"[^\"]*\")?/>");
  for (std::sregex_iterator i(svg.begin(), svg.end(), curve), end; i != end; ++i)
    looks.insert((*i)[1]);
  EXPECT_EQ(looks.size(), 5u);
  EXPECT_THAT(svg, HasSubstr(">curve 4<"));
}

TEST(Chart, BreaksACurveWhereThereIsNoValue) {
  Chart chart = sine(1000);
  chart.series[0].y[500] = NAN;
  EXPECT_EQ(count_of(chart_svg({.charts = {chart}}), "<polyline"), 2);
}

TEST(Chart, ShowsConstantsAndSinglePoints) {
  Chart chart = sine(3);
  for (const double value : {0.0, 1.0, -1e-300, 1e300}) {
    std::ranges::fill(chart.series[0].y, value);
    const std::string svg = chart_svg({.charts = {chart}});
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << value;
    EXPECT_THAT(svg, Not(HasSubstr("inf"))) << value;
  }
  const std::string one = chart_svg({.charts = {sine(1)}});
  EXPECT_EQ(count_of(one, "<circle"), 1);
  EXPECT_THAT(one, Not(HasSubstr("nan")));
}

TEST(Chart, OnALogarithmicAxisLeavesOutWhatIsNotPositive) {
  Chart chart = sine(1000);
  chart.y.scale = AxisScale::logarithmic;
  EXPECT_THAT(chart_svg({.charts = {chart}}), HasSubstr("10⁻⁴"));
  std::ranges::fill(chart.series[0].y, -1);
  EXPECT_THAT([&] { chart_svg({.charts = {chart}}); },
              ThrowsMessage<InputError>(HasSubstr("'a.y' has no positive value")));
}

TEST(Chart, WithEqualScalesDrawsACircleAsACircle) {
  Chart chart{.x = {.name = "x", .unit = "m"}, .y = {.name = "y", .unit = "m"}};
  chart.equal_scale = true;
  ChartSeries circle{.name = "y"};
  for (int i = 0; i <= 360; ++i) {
    circle.x.push_back(2e-4 * std::cos(i * M_PI / 180));
    circle.y.push_back(2e-4 * std::sin(i * M_PI / 180));
  }
  chart.series = {circle};
  const std::string svg = chart_svg({.charts = {chart}});
  const std::size_t at = svg.find("<polyline points=\"") + 18;
  std::istringstream points(svg.substr(at, svg.find('"', at) - at));
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY, x = 0, y = 0;
  for (char comma = 0; points >> x >> comma >> y;) {
    low_x = std::min(low_x, x);
    high_x = std::max(high_x, x);
    low_y = std::min(low_y, y);
    high_y = std::max(high_y, y);
  }
  EXPECT_GT(high_x - low_x, 50);
  EXPECT_NEAR(high_x - low_x, high_y - low_y, 0.3);
}

}  // namespace
}  // namespace backlash
