// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/surface_fit.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/distance.h"

namespace backlash::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using std::numbers::pi;
constexpr double R = 3, r = 1;  // of the torus

Vec3 on_torus(double around, double tube, double off = 0) {
  const double out = R + (r + off) * std::cos(tube);
  return {out * std::cos(around), out * std::sin(around), (r + off) * std::sin(tube)};
}
double distance_from_torus(const Vec3& p) {
  return std::hypot(std::hypot(p.x(), p.y()) - R, p.z()) - r;
}

/// A grid with its points.
struct Grid {
  std::array<int, 2> size;
  std::vector<Vec3> points{};
  operator PointGrid() const { return {size, points}; }
};

template <class PointAt>
Grid grid(int rows, int columns, PointAt point_at) {
  Grid all{{rows, columns}};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) all.points.push_back(point_at(i, j));
  return all;
}

Grid torus_points(int rows, int columns, double noise = 0) {
  return grid(rows, columns, [&](int i, int j) {
    return on_torus(2 * pi * i / rows, 2 * pi * j / columns,
                    noise * std::sin(17.0 * i * i + 5 * j));
  });
}

/// Open both ways, at uneven places.
Grid hill(int rows, int columns) {
  return grid(rows, columns, [&](int i, int j) {
    const double x = (i + 0.2 * std::sin(2.0 * i)) / rows,
                 y = (j + 0.2 * std::sin(3.0 * j)) / columns;
    return Vec3(x, 2 * y, 0.3 * std::exp(-4 * (x - 0.4) * (x - 0.4) - 3 * y * y));
  });
}

constexpr FitAxis open(int degree, int control_points = 0) {
  return {degree, SplineEnds::open, control_points};
}
constexpr FitAxis periodic(int degree, int control_points = 0) {
  return {degree, SplineEnds::periodic, control_points};
}

/// The largest distance of a torus' surface from a torus, from samples.
double worst_of_torus(const NurbsSurface& surface) {
  double worst = 0;
  for (int i = 0; i < 97; ++i)
    for (int j = 0; j < 89; ++j) {
      const double u = surface.first(0) + (surface.last(0) - surface.first(0)) * i / 97;
      const double v = surface.first(1) + (surface.last(1) - surface.first(1)) * j / 89;
      worst = std::max(worst, std::abs(distance_from_torus(surface.at(u, v).p)));
    }
  return worst;
}

TEST(SurfaceFit, GoesThroughItsPointsWithTheContinuityItSays) {
  for (const int p : {2, 3, 5})
    for (const int q : {2, 3, 4}) {
      SCOPED_TRACE(testing::Message() << p << " " << q);
      const SurfaceFit flat = interpolated_surface(hill(12, 9), {open(p), open(q)});
      EXPECT_LT(flat.max_deviation, 1e-13);
      EXPECT_EQ(flat.continuity, (std::array{p - 1, q - 1}));
      EXPECT_FALSE(flat.surface.closed(0) || flat.surface.closed(1));
      const SurfaceFit round =
          interpolated_surface(torus_points(25, 17), {periodic(p), periodic(q)});
      EXPECT_LT(round.max_deviation, 1e-13);
      EXPECT_EQ(round.continuity, (std::array{p - 1, q - 1}));
      EXPECT_TRUE(round.surface.closed(0) && round.surface.closed(1));
      EXPECT_LT(worst_of_torus(round.surface), 0.02);
    }
}

TEST(SurfaceFit, ConvergesWithTheOrderOfItsDegree) {
  const auto error = [](int count) {
    return worst_of_torus(
        interpolated_surface(torus_points(2 * count, count), {periodic(3), periodic(3)}).surface);
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.15);
}

TEST(SurfaceFit, SmoothsNoiseAndSaysHowMuch) {
  const Grid points = torus_points(60, 40, 1e-3);
  const SurfaceFit fit = fitted_surface(points, {periodic(3, 20), periodic(3, 14)});
  EXPECT_EQ(fit.continuity, (std::array{2, 2}));
  EXPECT_LT(worst_of_torus(fit.surface), 1.5e-3);
  double worst = 0;  // the largest distance of a point, by a search of its own
  const SurfaceBoundary boundary(fit.surface);
  for (const Vec3& p : points.points)
    worst =
        std::max(worst, std::abs(closest(Placed<3>{boundary, {}}, SolidBall<3>{p, 0}).pair.gap));
  EXPECT_NEAR(fit.max_deviation, worst, 1e-12);
  EXPECT_GT(fit.max_deviation, 5e-4);
  EXPECT_LT(fit.max_deviation, 2e-3);
}

