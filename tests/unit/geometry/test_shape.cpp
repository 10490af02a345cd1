// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using std::numbers::pi;

std::string error_of(const Shape& shape) {
  try {
    validate(shape, "s");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Shape, ABoxRunsCounterClockwiseAboutItsMiddle) {
  const Polygon square = box(2, 1);
  EXPECT_EQ(doubled_area(square), 4);
  EXPECT_EQ(error_of(square), "accepted");
}

TEST(Shape, PolygonsMayBeConcaveButNotCrossThemselves) {
  EXPECT_EQ(error_of(Polygon{{{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}}}), "accepted");
  EXPECT_EQ(error_of(Polygon{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}),
            "s: sides 1 and 3 of the polygon meet");
  EXPECT_EQ(error_of(Polygon{{{0, 0}, {0, 1}, {1, 1}}}),
            "s: the corners must run counter-clockwise");
  EXPECT_EQ(error_of(Polygon{{{0, 0}, {0, 1}}}), "s: a polygon needs 3 corners or more, has 2");
  EXPECT_EQ(error_of(Polygon{{{0, 0}, {0, 0}, {1, 1}}}), "s: corners 1 and 2 are the same point");
}

TEST(Shape, NumbersMustMakeSense) {
  EXPECT_EQ(error_of(Circle{.radius = 0}), "s: radius must be positive and finite [m], is 0");
  EXPECT_EQ(error_of(Ring{.radius = NAN}), "s: radius must be positive and finite [m], is nan");
  EXPECT_EQ(error_of(Segment{{1, 1}, {1, 1}}), "s: the ends of a segment must differ");
  EXPECT_EQ(error_of(Line{{0, 0}, {0, 2}}), "s: the normal must be of length 1, is 2");
  EXPECT_EQ(error_of(Point{{NAN, 0}}), "s: point[0] must be finite, is nan");
  EXPECT_EQ(error_of(Arc{.radius = 1, .from = 0, .to = 2 * pi}), "accepted");
  EXPECT_THAT(error_of(Arc{.radius = 1, .from = 1, .to = 0}),
              testing::HasSubstr("counter-clockwise"));
}

TEST(Shape, ACamHasAPositiveRadiusAllAround) {
  constexpr std::array<std::string_view, 1> names{"phi"};
  CamProfile cam{.base = 1, .function = parse_expression("0.5*sin(phi)", names)};
  EXPECT_EQ(error_of(cam), "accepted");
  cam.function = parse_expression("2*sin(phi)", names);
  EXPECT_THAT(error_of(cam), testing::HasSubstr("the radius must be positive at each angle"));
  cam.function = Table{{0, pi}, {1, 1}, Interpolation::linear, Extension::periodic};
  EXPECT_THAT(error_of(cam), testing::HasSubstr("must be periodic and span one turn"));
  cam.function = Table{{0, pi, 2 * pi}, {1, 2, 1}, Interpolation::cubic, Extension::periodic};
  EXPECT_EQ(error_of(cam), "accepted");
}

TEST(Thickness, OfAForkIsThatOfItsThinnestWall) {
  // A channel 60 mm wide and 40 mm high: walls of 2 and 5 mm, a floor of 3 mm.
  const Polygon channel{{{-0.03, 0},
                         {0.03, 0},
                         {0.03, 0.04},
                         {0.025, 0.04},
                         {0.025, 0.003},
                         {-0.028, 0.003},
                         {-0.028, 0.04},
                         {-0.03, 0.04}}};
  EXPECT_NEAR(thickness(channel), 0.002, 1e-15);
  std::vector<Vec2> ring;  // cut open, of 1 mm: 20 mm outside
  for (int k = 0; k <= 90; ++k)
    ring.push_back(0.02 * Vec2(std::cos(0.069 * k), std::sin(0.069 * k)));
  for (int k = 90; k >= 0; --k)
    ring.push_back(0.019 * Vec2(std::cos(0.069 * k), std::sin(0.069 * k)));
  EXPECT_NEAR(thickness(Polygon{ring}), 0.001, 2e-5);  // the walls are polygons themselves
  EXPECT_NEAR(thickness(box(0.3, 0.1)), 0.1, 1e-15);
}

}  // namespace
}  // namespace backlash
