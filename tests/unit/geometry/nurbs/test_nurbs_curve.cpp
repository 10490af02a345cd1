// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/nurbs_curve.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/conics.h"
#include "unit/geometry/nurbs/cam_profiles.h"

namespace backlash::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using std::numbers::pi;

/// Cox's and de Boor's definition, word for word.
long double basis(const std::vector<double>& knots, std::size_t i, int p, long double u) {
  if (p == 0) return knots[i] <= u && u < knots[i + 1] ? 1 : 0;
  const std::size_t q = static_cast<std::size_t>(p);
  const long double left = static_cast<long double>(knots[i + q]) - knots[i];
  const long double right = static_cast<long double>(knots[i + q + 1]) - knots[i + 1];
  long double sum = 0;
  if (left > 0) sum += (u - knots[i]) / left * basis(knots, i, p - 1, u);
  if (right > 0) sum += (knots[i + q + 1] - u) / right * basis(knots, i + 1, p - 1, u);
  return sum;
}

/// A curve of any degree with uneven knots, one of them double, and weights.
NurbsCurveData<2> uneven_curve(int degree) {
  NurbsCurveData<2> data{.degree = degree};
  const int n = degree + 5;
  for (int i = 0; i < n; ++i) {
    data.points.emplace_back(std::cos(0.4 * i), 0.3 * i + std::sin(1.3 * i));
    data.weights.push_back(1 + 0.4 * std::sin(2.1 * i));
  }
  data.knots.assign(static_cast<std::size_t>(degree + 1), -1);
  for (const double knot : {-0.2, 0.1, degree == 1 ? 0.3 : 0.1, 0.9}) data.knots.push_back(knot);
  data.knots.insert(data.knots.end(), static_cast<std::size_t>(degree + 1), 2);
  return data;
}

TEST(NurbsCurve, IsWhatItsDefinitionSaysForEveryDegree) {
  for (int degree = 1; degree <= nurbs::max_degree; ++degree) {
    SCOPED_TRACE(degree);
    const NurbsCurveData<2> data = uneven_curve(degree);
    const NurbsCurve<2> curve(data);
    for (double u = -1; u < 2; u += degree < 8 ? 0.0371 : 0.371) {
      long double x = 0, y = 0, w = 0;
      for (std::size_t i = 0; i < data.points.size(); ++i) {
        const long double N = data.weights[i] * basis(data.knots, i, degree, u);
        x += N * data.points[i].x();
        y += N * data.points[i].y();
        w += N;
      }
      EXPECT_NEAR(curve.at(u).p.x(), static_cast<double>(x / w), 3e-15 * (degree + 2));
      EXPECT_NEAR(curve.at(u).p.y(), static_cast<double>(y / w), 1e-14 * (degree + 2));
    }
  }
}

TEST(NurbsCurve, HasBasisFunctionsThatSumUpToOne) {
  for (int degree = 1; degree <= nurbs::max_degree; ++degree)
    for (const SplineEnds ends : {SplineEnds::open, SplineEnds::periodic}) {
      const NurbsCurveData<2> data = uneven_curve(degree);
      const int n = static_cast<int>(data.points.size());
      const nurbs::SplineAxis axis = nurbs::spline_axis(
          degree, n, ends == SplineEnds::open ? data.knots : std::vector<double>{}, ends, "curve");
      for (double f = 0; f <= 1; f += 1.0 / 128) {
        const double u = axis.first() + f * (axis.last() - axis.first());
        const Vector N = nurbs::basis_functions(axis, nurbs::span_at(axis, u), u);
        EXPECT_NEAR(N.sum(), 1, 4e-16 * (degree + 1));
        EXPECT_GE(N.minCoeff(), -1e-16);
      }
    }
}

TEST(NurbsCurve, HasTheDerivativesThatDifferencesShow) {
  for (const int degree : {1, 2, 3, 5, 9}) {
    const NurbsCurve<2> curve(uneven_curve(degree));
    for (double u = -0.93; u < 1.95; u += 0.0637) {
      const double h = 1e-5;
      const CurvePoint<2> at = curve.at(u), before = curve.at(u - h), after = curve.at(u + h);
      EXPECT_NEAR(((after.p - before.p) / (2 * h) - at.d).norm(), 0, 1e-7 * (1 + at.dd.norm()));
      EXPECT_NEAR(((after.d - before.d) / (2 * h) - at.dd).norm(), 0, 1e-5 * (1 + at.dd.norm()));
    }
  }
}