/// Sums of squares of the points' distances are as small as those of any other control points.
TEST(SurfaceFit, IsClosestInTheMeanOfSquares) {
  const Grid points = hill(20, 16);
  const SurfaceFit fit = fitted_surface(points, {open(3, 7), open(3, 6)});
  const auto squares = [&](const NurbsSurface& surface) {
    const SurfaceBoundary boundary(surface);
    double sum = 0;
    for (const Vec3& p : points.points)
      sum += std::pow(closest(Placed<3>{boundary, {}}, SolidBall<3>{p, 0}).pair.gap, 2);
    return sum;
  };
  const double least = squares(fit.surface);
  for (const std::size_t k : {10u, 20u, 29u})
    for (const double change : {1e-2, -1e-2}) {
      NurbsSurfaceData data = fit.surface.data();
      data.points[k].z() += change;
      EXPECT_GT(squares(NurbsSurface(data)), least) << k;
    }
}

TEST(SurfaceFit, OfMoreControlPointsIsCloser) {
  double before = INFINITY;
  for (const int n : {5, 8, 12}) {
    const SurfaceFit fit = fitted_surface(hill(24, 24), {open(3, n), open(3, n)});
    EXPECT_LT(fit.max_deviation, 0.5 * before) << n;
    before = fit.max_deviation;
  }
}

TEST(SurfaceFit, OfAPlaneIsThePlane) {
  const Grid points = grid(9, 7, [](int i, int j) {
    const double x = i + 0.3 * std::sin(i), y = 2 * j + 0.4 * std::cos(j);
    return Vec3(x, y, 1 + 2 * x - 3 * y);
  });
  const SurfaceFit fit = fitted_surface(points, {open(3, 5), open(2, 4)});
  EXPECT_LT(fit.max_deviation, 1e-13);
  const Vec3 n = Vec3(-2, 3, 1).normalized();
  for (const double u : {0.0, 0.31, 1.0})
    for (const double v : {0.0, 0.67, 1.0})
      EXPECT_NEAR(normal(fit.surface.at(u, v)).dot(n), 1, 1e-13);
}

/// A ball from circles of latitude between two poles, its material inside.
TEST(SurfaceFit, ClosesAtPoles) {
  const auto error = [](int count) {
    const Grid points = grid(2 * count, count + 1, [&](int i, int j) -> Vec3 {
      if (j == 0) return {0, 0, -1};
      if (j == count) return {0, 0, 1};
      const double east = pi * i / count, north = pi * j / count - pi / 2;
      return {std::cos(north) * std::cos(east), std::cos(north) * std::sin(east), std::sin(north)};
    });
    const SurfaceFit fit = interpolated_surface(points, {periodic(3), open(3)});
    EXPECT_LT(fit.max_deviation, 1e-13);
    const SurfaceBoundary boundary(fit.surface);
    EXPECT_TRUE(boundary.edges().empty());
    EXPECT_EQ(boundary.vertices().size(), 2u);
    double worst = 0;
    for (const Vec3& p : {Vec3(2, 0.3, 0.4), Vec3(0.2, 0.1, 2), Vec3(0.5, -1.5, -1)}) {
      const double gap = closest(Placed<3>{boundary, {}}, SolidBall<3>{p, 0.1}).pair.gap;
      worst = std::max(worst, std::abs(gap - (p.norm() - 1.1)));
    }
    return worst;
  };
  EXPECT_LT(error(16), 1e-3);
}

TEST(SurfaceFit, SaysWhatIsWrongWithItsPoints) {
  Grid points = hill(6, 5);
  EXPECT_THAT([&] { interpolated_surface(hill(3, 6)); },
              ThrowsMessage<InputError>(
                  HasSubstr("a surface, along u, of degree 3 needs at least 4 control points")));
  EXPECT_THAT(
      [&] {
        fitted_surface(points, {open(3, 5), open(3, 6)});
      },
      ThrowsMessage<InputError>(
          HasSubstr("6 control points for a surface, along v, near 5 points")));
  EXPECT_THAT(
      [&] {
        interpolated_surface({{6, 4}, points.points});
      },
      ThrowsMessage<InputError>(HasSubstr("a grid of 6 × 4 points for a surface has 30")));
  EXPECT_THAT(
      [&] {
        interpolated_surface(points, {FitAxis{3, SplineEnds::closed}, open(3)});
      },
      ThrowsMessage<InputError>(HasSubstr("open or periodic")));
  for (int j = 0; j < 5; ++j) points.points[at(j)] = points.points[0];
  EXPECT_THAT(
      [&] {
        fitted_surface(points, {open(3, 5), open(3)});
      },
      ThrowsMessage<InputError>(HasSubstr("has a pole at an end of u")));
  points = hill(6, 5);
  points.points[8] = points.points[7];
  EXPECT_THAT([&] { interpolated_surface(points); },
              ThrowsMessage<InputError>(HasSubstr(
                  "points 3 and 4 along v of a surface are the same, at the 2-th place along u")));
  points.points[8].x() = NAN;
  EXPECT_THAT([&] { interpolated_surface(points); },
              ThrowsMessage<InputError>(HasSubstr("point 9 of a surface")));
}

}  // namespace
}  // namespace backlash::test
