// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/curve_fit.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Points of a smooth closed shape, at uneven angles.
std::vector<Vec2> bean(int count, double noise = 0) {
  std::vector<Vec2> points;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.2 * std::sin(3.0 * i)) / count;
    const double r = 1 + 0.3 * std::cos(2 * angle) + noise * std::sin(17.0 * i * i);
    points.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return points;
}

TEST(CurveFit, GoesThroughItsPointsWithTheContinuityItSays) {
  for (const int degree : {2, 3, 4, 5})
    for (const SplineEnds ends : {SplineEnds::open, SplineEnds::periodic}) {
      SCOPED_TRACE(degree);
      const std::vector<Vec2> points = bean(40);
      const CurveFit<2> fit = interpolated_curve<2>(points, degree, ends);
      EXPECT_LT(fit.max_deviation, 1e-13);
      EXPECT_EQ(fit.continuity, degree - 1);
      EXPECT_EQ(fit.curve.closed(), ends == SplineEnds::periodic);
      for (double u = 0.01; u < 1; u += 0.03) {  // between the points it is close to the shape
        const Vec2 p = fit.curve.at(u).p;
        const double angle = std::atan2(p.y(), p.x());
        if (ends == SplineEnds::periodic) {
          EXPECT_NEAR(p.norm(), 1 + 0.3 * std::cos(2 * angle), degree == 2 ? 0.02 : 0.005);
        }
      }
    }
}

TEST(CurveFit, ConvergesWithTheOrderOfItsDegree) {
  const auto error = [](int count) {
    std::vector<Vec2> points;
    for (int i = 0; i < count; ++i) points.push_back(unit_vector(2 * std::numbers::pi * i / count));
    const CurveFit<2> fit = interpolated_curve<2>(points, 3, SplineEnds::periodic);
    double worst = 0;
    for (double u = 0; u < 1; u += 1e-3)
      worst = std::max(worst, std::abs(fit.curve.at(u).p.norm() - 1));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.1);
}

TEST(CurveFit, SmoothsNoiseAndSaysHowMuch) {
  const std::vector<Vec2> points = bean(200, 1e-3);
  const CurveFit<2> fit = fitted_curve<2>(points, 20, 3, SplineEnds::periodic);
  EXPECT_EQ(fit.continuity, 2);
  EXPECT_GT(fit.max_deviation, 5e-4);
  EXPECT_LT(fit.max_deviation, 3e-3);
  double worst = 0;  // the largest distance, by brute force
  for (const Vec2& p : points) {
    double nearest = INFINITY;
    for (double u = 0; u < 1; u += 1e-4)
      nearest = std::min(nearest, (fit.curve.at(u).p - p).norm());
    worst = std::max(worst, nearest);
  }
  EXPECT_LE(fit.max_deviation, worst);
  EXPECT_NEAR(fit.max_deviation, worst, 5e-5);  // of the samples
  for (double u = 0; u < 1; u += 0.01) {
    const Vec2 p = fit.curve.at(u).p;
    EXPECT_NEAR(p.norm(), 1 + 0.3 * std::cos(2 * std::atan2(p.y(), p.x())), 2e-3);
  }
}

TEST(CurveFit, FitsOpenCurvesInSpace) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 100; ++i)
    points.emplace_back(std::cos(0.05 * i), std::sin(0.05 * i), 0.02 * i);
  EXPECT_LT(fitted_curve<3>(points, 25, 3, SplineEnds::open).max_deviation, 1e-4);
  EXPECT_LT(fitted_curve<3>(points, 25, 5, SplineEnds::open).max_deviation, 1e-6);
}

TEST(CurveFit, SaysWhatIsWrongWithItsPoints) {
  std::vector<Vec2> points = bean(5);
  EXPECT_THAT([&] { interpolated_curve<2>(std::span(points).first(3), 3, SplineEnds::open); },
              ThrowsMessage<InputError>(HasSubstr("needs at least 4")));
  EXPECT_THAT([&] { fitted_curve<2>(points, 6, 3, SplineEnds::open); },
              ThrowsMessage<InputError>(HasSubstr("6 control points for a curve near 5 points")));
  EXPECT_THAT([&] { interpolated_curve<2>(points, 3, SplineEnds::closed); },
              ThrowsMessage<InputError>(HasSubstr("open or periodic")));
  points[2] = points[1];
  EXPECT_THAT([&] { interpolated_curve<2>(points, 3, SplineEnds::open); },
              ThrowsMessage<InputError>(HasSubstr("points 2 and 3 of a curve are the same")));
}

}  // namespace
}  // namespace backlash::test
