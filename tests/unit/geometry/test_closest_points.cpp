// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/closest_points.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

constexpr double exact = 1e-12;

void expect_vector(const Vec2& found, const Vec2& expected, double tolerance = exact) {
  EXPECT_LT((found - expected).norm(), tolerance)
      << found.transpose() << " is not " << expected.transpose();
}

ClosestPoints only(const std::vector<ClosestPoints>& all) {
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

TEST(Circles, AreApartByTheDistanceOfTheirCentresLessTheirRadii) {
  const ClosestPoints c = only(contacts(Circle{{0, 0}, 1}, {}, Circle{{2, 1}, 0.5}));
  EXPECT_NEAR(c.gap, std::sqrt(5.0) - 1.5, exact);
  expect_vector(c.n_W, Vec2(2, 1).normalized());
  expect_vector(c.p_WA, Vec2(2, 1).normalized());
  expect_vector(c.p_WB, Vec2(2, 1) - 0.5 * Vec2(2, 1).normalized());
}

TEST(Circles, OverlapByTheirRadiiLessTheDistanceOfTheirCentres) {
  const ClosestPoints c = only(contacts(Circle{{0, 0}, 0.7}, {}, Circle{{0, 1.2}, 0.8}));
  EXPECT_NEAR(c.gap, -0.3, exact);
  expect_vector(c.n_W, {0, 1});
}

TEST(Circles, WithOneCentreHaveTheRightGapAndAFixedNormal) {
  const ClosestPoints c = only(contacts(Circle{{0, 0}, 0.7}, {}, Circle{{0, 0}, 0.8}));
  EXPECT_NEAR(c.gap, -1.5, exact);
  expect_vector(c.n_W, {-1, 0});
}

TEST(Point, SeesACircleFromBothSides) {
  EXPECT_NEAR(only(contacts(Point{{3, 4}}, {}, Circle{{0, 0}, 2})).gap, 3, exact);
  EXPECT_NEAR(only(contacts(Point{{0.3, 0.4}}, {}, Circle{{0, 0}, 2})).gap, -1.5, exact);
}

/// Of two boxes side by side, one of them higher or lower by a hair and a hair apart, each corner
/// at the ends of the common face touches along that face, on whichever side of the end it is.
TEST(Boxes, SideBySideTouchAlongTheirFacesHoweverTheyAreRounded) {
  const Shape square = box(1, 1);
  for (const double up : {-3e-7, -1e-10, -1e-15, 0.0, 1e-15, 1e-10, 3e-7})
    for (const double apart : {-1e-9, -1e-15, 0.0, 1e-15, 1e-12, 1e-9, 1e-7}) {
      SCOPED_TRACE(testing::Message() << up << " up, " << apart << " apart");
      int near = 0;
      for (const ClosestPoints& c : contacts(square, {}, square, {{1 + apart, up}, 0})) {
        if (c.gap > 1e-5) continue;
        ++near;
        EXPECT_NEAR(c.gap, apart, 1e-15);
        expect_vector(c.n_W, {1, 0}, 1e-15);
      }
      EXPECT_EQ(near, 4);
    }
}

/// One that has gone past the end of the other by more is no longer on its face.
TEST(Boxes, ThatPassEachOtherAreApartByTheDistanceOfTheirCorners) {
  double smallest = INFINITY;
  for (const ClosestPoints& c : contacts(box(1, 1), {}, box(1, 1), {{1, 1 + 1e-5}, 0}))
    smallest = std::min(smallest, c.gap);
  EXPECT_NEAR(smallest, 1e-5, 1e-15);
}

TEST(JournalInBearing, HasTheClearanceLessItsEccentricity) {
  const double R = 0.010, r = 0.0095, e = 0.0003;
  const ClosestPoints c =
      only(contacts(Circle{{0, 0}, r}, {{-0.6 * e, 0.8 * e}, 1}, Ring{{0, 0}, R}));
  EXPECT_NEAR(c.gap, R - r - e, exact);
  expect_vector(c.n_W, {-0.6, 0.8});  // from the journal into the bearing
  expect_vector(c.p_WB, R * Vec2(-0.6, 0.8));
}

TEST(JournalInBearing, OverlapsWhereItsEccentricityExceedsTheClearance) {
  const ClosestPoints c = only(contacts(Circle{{0, 0}, 0.95}, {{0.2, 0}, 0}, Ring{{0, 0}, 1}));
  EXPECT_NEAR(c.gap, -0.15, exact);
}

TEST(JournalInBearing, WhenConcentricTouchesTowardsTheAxisOfTheBearing) {
  const AnglePose bearing{{0.3, 0.4}, 0.7};
  const ClosestPoints c =
      only(contacts(Circle{{0, 0}, 0.95}, {{0.3, 0.4}, 2}, Ring{{0, 0}, 1}, bearing));
  EXPECT_NEAR(c.gap, 0.05, exact);
  expect_vector(c.n_W, {std::cos(0.7), std::sin(0.7)});
}

/// Normal up, from x = −1 to 1.
const Segment floor_segment{{1, 0}, {-1, 0}};

TEST(Point, SeesASegmentInFrontBehindAndBeyondBothEnds) {
  EXPECT_NEAR(only(contacts(Point{{0.4, 0.3}}, {}, floor_segment)).gap, 0.3, exact);
  EXPECT_NEAR(only(contacts(Point{{0.4, -0.3}}, {}, floor_segment)).gap, -0.3, exact);
  EXPECT_NEAR(only(contacts(Point{{1.3, 0.4}}, {}, floor_segment)).gap, 0.5, exact);
  EXPECT_NEAR(only(contacts(Point{{-1.3, 0.4}}, {}, floor_segment)).gap, 0.5, exact);
  EXPECT_NEAR(only(contacts(Point{{-1.3, -0.4}}, {}, floor_segment)).gap, 0.5, exact);
}

TEST(Point, HasPassedASegmentThatItIsBehindByMoreThanTheLength) {
  EXPECT_NEAR(only(contacts(Point{{0.4, -1.99}}, {}, floor_segment)).gap, -1.99, exact);
  EXPECT_NEAR(only(contacts(Point{{0.4, -2.01}}, {}, floor_segment)).gap, 2.01, exact);
}

TEST(Circle, RollsAroundTheEndOfASegment) {
  for (const double angle : {0.1, 0.7, 1.5}) {
    const Vec2 e(std::sin(angle), std::cos(angle));
    const ClosestPoints c =
        only(contacts(Circle{{0, 0}, 0.5}, {Vec2(1, 0) + 0.48 * e, 0}, floor_segment));
    EXPECT_NEAR(c.gap, -0.02, exact);
    expect_vector(c.n_W, -e);
    expect_vector(c.p_WB, {1, 0});
  }
}

TEST(Box, StandsOnALineWithTwoCornersAndHasFourCandidates) {
  const std::vector<ClosestPoints> c = contacts(box(2, 1), {{0.3, 0.499}, 0}, Line{});
  ASSERT_EQ(c.size(), 4u);
  for (int i : {0, 1}) EXPECT_NEAR(c[static_cast<std::size_t>(i)].gap, -0.001, exact);
  for (int i : {2, 3}) EXPECT_NEAR(c[static_cast<std::size_t>(i)].gap, 0.999, exact);
  expect_vector(c[0].p_WA, {-0.7, -0.001});
  expect_vector(c[1].p_WA, {1.3, -0.001});
  expect_vector(c[0].n_W, {0, -1});
}

TEST(Box, TiltedOnALineHasTheGapsOfItsCorners) {
  const double tilt = 0.2, y = 1;
  const std::vector<ClosestPoints> c = contacts(box(2, 1), {{0, y}, tilt}, Line{});
  EXPECT_NEAR(c[0].gap, y - std::sin(tilt) - 0.5 * std::cos(tilt), exact);
  EXPECT_NEAR(c[1].gap, y + std::sin(tilt) - 0.5 * std::cos(tilt), exact);
}

TEST(Box, StandsOnAWiderBoxWithItsTwoLowerCorners) {
  const std::vector<ClosestPoints> c = closed(contacts(box(1, 1), {{0.2, 0.99}, 0}, box(3, 1)));
  ASSERT_EQ(c.size(), 2u);
  for (const ClosestPoints& contact : c) {
    EXPECT_NEAR(contact.gap, -0.01, exact);
    expect_vector(contact.n_W, {0, -1});
  }
}

TEST(Box, StandsOnANarrowerBoxWithTheTwoUpperCornersOfThat) {
  const std::vector<ClosestPoints> c = closed(contacts(box(3, 1), {{0.2, 0.99}, 0}, box(1, 1)));
  ASSERT_EQ(c.size(), 2u);
  for (const ClosestPoints& contact : c) {
    EXPECT_NEAR(contact.gap, -0.01, exact);
    expect_vector(contact.n_W, {0, -1});
    EXPECT_NEAR(std::abs(contact.p_WB.x()), 0.5, exact);
  }
}

TEST(Box, OnABoxOfTheSameWidthIsCarriedOnBothSidesWhateverTheRounding) {
  for (const double shift : {0.0, 1e-17, -1e-17, 1e-14, -1e-14, 1e-8, -1e-8, 1e-3, -1e-3})
    for (const double turn : {0.0, 0.3, 2.0}) {
      const AnglePose X{{3, 4}, turn};
      const std::vector<ClosestPoints> c =
          closed(contacts(box(1, 1), X * AnglePose{{shift, 0.9999}, 0}, box(1, 1), X));
      double least = 1, most = -1;
      for (const ClosestPoints& contact : c) {
        EXPECT_NEAR(contact.gap, -0.0001, 1e-12);
        expect_vector(contact.n_W, rotated(turn, Vec2(0, -1)), 1e-9);
        const double x = rotated(-turn, contact.p_WB - X.p).x();
        least = std::min(least, x);
        most = std::max(most, x);
      }
      EXPECT_NEAR(least, -0.5, 2e-3);
      EXPECT_NEAR(most, 0.5, 2e-3);
    }
}

TEST(Box, KeepsBothCornersAndTheirNormalsWhileItRocksWithinItsPenetration) {
  for (double tilt = -1e-3; tilt < 1e-3; tilt += 1e-4) {
    const std::vector<ClosestPoints> c =
        closed(contacts(box(1, 1), {{0.2, 0.999}, tilt}, box(3, 1)));
    ASSERT_EQ(c.size(), 2u) << tilt;
    for (const ClosestPoints& contact : c) expect_vector(contact.n_W, {0, -1});
  }
}

TEST(Box, DeepInAThinPlateIsPushedBackToWhereItCameFrom) {
  const double thickness = 0.01, depth = 0.008;
  const std::vector<ClosestPoints> c =
      closed(contacts(box(1, 1), {{0, 0.5 + 0.5 * thickness - depth}, 0}, box(3, thickness)));
  ASSERT_EQ(c.size(), 2u);
  for (const ClosestPoints& contact : c) {
    EXPECT_NEAR(contact.gap, -depth, exact);
    expect_vector(contact.n_W, {0, -1});
  }
}

TEST(Box, WithItsEdgeDownTouchesWithThatCornerOnly) {
  const double half = std::sqrt(0.5);
  const std::vector<ClosestPoints> c =
      closed(contacts(box(1, 1), {{0, half + 0.5 - 0.01}, pi / 4}, box(3, 1)));
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, -0.01, exact);
  expect_vector(c[0].p_WA, {0, 0.49});
}

