// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/step_quadrature.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace backlash::test {
namespace {

/// The ends of steps that grow and shrink [s].
constexpr double ends[] = {0, 0.1, 0.25, 0.3, 0.7, 0.75, 1.5, 1.6, 1.65, 1.9, 2.0};

/// 1, t, t², …
Vector powers(double t, int count) {
  Vector result(count);
  for (int k = 0; k < count; ++k) result[k] = std::pow(t, k);
  return result;
}

TEST(StepQuadrature, IsExactForPolynomialsOfOneDegreeLessThanPoints) {
  constexpr int most = 8;
  StepQuadrature quadrature;
  for (const double t : ends) quadrature.add(t, powers(t, most));
  for (int points = 1; points <= most; ++points)
    for (const auto& [from, to] : {std::pair{1.9, 2.0}, {1.9, 1.93}, {1.95, 2.0}}) {
      Vector gained;
      quadrature.integrate(from, to, points, gained);
      for (int k = 0; k < points; ++k) {
        const double exact = (std::pow(to, k + 1) - std::pow(from, k + 1)) / (k + 1);
        EXPECT_NEAR(gained[k], exact, 1e-12 * exact) << points << " points, t^" << k;
      }
    }
}

TEST(StepQuadrature, TakesTheValuesThereAreAfterABeginning) {
  StepQuadrature quadrature;
  for (const double t : ends) quadrature.add(t, powers(t, 2));
  quadrature.clear();
  EXPECT_TRUE(quadrature.empty());
  quadrature.add(3, powers(3, 2));
  quadrature.add(4, powers(4, 2));
  Vector gained;
  quadrature.integrate(3, 4, 5, gained);
  EXPECT_NEAR(gained[0], 1, 1e-15);
  EXPECT_NEAR(gained[1], 3.5, 1e-15);
}

TEST(StepQuadrature, BeginsSingleFunctionsAtTheLastEndFromZero) {
  StepQuadrature quadrature;
  quadrature.add(0, Vector::Constant(2, 5));
  quadrature.add(1, Vector::Constant(2, 5));
  quadrature.replace_last(Vector::Constant(3, 5), 1, 2);
  Vector gained;
  quadrature.integrate(0, 1, 2, gained);
  EXPECT_NEAR(gained[0], 5, 1e-15);
  EXPECT_NEAR(gained[1], 2.5, 1e-15);  // a straight line from 0 to 5
  EXPECT_NEAR(gained[2], 2.5, 1e-15);
}

/// A force (1 − t)² that ends at t = 1, inside of the last step: the polynomial through the
/// zero behind would be negative before it.
TEST(StepQuadrature, EndsAStepThatWasCutWithTheValuesThere) {
  StepQuadrature quadrature;
  for (const double t : {0.0, 0.3, 0.6, 0.99, 1.3})
    quadrature.add(t, Vector::Constant(1, std::pow(std::max(0.0, 1 - t), 2)));
  Vector gained;
  quadrature.integrate(0.99, 1, 5, gained);
  EXPECT_LT(gained[0], 0);
  for (int repeated = 0; repeated < 2; ++repeated) {  // it is as it was afterwards
    quadrature.integrate_cut(0.99, 1, 5, 1, Vector::Zero(1), gained);
    EXPECT_NEAR(gained[0], std::pow(0.01, 3) / 3, 1e-16);
  }
}

}  // namespace
}  // namespace backlash::test
