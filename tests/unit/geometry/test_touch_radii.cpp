// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/touch_radii.h"

#include <cmath>

#include <gtest/gtest.h>

namespace backlash {
namespace {

const Shape disk = Circle{.radius = 0.1}, large_disk = Circle{.radius = 0.3},
            hole = Ring{.radius = 0.5}, plane = Line{}, point = Point{}, plate = box(1, 1);

std::vector<FeaturePair> pairs(const Shape& A, const Shape& B) {
  return feature_pairs(A, {}, B, {});
}

void expect_radii(const Shape& A, const Shape& B, double radius_A, double radius_B) {
  for (const FeaturePair& pair : pairs(A, B)) {
    EXPECT_EQ(touch_radii(pair).A, radius_A);
    EXPECT_EQ(touch_radii(pair).B, radius_B);
  }
  for (const FeaturePair& pair : pairs(B, A)) {
    EXPECT_EQ(touch_radii(pair).A, radius_B);
    EXPECT_EQ(touch_radii(pair).B, radius_A);
  }
}

TEST(TouchRadii, ArePositiveOutsideNegativeInsideAndInfiniteWhereFlat) {
  expect_radii(disk, large_disk, 0.1, 0.3);
  expect_radii(disk, hole, 0.1, -0.5);
  expect_radii(disk, plane, 0.1, INFINITY);
  expect_radii(disk, plate, 0.1, INFINITY);
  expect_radii(disk, Segment{Vec2(1, 0), Vec2(-1, 0)}, 0.1, INFINITY);
  expect_radii(disk, Arc{.radius = 0.4, .from = 0, .to = 2}, 0.1, 0.4);
}

TEST(TouchRadii, AreZeroAtCorners) {
  expect_radii(point, plane, 0, INFINITY);
  expect_radii(plate, plane, 0, INFINITY);
  expect_radii(point, large_disk, 0, 0.3);
}

TEST(TouchRadii, AreUnknownAlongACam) {
  const std::string_view phi[] = {"phi"};
  const Shape cam = CamProfile{.base = 0.5, .function = parse_expression("0.01*cos(phi)", phi)};
  for (const FeaturePair& pair : pairs(disk, cam)) {
    EXPECT_EQ(touch_radii(pair).A, 0.1);
    EXPECT_FALSE(touch_radii(pair).B);
  }
  for (const FeaturePair& pair : pairs(plane, cam)) {
    EXPECT_EQ(touch_radii(pair).A, INFINITY);
    EXPECT_FALSE(touch_radii(pair).B);
  }
}

}  // namespace
}  // namespace backlash