TEST(LShape, LetsACircleTouchBothWallsOfItsNotchAtOnce) {
  const double r = 0.3, in = 0.002;
  const std::vector<ClosestPoints> c =
      closed(contacts(Circle{{0, 0}, r}, {{1 + r - in, 1 + r - 2 * in}, 0}, l_shape()));
  ASSERT_EQ(c.size(), 2u);
  const bool wall_first = c[0].n_W.x() < -0.5;
  const ClosestPoints &wall = c[wall_first ? 0 : 1], &ground = c[wall_first ? 1 : 0];
  EXPECT_NEAR(wall.gap, -in, exact);
  EXPECT_NEAR(ground.gap, -2 * in, exact);
  expect_vector(wall.n_W, {-1, 0});
  expect_vector(ground.n_W, {0, -1});
}

TEST(LShape, LetsACornerInItsNotchTouchBothWalls) {
  const std::vector<ClosestPoints> c =
      closed(contacts(box(0.4, 0.4), {{1.2 - 0.001, 1.2 - 0.002}, 0}, l_shape()));
  int walls = 0, grounds = 0;
  for (const ClosestPoints& contact : c) {
    const bool wall = contact.n_W.x() < -0.5;
    EXPECT_NEAR(contact.gap, wall ? -0.001 : -0.002, exact);
    ++(wall ? walls : grounds);
  }
  EXPECT_EQ(walls, 2);
  EXPECT_EQ(grounds, 2);
}

