// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/distance.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <Eigen/Geometry>

#include "backlash/geometry/nurbs/conics.h"
#include "unit/geometry/nurbs/cam_profiles.h"
#include "unit/geometry/nurbs/plates.h"

namespace backlash::test {
namespace {

using std::numbers::pi;

Profile circle(double radius, const Vec2& centre = {0, 0}) {
  return Profile(NurbsCurve<2>(circle_curve(centre, radius)));
}

/// A closed polygon, counter-clockwise.
Profile polygon(std::vector<Vec2> corners) {
  corners.push_back(corners.front());
  NurbsCurveData<2> data{.degree = 1, .points = std::move(corners), .ends = SplineEnds::closed};
  return Profile(NurbsCurve<2>(data));
}

template <int D>
void expect_gap(const Distance<D>& found, double gap, double tolerance = 1e-13,
                double aside = 1e-12) {
  ASSERT_EQ(found.status, DistanceStatus::found);
  const FacingPair<D>& pair = found.pair;
  EXPECT_NEAR(pair.gap, gap, tolerance);
  EXPECT_NEAR(pair.n_W.norm(), 1, 1e-14);
  EXPECT_NEAR((pair.p_WA + pair.gap * pair.n_W - pair.p_WB).norm(), 0, aside);
}

TEST(CurveDistance, OfCirclesIsThatOfTheirCentresLessTheRadii) {
  const Profile large = circle(1), small = circle(0.5), a = circle(0.7), b = circle(0.8);
  expect_gap(closest<2>({large}, {small, lying_at(2, 1, 0.7)}), std::sqrt(5) - 1.5);
  expect_gap(closest<2>({large}, SolidBall<2>{{2, 1}, 0.5}), std::sqrt(5) - 1.5);
  for (double angle = 0; angle < 6; angle += 0.37) {
    const Pose2 X = lying_at(1.2 * std::cos(angle), 1.2 * std::sin(angle), 3 * angle);
    expect_gap(closest<2>({a}, {b, X}), -0.3);
    expect_gap(closest<2>({b, X}, {a}), -0.3);
    const Pose2 touching = lying_at(1.5 * std::cos(angle), 1.5 * std::sin(angle), angle);
    expect_gap(closest<2>({a}, {b, touching}), 0);
  }
}

TEST(CurveDistance, OfConcentricCirclesIsSingularAndReportedAsSuch) {
  const Profile large = circle(1), small = circle(0.5);
  EXPECT_EQ(closest<2>({large}, {small}).status, DistanceStatus::singular);
  EXPECT_EQ(closest<2>({small}, {large}).status, DistanceStatus::singular);
  EXPECT_EQ(closest<2>({large}, {large}).status, DistanceStatus::singular);
  EXPECT_EQ(closest<2>({large}, SolidBall<2>{{0, 0}, 0.1}).status, DistanceStatus::singular);
}

TEST(CurveDistance, OfAnEllipseIsExact) {
  const Profile ellipse(NurbsCurve<2>(ellipse_curve({0, 0}, 2, 1)));
  expect_gap(closest<2>({ellipse}, SolidBall<2>{{3, 2}, 0}), 1.96404931753956943);
  expect_gap(closest<2>({ellipse}, SolidBall<2>{{3, 2}, 0.25}), 1.71404931753956943);
  expect_gap(closest<2>({ellipse}, SolidBall<2>{{0, 0.25}, 0}), -0.75);
  for (double angle = 0; angle < 6.2; angle += 0.31) {  // its support function
    const Vec2 m = unit_vector(angle);
    const double h = std::hypot(2 * m.x(), m.y());
    expect_gap(closest<2>({ellipse}, HalfSpace<2>{-3 * m, m}), 3 - h);
    expect_gap(closest<2>({ellipse, lying_at(1, 2, 0.5)},
                          HalfSpace<2>{Vec2(1, 2), unit_vector(angle + 0.5)}),
               -h);
  }
}

TEST(CurveDistance, OfTheTwoCamsIsTheReference) {
  const Profile a{NurbsCurve<2>(cam_1())}, b{NurbsCurve<2>(cam_2())};
  expect_gap(closest<2>({a, lying_at(-0.01, 0.22, 1.5)}, {b}), 0.0636189172272948, 1e-15);
}

TEST(CurveDistance, IsTakenFromCornersWhereTheyAreClosest) {
  const Profile square = polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  ASSERT_EQ(square.vertices().size(), 4u);
  const Profile disk = circle(0.5);
  expect_gap(closest<2>({square}, {disk, lying_at(2, 3, 0.3)}), std::sqrt(5) - 0.5);
  expect_gap(closest<2>({disk, lying_at(2, 3, 0.3)}, {square}), std::sqrt(5) - 0.5);
  expect_gap(closest<2>({square}, {disk, lying_at(0.3, 1.9, 0.3)}), 0.4);
  expect_gap(closest<2>({square}, {disk, lying_at(0.3, 1.4, 0.3)}), -0.1);
  expect_gap(closest<2>({square}, {square, lying_at(3, 4, 0)}), std::sqrt(5));  // two corners
  expect_gap(closest<2>({square}, {square, lying_at(3, 0.2, pi / 4)}), 2 - std::sqrt(2));
  expect_gap(closest<2>({square}, {square, lying_at(2.3, 0.2, pi / 4)}), 1.3 - std::sqrt(2));
  expect_gap(closest<2>({square}, HalfSpace<2>{{0, -2}, unit_vector(pi / 2 + 0.2)}),
             2 * std::cos(0.2) - std::cos(0.2) - std::sin(0.2));
  expect_gap(closest<2>({square}, SolidBall<2>{{2, 2}, 0.1}), std::sqrt(2) - 0.1);
  std::vector<FacingPair<2>> pairs;  // a side on a side: both ends
  find_pairs<2>({square}, {square, lying_at(0.5, 2.1, 0)}, 0.2, pairs);
  EXPECT_EQ(pairs.size(), 2u);
  for (const FacingPair<2>& pair : pairs) EXPECT_NEAR(pair.gap, 0.1, 1e-15);
}

TEST(CurveDistance, CountsFromTheEndsOfAnOpenCurve) {
  const Profile wall(NurbsCurve<2>(line_curve<2>(Vec2(1, 0), Vec2(-1, 0))));  // faces up
  expect_gap(closest<2>({wall}, SolidBall<2>{{0.3, 0.5}, 0.2}), 0.3);
  expect_gap(closest<2>({wall}, SolidBall<2>{{0.3, -0.1}, 0.2}), -0.3);
  expect_gap(closest<2>({wall}, SolidBall<2>{{4, 4}, 1}), 4);
  expect_gap(closest<2>({wall}, {circle(1), lying_at(4, 4, 1)}), 4);
  expect_gap(closest<2>({wall}, {circle(1), lying_at(-0.5, 0.9, 1)}), -0.1);
}

TEST(CurveDistance, KnowsEveryPlaceWhereAConcaveProfileTouches) {
  // A groove between two bumps, and a disk that rests on both of its flanks.
  const Profile groove(NurbsCurve<2>(
      {.degree = 2,
       .points = {{2, -2}, {2, 1}, {1, 1}, {0, -1}, {-1, 1}, {-2, 1}, {-2, -2}, {0, -2}},
       .ends = SplineEnds::periodic}));
  std::vector<FacingPair<2>> pairs;
  double y = 3;  // lower the disk until it touches: the gap of both flanks is the same
  for (int i = 0; i < 60; ++i) y -= closest<2>({groove}, SolidBall<2>{{0, y}, 0.8}).pair.gap;
  ASSERT_EQ(find_pairs<2>({groove}, SolidBall<2>{{0, y}, 0.8}, 0.01, pairs), DistanceStatus::found);
  ASSERT_EQ(pairs.size(), 2u);
  for (const FacingPair<2>& pair : pairs) EXPECT_NEAR(pair.gap, 0, 1e-10);
  EXPECT_NEAR(pairs[0].p_WA.x(), -pairs[1].p_WA.x(), 1e-9);
  const Profile disk = circle(0.8);
  ASSERT_EQ(find_pairs<2>({groove}, {disk, lying_at(0, y, 0.4)}, 0.01, pairs),
            DistanceStatus::found);
  EXPECT_EQ(pairs.size(), 2u);
  ASSERT_EQ(find_pairs<2>({disk, lying_at(0, y - 0.01, 0.4)}, {groove}, 0.01, pairs),
            DistanceStatus::found);
  ASSERT_EQ(pairs.size(), 2u);
  for (const FacingPair<2>& pair : pairs) EXPECT_LT(pair.gap, -1e-3);
}

TEST(CurveDistance, HoldsHollowCornersOnlyAgainstWhatIsInside) {
  const Profile notched = polygon({{-1, -1}, {1, -1}, {1, 1}, {0, 0}, {-1, 1}});
  expect_gap(closest<2>({notched}, SolidBall<2>{{0, 0.4}, 0}), 0.4 / std::sqrt(2));
  expect_gap(closest<2>({notched}, SolidBall<2>{{0, -0.2}, 0}), -0.2);
  std::vector<FacingPair<2>> pairs;
  find_pairs<2>({notched}, SolidBall<2>{{0, 0.4}, 0.2}, 0.1, pairs);
  EXPECT_EQ(pairs.size(), 2u);
}

TEST(SurfaceDistance, OfSpheresAndToriIsExact) {
  const SurfaceBoundary sphere(sphere_surface(1)), small(sphere_surface(0.5));
  const SurfaceBoundary torus(torus_surface(2, 0.5));
  Pose3 X;
  X.R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Vec3& c : {Vec3(1.3, 0.7, 1.1), Vec3(-0.4, 1.2, 0.3), Vec3(0.2, -0.1, -1.9)}) {
    X.p = c;
    expect_gap(closest<3>({sphere}, SolidBall<3>{c, 0.5}), c.norm() - 1.5);
    expect_gap(closest<3>({sphere}, {small, X}), c.norm() - 1.5);
    const double to_tube = std::hypot(c.head<2>().norm() - 2, c.z());
    expect_gap(closest<3>({torus}, SolidBall<3>{c, 0.1}), to_tube - 0.6);
    const Vec3 m = X.R * Vec3::UnitZ();
    expect_gap(closest<3>({sphere, X}, HalfSpace<3>{Vec3::Zero(), m}), m.dot(c) - 1);
    // a torus: its circle of centres reaches down by 2 sin of the slope
    expect_gap(closest<3>({torus}, HalfSpace<3>{-5 * m, m}), 5 - 0.5 - 2 * m.head<2>().norm());
  }
  X.p = {1.3, 0.7, 1.1};
  expect_gap(closest<3>({torus}, {small, X}), std::hypot(std::hypot(1.3, 0.7) - 2, 1.1) - 1);
}

TEST(SurfaceDistance, IsFoundAtPolesAndNextToThem) {
  const SurfaceBoundary sphere(sphere_surface(1)), small(sphere_surface(0.5));
  ASSERT_EQ(sphere.vertices().size(), 2u);
  EXPECT_TRUE(sphere.edges().empty());
  for (const double aside : {0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-4, 1e-2})
    for (const double up : {1.3, -1.3, 3.0}) {
      SCOPED_TRACE(aside);
      const Vec3 c(aside, -0.5 * aside, up);
      expect_gap(closest<3>({sphere}, SolidBall<3>{c, 0.5}), c.norm() - 1.5, 1e-12, 1e-10);
      expect_gap(closest<3>({sphere}, HalfSpace<3>{-c, c.normalized()}), c.norm() - 1, 2e-12);
    }
  Pose3 X;
  X.p = {0, 0, 1.7};
  expect_gap(closest<3>({sphere}, {small, X}), 0.2);  // pole on pole
}

TEST(SurfaceDistance, CountsFromEdgesAndCornersOfAnOpenSurface) {
  const SurfaceBoundary plate{NurbsSurface(square_plate())};
  EXPECT_EQ(plate.edges().size(), 4u);
  EXPECT_EQ(plate.vertices().size(), 4u);
  expect_gap(closest<3>({plate}, SolidBall<3>{{0.2, 0.3, 0.7}, 0.5}), 0.2);
  expect_gap(closest<3>({plate}, SolidBall<3>{{0.2, 0.3, 0.4}, 0.5}), -0.1);
  expect_gap(closest<3>({plate}, SolidBall<3>{{3, 0.3, 2}, 0.5}), std::sqrt(8) - 0.5);
  expect_gap(closest<3>({plate}, SolidBall<3>{{3, 3, 1}, 0.5}), 2.5);
  const SurfaceBoundary ball(sphere_surface(0.5));
  Pose3 X;
  X.R = Eigen::AngleAxisd(0.4, Vec3(1, -1, 0.5).normalized()).toRotationMatrix();
  X.p = {0.2, 0.3, 0.7};
  expect_gap(closest<3>({plate}, {ball, X}), 0.2);
  X.p = {3, 0.3, 2};
  expect_gap(closest<3>({plate}, {ball, X}), std::sqrt(8) - 0.5);
  X.p = {3, 3, 1};
  expect_gap(closest<3>({ball, X}, {plate}), 2.5);
  Pose3 above;  // a corner over a face
  above.R = Eigen::AngleAxisd(pi / 2, Vec3::UnitY()).toRotationMatrix() *
            Eigen::AngleAxisd(pi / 4, Vec3::UnitZ()).toRotationMatrix();
  above.p = {0, 0, 3};
  expect_gap(closest<3>({plate}, {plate, above}), 3 - std::sqrt(2));
}

TEST(SurfaceDistance, OfTwoEdgesIsThatOfTheirLines) {
  for (const double slope : {0.3, 0.8, 1.2})
    for (const double skew : {-0.9, 0.0, 0.7}) {
      SCOPED_TRACE(testing::Message() << slope << " " << skew);
      const EdgeOverEdge edges(slope, skew, 0.4);
      const SurfaceBoundary plate{NurbsSurface(square_plate())};
      for (const bool swap : {false, true}) {
        const Distance<3> found =
            swap ? closest<3>({plate, edges.X}, {plate}) : closest<3>({plate}, {plate, edges.X});
        expect_gap(found, 0.4);
        EXPECT_EQ(found.pair.A.part, BoundaryPoint::Part::edge);
        EXPECT_EQ(found.pair.B.part, BoundaryPoint::Part::edge);
        EXPECT_NEAR(((swap ? found.pair.p_WB : found.pair.p_WA) - edges.below).norm(), 0, 1e-12);
      }
    }
}

TEST(SurfaceDistance, FindsTheBottomOfABowl) {
  const NurbsCurve<2> half(circular_arc({0, 2}, 2, 0, -pi / 2));  // from the rim to the bottom
  const SurfaceBoundary bowl(surface_of_revolution(half, full_turn));
  const double r = 0.3;
  for (const Vec3& c : {Vec3(0.4, -0.3, 0.8), Vec3(1.1, 0.6, 1.2), Vec3(0, 0, 0.35)})
    expect_gap(closest<3>({bowl}, SolidBall<3>{c, r}), 2 - r - (c - Vec3(0, 0, 2)).norm());
}

}  // namespace
}  // namespace backlash::test
