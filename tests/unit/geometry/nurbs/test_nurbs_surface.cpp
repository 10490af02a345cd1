// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/nurbs_surface.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/conics.h"

namespace backlash::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

NurbsSurfaceData wavy_sheet() {
  NurbsSurfaceData data;
  data.degree = {3, 2};
  data.size = {5, 4};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 4; ++j) {
      data.points.emplace_back(i, 1.2 * j, std::sin(1.7 * i + j));
      data.weights.push_back(1 + 0.3 * std::cos(i - 2 * j));
    }
  return data;
}

TEST(NurbsSurface, MakesExactSpheresAndTori) {
  const NurbsSurface sphere = sphere_surface(2), torus = torus_surface(3, 0.5);
  for (double u = 0.003; u < 1; u += 0.0471)
    for (double v = 0.003; v < 1; v += 0.0471) {
      const SurfacePoint s = sphere.at(u, v), t = torus.at(u, v);
      EXPECT_NEAR(s.p.norm(), 2, 2e-15);
      EXPECT_NEAR((normal(s) - s.p / 2).norm(), 0, 1e-14);
      for (const double k : principal_curvatures(s)) EXPECT_NEAR(k, 0.5, 1e-11);
      const double r = t.p.head<2>().norm() - 3;
      EXPECT_NEAR(std::hypot(r, t.p.z()), 0.5, 2e-15);
      const auto k = principal_curvatures(t);
      EXPECT_NEAR(k[1], 2, 1e-12);
      EXPECT_NEAR(k[0], r / 0.5 / (3 + r), 1e-12);
    }
}

TEST(NurbsSurface, HasTheDerivativesThatDifferencesShow) {
  const NurbsSurface sheet(wavy_sheet());
  const double h = 1e-5;
  for (double u = 0.02; u < 1; u += 0.0613)
    for (double v = 0.02; v < 1; v += 0.0613) {
      const SurfacePoint at = sheet.at(u, v);
      const SurfacePoint e = sheet.at(u + h, v), w = sheet.at(u - h, v);
      const SurfacePoint n = sheet.at(u, v + h), s = sheet.at(u, v - h);
      const double scale = 1 + at.duu.norm() + at.dvv.norm();
      EXPECT_NEAR(((e.p - w.p) / (2 * h) - at.du).norm(), 0, 1e-8 * scale);
      EXPECT_NEAR(((n.p - s.p) / (2 * h) - at.dv).norm(), 0, 1e-8 * scale);
      EXPECT_NEAR(((e.du - w.du) / (2 * h) - at.duu).norm(), 0, 1e-6 * scale);
      EXPECT_NEAR(((e.dv - w.dv) / (2 * h) - at.duv).norm(), 0, 1e-6 * scale);
      EXPECT_NEAR(((n.du - s.du) / (2 * h) - at.duv).norm(), 0, 1e-6 * scale);
      EXPECT_NEAR(((n.dv - s.dv) / (2 * h) - at.dvv).norm(), 0, 1e-6 * scale);
    }
}

TEST(NurbsSurface, IsThePartOfARevolutionThatWasAskedFor) {
  const NurbsSurface part =
      surface_of_revolution(NurbsCurve<2>(line_curve<2>(Vec2(1, 0), Vec2(2, 1))), 1.3);
  EXPECT_NEAR((part.at(0, 0).p - Vec3(1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((part.at(1, 1).p - Vec3(2 * std::cos(1.3), 2 * std::sin(1.3), 1)).norm(), 0, 1e-15);
  EXPECT_FALSE(part.closed(0));
}

TEST(NurbsSurface, TurnsItsNormalBackwardsAndBecomesAnEllipsoidStretched) {
  const NurbsSurface ball = sphere_surface(2), hole(reversed(ball.data()));
  const Vec3 axes(1, 2, 0.5), middle(3, 0, 1);
  const NurbsSurface ellipsoid(transformed(ball.data(), Vec3(axes / 2).asDiagonal(), middle));
  const double ends = ball.first(0) + ball.last(0);
  for (double u = 0.03; u < 1; u += 0.1)
    for (double v = 0.03; v < 1; v += 0.1) {
      const SurfacePoint at = ball.at(u, v), back = hole.at(ends - u, v);
      EXPECT_LT((at.p - back.p).norm(), 1e-14);
      EXPECT_LT((normal(at) + normal(back)).norm(), 1e-12);
      const SurfacePoint on = ellipsoid.at(u, v);
      const Vec3 r = (on.p - middle).cwiseQuotient(axes);
      EXPECT_NEAR(r.norm(), 1, 1e-14);
      EXPECT_LT((normal(on) - r.cwiseQuotient(axes).normalized()).norm(), 1e-12);
    }
  EXPECT_THROW(transformed(ball.data(), Vec3(1, 1, -1).asDiagonal(), middle), InputError);
}

TEST(NurbsSurface, SaysWhatIsWrongWithItsData) {
  const auto message = [](const NurbsSurfaceData& data, const char* text) {
    EXPECT_THAT([&] { NurbsSurface surface(data, "face"); },
                ThrowsMessage<InputError>(HasSubstr(text)));
  };
  NurbsSurfaceData data = wavy_sheet();
  data.size = {4, 4};
  message(data, "face: a grid of 4 × 4 needs 16 control points, has 20");
  data = wavy_sheet();
  data.weights[3] = -1;
  message(data, "face: weight 4");
  data = wavy_sheet();
  data.degree = {3, 4};
  message(data, "face, parameter v: a spline of degree 4 needs at least 5 control points, has 4");
  data = wavy_sheet();
  data.ends[0] = SplineEnds::closed;
  message(data, "does not meet itself at u = 0");
  data = {};
  data.degree = {1, 1};
  data.size = {3, 2};
  data.points = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1}, {2, 0, 0}, {2, 1, 0}};
  message(data, "face: has an edge at u = 0.5");
}

}  // namespace
}  // namespace backlash::test