TEST(LShape, DoesNotTouchWithItsHollowCorner) {
  EXPECT_EQ(contacts(l_shape(), {}, Line{}).size(), 5u);
}

TEST(LShape, IsTouchedFromOutsideAtOnePlaceOnly) {
  for (const Vec2& p : {Vec2(0.5, 0.01), Vec2(0.01, 0.5), Vec2(1.5, 0.99), Vec2(0.99, 1.5),
                        Vec2(0.5, 1.99), Vec2(1.99, 0.5), Vec2(0.99, 1.01)}) {
    const std::vector<ClosestPoints> c = closed(contacts(Point{p}, {}, l_shape()));
    ASSERT_EQ(c.size(), 1u) << p.transpose();
    EXPECT_NEAR(c[0].gap, -0.01, exact);
  }
}

TEST(LShape, IsRolledAroundByACircleThatTouchesEachCornerOnce) {
  const double r = 0.2, in = 0.01;
  for (const Vec2& corner : {Vec2(0, 0), Vec2(2, 0), Vec2(2, 1), Vec2(1, 2), Vec2(0, 2)}) {
    const Vec2 out = (corner - Vec2(0.8, 0.8)).cwiseSign() * std::sqrt(0.5);
    const std::vector<ClosestPoints> c =
        closed(contacts(Circle{{0, 0}, r}, {corner + (r - in) * out, 0}, l_shape()));
    ASSERT_EQ(c.size(), 1u) << corner.transpose();
    EXPECT_NEAR(c[0].gap, -in, exact);
    expect_vector(c[0].p_WB, corner);
    expect_vector(c[0].n_W, -out);
  }
}

