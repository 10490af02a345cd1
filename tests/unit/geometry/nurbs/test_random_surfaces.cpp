// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "backlash/geometry/nurbs/distance.h"
#include "unit/geometry/nurbs/uniform.h"

/// Random ellipsoids, as surfaces with two poles each, against their support functions: the gap of
/// two convex bodies is the largest of u · (c_B − c_A) − |M_Aᵀ u| − |M_Bᵀ u| over all unit vectors
/// u.
namespace backlash::test {
namespace {

struct Ellipsoid {
  Mat3 M;  ///< of the unit ball
  SurfaceBoundary surface;

  explicit Ellipsoid(const Mat3& matrix)
      : M(matrix),
        surface(NurbsSurface(transformed(sphere_surface(1).data(), matrix, Vec3::Zero()))) {}
  double support(const Vec3& u) const { return (M.transpose() * u).norm(); }
};

Vec3 random_direction(Uniform& random) {
  const double angle = random(-std::numbers::pi, std::numbers::pi), z = random(-1, 1);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Mat3 random_rotation(Uniform& random) {
  return Eigen::AngleAxisd(random(0, std::numbers::pi), random_direction(random))
      .toRotationMatrix();
}

Ellipsoid random_ellipsoid(Uniform& random) {
  const Vec3 axes(random(0.4, 1.2), random(0.4, 1.2), random(0.4, 1.2));
  return Ellipsoid(random_rotation(random) * axes.asDiagonal());
}

/// The largest value over all directions, by steps along a circle each way that are halved.
template <class Value>
double largest_over_directions(Vec3 u, const Value& value) {
  double best = value(u);
  for (double step = 0.3; step > 1e-9;) {
    const Vec3 t = u.unitOrthogonal(), s = u.cross(t);
    bool better = false;
    for (const Vec3& way : {t, s, Vec3(-t), Vec3(-s)}) {
      const Vec3 next = (u + step * way).normalized();
      if (!(value(next) > best)) continue;
      best = value(next);
      u = next;
      better = true;
      break;
    }
    if (!better) step *= 0.5;
  }
  return best;
}

/// How far along d a body has to be for a gap, which grows with it.
template <class GapAt>
double distance_for(double gap, const GapAt& gap_at) {
  double lower = 0, upper = 10;
  while (upper - lower > 1e-15 * upper && 0.5 * (lower + upper) > lower) {
    const double middle = 0.5 * (lower + upper);
    if (middle <= lower || middle >= upper) break;
    (gap_at(middle) < gap ? lower : upper) = middle;
  }
  return upper;
}

constexpr double gaps[] = {0.5, 0.01, 0, -0.02};

TEST(RandomSurfaces, HaveTheGapOfTheirSupportsToEachOther) {
  Uniform random{std::mt19937(21)};
  for (int trial = 0; trial < 40; ++trial) {
    const Ellipsoid A = random_ellipsoid(random), B = random_ellipsoid(random);
    const Vec3 d = random_direction(random);
    const auto gap_at = [&](double distance) {
      return largest_over_directions(
          d, [&](const Vec3& u) { return distance * d.dot(u) - A.support(u) - B.support(u); });
    };
    const double gap = gaps[trial % 4], distance = distance_for(gap, gap_at);
    Pose3 X;
    X.p = distance * d;
    const Distance<3> found = closest<3>({A.surface}, {B.surface, X});
    ASSERT_EQ(found.status, DistanceStatus::found) << trial;
    EXPECT_NEAR(found.pair.gap, gap_at(distance), 1e-10) << trial;
  }
}

TEST(RandomSurfaces, HaveTheGapOfTheirSupportsToBallsAndPlanes) {
  Uniform random{std::mt19937(22)};
  for (int trial = 0; trial < 200; ++trial) {
    const Ellipsoid A = random_ellipsoid(random);
    const Vec3 d = random_direction(random), n = random_direction(random);
    const double radius = trial % 3 == 0 ? 0 : random(0.1, 0.5);  // a point, or a ball
    const auto gap_at = [&](double distance) {
      return largest_over_directions(
          d, [&](const Vec3& u) { return distance * d.dot(u) - A.support(u) - radius; });
    };
    const double gap = gaps[trial % 4], distance = distance_for(gap, gap_at);
    const Distance<3> ball = closest<3>({A.surface}, SolidBall<3>{distance * d, radius});
    ASSERT_EQ(ball.status, DistanceStatus::found) << trial;
    EXPECT_NEAR(ball.pair.gap, gap_at(distance), 1e-10) << trial;
    const Distance<3> plane = closest<3>({A.surface}, HalfSpace<3>{distance * d, n});
    ASSERT_EQ(plane.status, DistanceStatus::found) << trial;
    EXPECT_NEAR(plane.pair.gap, -n.dot(distance * d) - A.support(n), 1e-10) << trial;
  }
}

}  // namespace
}  // namespace backlash::test
