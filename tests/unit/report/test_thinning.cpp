// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/report/thinning.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backlash {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;

/// Rows whose value is above, or below, both neighbours.
Rows strict_extrema(const std::vector<double>& v) {
  Rows rows;
  for (std::uint32_t i = 1; i + 1 < v.size(); ++i)
    if ((v[i] - v[i - 1]) * (v[i + 1] - v[i]) < 0) rows.push_back(i);
  return rows;
}

TEST(Thinning, KeepsAllOfAShortRun) {
  const std::vector<double> v{3, 1, 2, 2};
  EXPECT_EQ(thinned(v, {.points = 4}).rows, (Rows{0, 1, 2, 3}));
}

TEST(Thinning, KeepsEveryExtremumOfASmoothChannelBothEndsOfPlateausAndWhatItMust) {
  std::vector<double> v;
  for (int i = 0; i < 100000; ++i) v.push_back(std::sin(0.01 * i) + 0.3 * std::sin(0.037 * i));
  std::fill(v.begin() + 500, v.begin() + 600, 7.0);  // a plateau above all
  const Rows always{11, 23456};
  const ThinnedRows kept = thinned(v, {.points = 4000, .always = always});
  EXPECT_TRUE(kept.every_extremum);
  EXPECT_LT(kept.rows.size(), 5000u);
  EXPECT_THAT(kept.rows, IsSupersetOf(strict_extrema(v)));
  EXPECT_THAT(kept.rows, IsSupersetOf({0u, 500u, 599u, 11u, 23456u, 99999u}));
  EXPECT_TRUE(std::ranges::is_sorted(kept.rows));
}

TEST(Thinning, OfANoisyChannelKeepsTheExtremesOfEqualParts) {
  std::vector<double> v;
  unsigned random = 1;
  for (int i = 0; i < 90000; ++i) v.push_back((random = random * 1664525u + 1013904223u) % 1000);
  v[4711] = 5000;  // a peak of one row
  v[4712] = -5000;
  const ThinnedRows kept = thinned(v, {.points = 3000});
  EXPECT_FALSE(kept.every_extremum);
  EXPECT_LT(kept.rows.size(), 4000u);
  EXPECT_THAT(kept.rows, IsSupersetOf({4711u, 4712u}));
  constexpr std::uint32_t parts = 1000, length = 90000 / parts;
  for (std::uint32_t b = 0; b < parts; ++b) {
    const auto from = v.begin() + b * length;
    const auto [low, high] = std::minmax_element(from, from + length);
    double least = INFINITY, largest = -INFINITY;
    for (const std::uint32_t row : kept.rows)
      if (row / length == b) {
        least = std::min(least, v[row]);
        largest = std::max(largest, v[row]);
      }
    ASSERT_EQ(least, *low);
    ASSERT_EQ(largest, *high);
  }
}

TEST(Thinning, KeepsWhereValuesAreMissingFrom) {
  std::vector<double> v(10000, 1.0);
  std::fill(v.begin() + 3001, v.begin() + 3005, NAN);
  EXPECT_THAT(thinned(v, {.points = 100}).rows, IsSupersetOf({3000u, 3001u, 3004u, 3005u}));
}

TEST(Thinning, SpreadsFramesEvenlyInTimeAndPutsTwoAroundEachImpact) {
  std::vector<double> t{0};
  while (t.size() < 50000) t.push_back(t.back() + (t.size() % 7 == 0 ? 1e-3 : 1e-5));
  const std::vector<double> impacts{0.0123456, 1.5, t.back()};
  const Rows rows = spread_rows(t, impacts, 2000);
  EXPECT_LE(rows.size(), 2000u);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 49999u);
  for (const double impact : impacts) {
    const auto after = static_cast<std::uint32_t>(std::ranges::lower_bound(t, impact) - t.begin());
    EXPECT_THAT(rows, Contains(after));
    EXPECT_THAT(rows, Contains(after - 1));
  }
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_LT(t[rows[i]] - t[rows[i - 1]], 2 * t.back() / 1900 + 1e-3);
}

}  // namespace
}  // namespace backlash