TEST(Arc, OutsideIsADiskOverItsAnglesAndACornerAtItsEnds) {
  const Arc cap{{0, 0}, 1, pi / 4, 3 * pi / 4, ArcSide::outside};
  EXPECT_NEAR(only(contacts(Point{{0, 1.2}}, {}, cap)).gap, 0.2, exact);
  EXPECT_NEAR(only(contacts(Point{{0, 0.9}}, {}, cap)).gap, -0.1, exact);
  const double end = std::sqrt(0.5);
  const ClosestPoints beyond = only(contacts(Circle{{0, 0}, 0.1}, {{end + 0.09, end}, 0}, cap));
  EXPECT_NEAR(beyond.gap, -0.01, exact);
  expect_vector(beyond.p_WB, {end, end});
  EXPECT_GT(
      only(contacts(Circle{{0, 0}, 0.5}, {{0, 0.4}, pi}, Arc{{0, 0}, 1, -pi / 4, pi / 4})).gap, 0);
}

TEST(Arc, RocksOnALineWithItsRoundPartAndThenWithAnEnd) {
  const Arc rocker{{0, 0}, 1, -pi / 2 - 0.5, -pi / 2 + 0.5, ArcSide::outside};
  const Line ground{};
  EXPECT_NEAR(closest(contacts(rocker, {{0, 0.99}, 0.4}, ground)).gap, -0.01, exact);
  EXPECT_EQ(closed(contacts(rocker, {{0, 0.99}, 0.3}, ground)).size(), 1u);
  const double tilt = 0.7;  // beyond the end
  const ClosestPoints c = closest(contacts(rocker, {{0, 0.9}, tilt}, ground));
  EXPECT_NEAR(c.gap, 0.9 - std::cos(tilt - 0.5), exact);
}

