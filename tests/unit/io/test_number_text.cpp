// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/number_text.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace backlash::test_number_text {
namespace {

std::string text_of(double value) {
  TextBuffer text(0);
  text.put(value);
  return std::string(text.text());
}

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(text_of(0), "0");
  EXPECT_EQ(text_of(-0.0), "-0");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(-0.0001), "-0.0001");
  EXPECT_EQ(text_of(0.00001), "1e-05");
  EXPECT_EQ(text_of(1e15), "1000000000000000");
  EXPECT_EQ(text_of(1.5e16), "1.5e+16");
  EXPECT_EQ(text_of(123.25), "123.25");
  EXPECT_EQ(text_of(1e300), "1e+300");
}

/// Random bits, powers of two, whole numbers, and what is rounded to few digits.
TEST(NumberText, IsThatOfFmtForAllNumbers) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto compare = [](double value) { ASSERT_EQ(text_of(value), fmt::format("{}", value)); };
  for (int i = 0; i < 100000; ++i) {
    compare(std::bit_cast<double>(random()));
    compare(normal(random) * std::pow(10, static_cast<int>(random() % 40) - 20));
    compare(static_cast<double>(random() >> (random() % 64)));
    compare(static_cast<double>(random() % 1000000) / 1000);
  }
  for (int e = -1074; e < 1024; ++e) compare(std::ldexp(1.0, e));
  compare(std::numeric_limits<double>::max());
  compare(std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace backlash::test_number_text
