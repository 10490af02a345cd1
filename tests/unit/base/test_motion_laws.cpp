// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/motion_laws.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "backlash/base/expression.h"

namespace backlash::test::motion_laws {
namespace {

constexpr double pi = std::numbers::pi;

/// A law with the largest velocity and acceleration that handbooks give it.
struct Law {
  std::string name;
  double velocity, acceleration;
  int continuity;  ///< so many derivatives are continuous at the ends
};
const Law laws[] = {
    {"harmonic", pi / 2, pi* pi / 2, 1},
    {"cycloidal", 2, 2 * pi, 2},
    {"modified_sine", 4 * pi / (4 + pi), 4 * pi* pi / (4 + pi), 2},
    {"poly_345", 15.0 / 8, 10 / std::sqrt(3.0), 2},
    {"poly_4567", 35.0 / 16, 84 / (5 * std::sqrt(5.0)), 3},
};

Expression of_x(const std::string& name) {
  const std::string_view x = "x";
  return parse_expression(name + "(x)", {&x, 1});
}

TEST(MotionLaws, RiseFromZeroToOneWithThePeaksOfTheHandbook) {
  for (const Law& law : laws) {
    SCOPED_TRACE(law.name);
    const Expression s = of_x(law.name);
    double velocity = 0, acceleration = 0;
    for (int i = 0; i <= 20000; ++i) {
      const double x = i / 20000.0;
      const Jet at = s.jet(x);
      EXPECT_NEAR(at.value + s.at(1 - x), 1, 1e-14) << x;  // the same backwards
      velocity = std::max(velocity, at.first);
      acceleration = std::max(acceleration, std::abs(at.second));
    }
    EXPECT_NEAR(velocity, law.velocity, 1e-7);
    EXPECT_NEAR(acceleration, law.acceleration, 2e-7 * 100);
  }
}

TEST(MotionLaws, AreLevelBeforeAndAfterAndAsSmoothAsTheySay) {
  for (const Law& law : laws) {
    SCOPED_TRACE(law.name);
    const Expression s = of_x(law.name);
    EXPECT_EQ(s.at(-0.3), 0);
    EXPECT_EQ(s.at(1.7), 1);
    const Jet start = s.jet(1e-7);
    EXPECT_NEAR(start.first, 0, 1e-5);
    if (law.continuity >= 2)
      EXPECT_NEAR(start.second, 0, 1e-4);
    else
      EXPECT_NEAR(start.second, law.acceleration, 1e-6);
  }
  for (const double x : {0.125, 0.875}) {  // where the modified sine is put together
    const Jet before = of_x("modified_sine").jet(x - 1e-9),
              after = of_x("modified_sine").jet(x + 1e-9);
    EXPECT_NEAR(before.value, after.value, 1e-8);
    EXPECT_NEAR(before.first, after.first, 1e-7);
    EXPECT_NEAR(before.second, after.second, 1e-6);
  }
}

}  // namespace
}  // namespace backlash::test::motion_laws