TEST(Arc, WithItsChordDownStandsOnBothEnds) {
  const Arc cap{{0, 0}, 1, pi / 4, 3 * pi / 4, ArcSide::outside};
  const AnglePose X{{0, -std::sqrt(0.5) - 0.01}, 0};
  EXPECT_EQ(closed(contacts(cap, X, Line{})).size(), 2u);
  EXPECT_EQ(closed(contacts(cap, X * AnglePose{{0, 0.5}, 0}, box(4, 1))).size(), 2u);
}

TEST(Arc, InsideCarriesACircleOverItsAngles) {
  const Arc shell{{0, 0}, 1, -3 * pi / 4, -pi / 4, ArcSide::inside};
  const std::vector<ClosestPoints> c =
      closed(contacts(Circle{{0, 0}, 0.4}, {{0.1, -0.61}, 0}, shell));
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, 0.6 - std::hypot(0.1, 0.61), exact);
  expect_vector(c[0].n_W, Vec2(0.1, -0.61).normalized());
}

TEST(Arc, InsideCarriesALargeCircleOnItsTwoEnds) {
  const Arc shell{{0, 0}, 1, -3 * pi / 4, -pi / 4, ArcSide::inside};
  const double r = 2, half = std::sqrt(0.5), height = std::sqrt(r * r - half * half) - half;
  const std::vector<ClosestPoints> c =
      closed(contacts(Circle{{0, 0}, r}, {{0, height - 0.001}, 0}, shell));
  ASSERT_EQ(c.size(), 2u);
  EXPECT_NEAR(c[0].p_WB.x(), -half, exact);
  EXPECT_NEAR(c[1].p_WB.x(), half, exact);
}

TEST(Box, InARingTouchesWithItsCorners) {
  const std::vector<ClosestPoints> c = contacts(box(1.2, 0.8), {{0.1, 0}, 0}, Ring{{0, 0}, 0.75});
  ASSERT_EQ(c.size(), 4u);
  EXPECT_NEAR(closest(c).gap, 0.75 - std::hypot(0.7, 0.4), exact);
  EXPECT_EQ(closed(c).size(), 2u);
}

TEST(Segments, FaceToFaceTouchWithTheEndsOfTheShorterOne) {
  const Segment ceiling{{-0.5, 0}, {0.5, 0}};  // normal down
  const std::vector<ClosestPoints> c = closed(contacts(ceiling, {{0.2, -0.01}, 0}, floor_segment));
  ASSERT_EQ(c.size(), 2u);
  for (const ClosestPoints& contact : c) {
    EXPECT_NEAR(contact.gap, -0.01, exact);
    expect_vector(contact.n_W, {0, -1});
  }
}

TEST(FeaturePairs, ComeInTheOrderOfTheCornersOfAThenOfB) {
  const std::vector<ClosestPoints> c = contacts(box(2, 1), {}, box(4, 3), {{10, 0}, 0});
  ASSERT_EQ(c.size(), 8u);
  const Polygon a = box(2, 1), b = box(4, 3);
  for (std::size_t i = 0; i < 4; ++i) {
    expect_vector(c[i].p_WA, a.corners[i]);
    expect_vector(c[i + 4].p_WB, b.corners[i] + Vec2(10, 0));
  }
}

/// So far that the square of the distance is no number any more.
TEST(Polygon, SeesAPointFarAwayFarAway) {
  for (const Vec2& far : {Vec2(1e200, 0), Vec2(0, -1e300), Vec2(1e200, 1e200)}) {
    const std::vector<ClosestPoints> all = contacts(box(1, 1), {}, Point{far});
    ASSERT_FALSE(all.empty());
    for (const ClosestPoints& c : all) EXPECT_GT(c.gap, 1e100);
  }
}

}  // namespace
}  // namespace backlash::test
