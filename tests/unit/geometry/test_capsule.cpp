// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/touch_radii.h"
#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

/// Two metres long between the centres of its ends, 0.2 m thick.
const Capsule bar{{-1, 0}, {1, 0}, 0.1};

TEST(Capsule, LiesOnALineWithBothEnds) {
  const std::vector<ClosestPoints> all = contacts(bar, {{0, 0.3}, 0}, Line{});
  ASSERT_THAT(all, SizeIs(2));
  for (const ClosestPoints& c : all) {
    EXPECT_NEAR(c.gap, 0.2, 1e-15);
    EXPECT_LT((c.n_W - Vec2(0, -1)).norm(), 1e-15);
    EXPECT_NEAR(c.radius_A, 0.1, 1e-15);
  }
}

TEST(Capsule, TouchesACircleWithItsFlankAndWithItsEnd) {
  const Circle ball{{0, 0}, 0.5};
  const std::vector<ClosestPoints> flank = contacts(bar, {}, ball, {{0.4, 0.7}, 0});
  ASSERT_THAT(flank, SizeIs(1));
  EXPECT_NEAR(flank[0].gap, 0.7 - 0.1 - 0.5, 1e-15);
  EXPECT_TRUE(std::isinf(flank[0].radius_A));
  const std::vector<ClosestPoints> end = contacts(bar, {}, ball, {{1.3, 0.4}, 0});
  EXPECT_NEAR(end[0].gap, 0.5 - 0.1 - 0.5, 1e-15);
  EXPECT_NEAR(end[0].radius_A, 0.1, 1e-15);
}

TEST(Capsule, IsAsFarFromAnotherAsTheirCentreLinesLessBothRadii) {
  const Capsule other{{0, 0}, {0.8, 0}, 0.2};
  struct Place {
    Vec2 p;
    double angle, distance;  ///< of the centre lines
  };
  const double of_ends = std::hypot(0.3, 0.4);
  for (const Place& at : {Place{{-0.4, 0.5}, 0, 0.5}, Place{{0.2, 0.5}, 1.2, 0.5},
                          Place{{1.3, 0.4}, 0.3, of_ends}, Place{{1.4, -0.3}, pi / 2, 0.4}})
    EXPECT_NEAR(closest(contacts(bar, {}, other, {at.p, at.angle})).gap, at.distance - 0.3, 1e-14);
}

TEST(Capsule, TouchesAnotherInOnePlaceWithTheirEndsAndInTwoSideBySide) {
  const Capsule other{{0, 0}, {0.8, 0}, 0.2};
  EXPECT_THAT(closed(contacts(bar, {}, other, {{1.2, 0.1}, 0.4})), SizeIs(1));
  EXPECT_THAT(closed(contacts(bar, {}, other, {{-0.4, 0.29}, 0})), SizeIs(2));
}

TEST(Capsule, CarriesTheCornersOfABoxOnItsFlank) {
  const std::vector<ClosestPoints> down =
      closed(contacts(bar, {}, box(0.4, 0.2), {{0.2, 0.19}, 0}), 1e-12);
  ASSERT_THAT(down, SizeIs(2));
  for (const ClosestPoints& c : down) EXPECT_NEAR(c.gap, -0.01, 1e-14);
}

TEST(Capsule, IsNotLeftThroughItsOtherFlankByACornerThatPassedItsCentreLine) {
  const double depth = 0.13;  // of its thickness of 0.2
  const std::vector<ClosestPoints> down =
      closed(contacts(bar, {}, box(0.4, 1), {{0.2, 0.1 + 0.5 - depth}, 0}));
  ASSERT_THAT(down, SizeIs(2));
  for (const ClosestPoints& c : down) {
    EXPECT_NEAR(c.gap, -depth, 1e-14);
    EXPECT_LT((c.n_W - Vec2(0, 1)).norm(), 1e-14);
  }
}

TEST(Capsule, HasPlayInAHoleThatIsLargerThanItsEnds) {
  const Ring hole{{0, 0}, 1.5};
  const std::vector<ClosestPoints> all = contacts(bar, {{0.2, 0}, 0}, hole);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_NEAR(all[0].gap, 1.5 - 0.8 - 0.1, 1e-15);
  EXPECT_NEAR(all[1].gap, 1.5 - 1.2 - 0.1, 1e-15);
}

TEST(Capsule, SlidesOutOfAShellOverTheCornerAtItsEnd) {
  const Arc shell{{0, 0}, 2, pi, 2 * pi, ArcSide::inside};  // its right end is (2, 0)
  const ClosestPoints c = closest(contacts(bar, {{2.5, 0.09}, 0}, shell));
  EXPECT_NEAR(c.gap, -0.01, 1e-14);
  EXPECT_LT((c.p_WB - Vec2(2, 0)).norm(), 1e-14);
}

TEST(Capsule, IsRoundAtItsEndsAndFlatAtItsFlanks) {
  const std::vector<FeaturePair> pairs = feature_pairs(bar, {}, box(1, 1), {});
  ASSERT_THAT(pairs, SizeIs(2 + 4));
  for (const FeaturePair& pair : pairs) {
    const bool end = pair.candidate < 2;
    EXPECT_EQ(touch_radii(pair).A, end ? 0.1 : INFINITY);
    EXPECT_EQ(touch_radii(pair).B, end ? INFINITY : 0);
  }
  EXPECT_FALSE(touch_radii(feature_pairs(Point{}, {}, bar, {})[0]).B);  // the one or the other
}

TEST(Capsule, HasTheAreaOfItsBoundary) {
  const Capsule slanted{{0.2, -0.1}, {0.5, 0.4}, 0.15};
  const AreaProperties exact = area_properties(slanted),
                       drawn = area_properties(Polygon{boundary(slanted).points});
  EXPECT_NEAR(drawn.area, exact.area, 2e-3 * exact.area);
  EXPECT_NEAR(drawn.moment, exact.moment, 2e-3 * exact.moment);
  EXPECT_LT((drawn.centre - exact.centre).norm(), 1e-12);
  EXPECT_NEAR(thickness(slanted), 0.3, 1e-12);
}

TEST(Capsule, MustHaveALengthAndARadius) {
  const auto validating = [](const Capsule& s) { return [s] { validate(s, "pin"); }; };
  EXPECT_THAT(validating({{0, 0}, {1, 0}, 0}),
              ThrowsMessage<InputError>(HasSubstr("pin: radius must be positive")));
  EXPECT_THAT(validating({{1, 0}, {1, 0}, 0.1}),
              ThrowsMessage<InputError>(HasSubstr("use a circle")));
  EXPECT_THAT(validating({{NAN, 0}, {1, 0}, 0.1}),
              ThrowsMessage<InputError>(HasSubstr("pin: first end")));
}

}  // namespace
}  // namespace backlash::test