TEST(NurbsCurve, IsTheSameWithRepeatedPointsAsPeriodic) {
  NurbsCurveData<2> full = cam_1();
  full.ends = SplineEnds::closed;
  full.knots.clear();
  for (int i = 0; i < 15; ++i) full.knots.push_back(i);
  for (std::size_t i = 0; i < 3; ++i) {
    full.points.push_back(full.points[i]);
    full.weights.push_back(full.weights[i]);
  }
  const NurbsCurve<2> a(full), b(cam_1());
  EXPECT_EQ(b.first(), 3);
  EXPECT_EQ(b.last(), 11);
  EXPECT_EQ(b.continuity(), 2);
  for (double u = 3; u <= 11; u += 0.01) {
    EXPECT_NEAR((a.at(u).p - b.at(u).p).norm(), 0, 1e-16);
    EXPECT_NEAR((b.at(u + 8).p - b.at(u).p).norm(), 0, 5e-16);  // u + 8 is rounded
  }
  EXPECT_NEAR((b.at(3).dd - b.at(11 - 1e-13).dd).norm(), 0, 1e-11);  // smooth across the seam
}

TEST(NurbsCurve, IsTheSameBackwardsAlsoWhereItsKnotsAreUneven) {
  NurbsCurveData<2> data{.degree = 3, .ends = SplineEnds::periodic};
  data.points = {{1, 0}, {0.8, 0.9}, {-0.2, 1.1}, {-1, 0.1}, {-0.4, -0.8}, {0.6, -0.9}};
  data.weights = {1, 2, 1, 0.5, 1, 1};
  data.knots = {0, 0.3, 1.5, 2, 3.7, 4, 5};
  const NurbsCurve<2> forwards(data), backwards(reversed(data));
  for (double u = 0; u < 5; u += 0.21) {
    EXPECT_LT((backwards.at(5 - u).p - forwards.at(u).p).norm(), 1e-14) << u;
    EXPECT_LT((backwards.at(5 - u).d + forwards.at(u).d).norm(), 1e-13) << u;
  }
}

TEST(NurbsCurve, MakesExactCirclesEllipsesArcsAndLines) {
  const NurbsCurve<2> circle(circle_curve({0, 0}, 1));
  const NurbsCurve<2> ellipse(ellipse_curve({0.3, -0.2}, 2, 0.5, 0.4));
  const NurbsCurve<2> arc(circular_arc({0, 0}, 1, 0.3, -4.1));
  EXPECT_TRUE(circle.closed());
  EXPECT_FALSE(arc.closed());
  for (double u = 0; u <= 1; u += 1.0 / 2048) {
    EXPECT_NEAR(circle.at(u).p.norm(), 1, 1e-15);
    EXPECT_NEAR(arc.at(u).p.norm(), 1, 1e-15);
    EXPECT_NEAR(curvature(circle.at(u)), 1, 2e-14);
    EXPECT_NEAR(curvature(arc.at(u)), -1, 2e-14);
    EXPECT_NEAR((normal(circle.at(u)) - circle.at(u).p).norm(), 0, 2e-15);
    const Vec2 q = ellipse.at(u).p - Vec2(0.3, -0.2);
    const double x = (std::cos(0.4) * q.x() + std::sin(0.4) * q.y()) / 2;
    const double y = (-std::sin(0.4) * q.x() + std::cos(0.4) * q.y()) / 0.5;
    EXPECT_NEAR(std::hypot(x, y), 1, 1e-15);
  }
  EXPECT_NEAR(std::atan2(arc.at(1).p.y(), arc.at(1).p.x()), 0.3 - 4.1 + 2 * pi, 1e-15);
  EXPECT_NEAR(signed_area(circle), pi, 1e-13);
  EXPECT_NEAR(signed_area(NurbsCurve<2>(reversed(circle_curve({3, 1}, 2)))), -4 * pi, 1e-12);
  EXPECT_NEAR(arc_length(arc, 0, 1), 4.1, 1e-13);
  const NurbsCurve<3> line(line_curve<3>(Vec3(1, 2, 3), Vec3(2, 4, 5)));
  EXPECT_EQ(line.at(0.25).p, Vec3(1.25, 2.5, 3.5));
  EXPECT_EQ(line.at(0.25).dd, Vec3::Zero());
  EXPECT_EQ(line.at(7).p, Vec3(2, 4, 5));  // an open curve stays at its end
  EXPECT_NEAR(arc_length(line, 0, 1), 3, 1e-15);
}

