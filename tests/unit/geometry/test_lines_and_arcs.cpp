// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/shape.h"
#include "support/model_error.h"

// Outlines of lines and arcs, and mirrored shapes.

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using std::numbers::pi;

/// A square of side 2 with a half disk on its right side and another one cut out of its left.
ArcPolygon bitten() { return {.path = {{{-1, -1}, -1}, {{1, -1}}, {{1, 1}, 1}, {{-1, 1}}}}; }

TEST(LinesAndArcs, ACircleOfTwoArcsHasTheAreaAndTheMomentOfADisk) {
  const ArcPolygon disk{.path = {{{2, 0}, 2}, {{-2, 0}, 2}}};
  const AreaProperties p = area_properties(Shape(disk));
  EXPECT_NEAR(p.area, 4 * pi, 1e-13);
  EXPECT_NEAR(p.centre.norm(), 0, 1e-14);
  EXPECT_NEAR(p.moment, pi * std::pow(2, 4) / 2, 1e-12);
}

TEST(LinesAndArcs, BulgesAddAndHollowsTakeTheirHalfDisk) {
  const AreaProperties p = area_properties(Shape(bitten()));
  EXPECT_NEAR(p.area, 4, 1e-14);
  // The half disk moves from the left to the right: by 2, its area being π/2.
  EXPECT_NEAR(p.centre.x(), pi / 2 * 2 / 4, 1e-13);
}

TEST(LinesAndArcs, TeethAreCopiesOfOneAndItsMirrorImage) {
  // A star of n points: 2n triangles with sides r, R and the angle π/n between them.
  const int n = 24;
  const double R = 0.05, r = 0.04, half = pi / n;
  const ArcPolygon star{.path = {{{R, 0}}, {{r * std::cos(half), r * std::sin(half)}}},
                        .mirrored = true,
                        .copies = n};
  EXPECT_NEAR(area_properties(Shape(star)).area, n * r * R * std::sin(half), 1e-16);
  EXPECT_NEAR(area_properties(Shape(star)).centre.norm(), 0, 1e-16);
}

TEST(LinesAndArcs, MirroredShapesHaveTheSameAreaOnTheOtherSide) {
  for (const Shape& shape : {Shape(Circle{{1, 2}, 0.5}), Shape(Polygon{{{0, 0}, {2, 0}, {0, 1}}}),
                             Shape(Capsule{{0, 0}, {1, 2}, 0.3}), Shape(bitten()),
                             Shape(ArcPolygon{.path = {{{1, 1}}, {{3, 1}}, {{1, 2}, 3}}})}) {
    SCOPED_TRACE(kind_name(shape));
    const AreaProperties a = area_properties(shape), b = area_properties(mirrored(shape));
    EXPECT_NEAR(b.area, a.area, 1e-14 * a.area);
    EXPECT_NEAR(b.centre.x(), a.centre.x(), 1e-13);
    EXPECT_NEAR(b.centre.y(), -a.centre.y(), 1e-13);
    EXPECT_NEAR(b.moment, a.moment, 1e-12 * a.moment);
    EXPECT_NO_THROW(validate(mirrored(shape), "it"));
  }
  const Arc arc = std::get<Arc>(mirrored(Arc{{1, 2}, 3, 0.25, 1.5, ArcSide::inside}));
  EXPECT_EQ(arc.centre, Vec2(1, -2));
  EXPECT_EQ(arc.from, -1.5);
  EXPECT_EQ(arc.to, -0.25);
  const Segment wall = std::get<Segment>(mirrored(Segment{{0, 1}, {2, 3}}));
  EXPECT_EQ(wall.a, Vec2(2, -3));  // material on its left, as before
  EXPECT_EQ(std::get<Line>(mirrored(Line{{0, 1}, {0, 1}})).normal, Vec2(0, -1));
  EXPECT_EQ(std::get<Point>(mirrored(Point{{3, 4}})).p, Vec2(3, -4));
  EXPECT_EQ(std::get<Ring>(mirrored(Ring{{3, 4}, 2})).centre, Vec2(3, -4));
}

std::string error_of(const std::string& shape) {
  return test::model_error(
      "backlash: 1\nbodies: {b: {mass: 1, inertia: 1, shape: " + shape + "}}\n", {});
}

/// The ends of the path were written with few digits: copies overlap, or miss each other, there.
TEST(LinesAndArcs, CopiesMeetWhereTheirEndsAreWrittenWithFewDigits) {
  for (const char* end : {"17.3205 mm", "17.3206 mm"})
    EXPECT_EQ(error_of(std::string("{outline: {copies: 6, mirrored: true, path: [[40 mm, 0], {to: "
                                   "[31.2 mm, 12 mm], radius: 15 mm}, [") +
                       end + ", 10 mm]]}}"),
              "accepted");
}

TEST(LinesAndArcs, RefusesPathsThatAreNone) {
  EXPECT_EQ(error_of("{outline: {path: [[0, 0], [1, 0], [1, 1]]}}"), "accepted");
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [1, 1], [1, 0]]}}"),
              HasSubstr("the path must run counter-clockwise"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0]]}}"),
              HasSubstr("the path has 1 points, expected 2 to"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [2, 0], {to: [2, 2], radius: 0.5}]}}"),
              HasSubstr("the arc to point 3 of the path has a radius of 0.5 m, less than half of "
                        "the distance of its ends, 2 m"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [1, 0], [1, 0], [1, 1]]}}"),
              HasSubstr("point 3 of the path is the same as the one before"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [2, 0], [2, 2], [1, -1]]}}"),
              HasSubstr("the sides that lead to points 2 and 4 of the path cross each other"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [1, 0], {to: [1, 1], radius: 0}]}}"),
              HasSubstr("the radius of an arc must not be 0"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [1, 0], {radius: 1}]}}"),
              HasSubstr("missing key 'to'"));
  EXPECT_THAT(error_of("{outline: {path: [[0, 0], [1, 0], [1, 1]], copies: 0}}"),
              HasSubstr("expected a whole number from 1 to 10000, found 0"));
  EXPECT_THAT(error_of("{cam: {radius: 1}, mirror: true}"), HasSubstr("a cam cannot be mirrored"));
}

}  // namespace
}  // namespace backlash