TEST(NurbsCurve, HasTheCurvatureOfAnEllipse) {
  const NurbsCurve<2> ellipse(ellipse_curve({0, 0}, 2, 1));
  for (double u = 0; u < 1; u += 0.013) {
    const CurvePoint<2> at = ellipse.at(u);
    const double s = at.p.y(), c = at.p.x() / 2;  // of the eccentric angle
    EXPECT_NEAR(curvature(at), 2 / std::pow(4 * s * s + c * c, 1.5), 1e-13);
  }
  const NurbsCurve<3> circle({.degree = 2,
                              .points = {{0, 0, 2}, {0, 2, 2}, {0, 2, 0}},
                              .weights = {1, std::sqrt(0.5), 1}});
  EXPECT_NEAR(curvature(circle.at(0.4)), 0.5, 1e-14);
}

TEST(NurbsCurve, SaysWhatIsWrongWithItsData) {
  const auto message = [](NurbsCurveData<2> data, const char* text) {
    EXPECT_THAT([&] { NurbsCurve<2> curve(data, "profile 'cam'"); },
                ThrowsMessage<InputError>(HasSubstr(text)));
  };
  NurbsCurveData<2> data{.degree = 2, .points = {{0, 0}, {1, 0}, {1, 1}}};
  EXPECT_NO_THROW(NurbsCurve<2>{data});
  data.degree = 3;
  message(data, "profile 'cam': a spline of degree 3 needs at least 4 control points, has 3");
  data.degree = 16;
  message(data, "profile 'cam': degree must lie in [1, 15], is 16");
  data.degree = 2;
  data.weights = {1, 0, 1};
  message(data, "profile 'cam': weight 2");
  data.weights = {1, 1};
  message(data, "2 weights for 3 control points");
  data.weights.clear();
  data.knots = {0, 0, 0, 1, 1};
  message(data, "3 control points and degree 2 need 6 knots, there are 5");
  data.knots = {0, 0, 0.5, 0.4, 1, 1};
  message(data, "knots must not decrease, but 0.4 follows 0.5");
  data.knots = {0, 0, 0, 0, 0, 0};
  message(data, "leave no range");
  data.knots = {0, 0, 0, 1, 1, NAN};
  message(data, "knot 6");
  data.knots.clear();
  data.points[1] = {NAN, 0};
  message(data, "control point 2");
  data.points[1] = {0, 0};
  message(data, "has no direction at the parameter 0");
  data.points = {{1, 1}, {1, 1}, {1, 1}};
  message(data, "all control points are the same");
  data.points = {{0, 0}, {1, 0}, {1, 1}};
  data.ends = SplineEnds::closed;
  message(data, "is said to be closed");
  data.ends = SplineEnds::periodic;
  data.knots = {0, 1, 2};
  message(data, "need 4 knots of one period, there are 3");
  data.knots = {};
  data.points.pop_back();
  message(data, "a periodic spline of degree 2 needs at least 3 control points, has 2");
  message({.degree = 2,
           .points = {{0, 0}, {1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 1}},
           .knots = {0, 0, 0, 1, 1, 1, 2, 2, 2}},
          "knot 1 occurs 3 times, at most 2 are possible inside");
  EXPECT_THAT(
      [] {
        circular_arc({0, 0}, -1, 0, 1);
      },
      ThrowsMessage<InputError>(HasSubstr("arc: radius")));
}

}  // namespace
}  // namespace backlash::test
