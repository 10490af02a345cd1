// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/geometry/boundary.h"
#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/closest_points.h"
#include "backlash/model/body.h"

namespace backlash {
namespace {

using test::expect_refused;

TEST(Misuse, OfShapesThatAreToTouchIsRefused) {
  const auto touching = [](const Shape& shape, const Pose& pose = {}) {
    return [=] { feature_pairs(shape, pose, Circle{Vec2::Zero(), 1}, {}); };
  };
  const Circle unit{Vec2::Zero(), 1};
  expect_refused({
      {touching(Circle{Vec2::Zero(), -1}), "first shape: radius must be positive"},
      {touching(Circle{Vec2(NAN, 0), 1}), "first shape: centre[0] must be finite, is nan"},
      {touching(Ring{Vec2::Zero(), INFINITY}), "radius must be positive and finite [m], is inf"},
      {touching(Arc{Vec2::Zero(), 1, 0, 10}), "by one turn at most"},
      {touching(Segment{}), "the ends of a segment must differ"},
      {touching(Line{Vec2::Zero(), Vec2(0, 2)}), "the normal must be of length 1, is 2"},
      {touching(Polygon{}), "a polygon needs 3 corners or more, has 0"},
      {touching(Polygon{{{0, 0}, {0, 1}, {1, 0}}}), "must run counter-clockwise"},
      {touching(Polygon{{{0, 0}, {NAN, 0}, {1, 1}}}), "corner 2[0] must be finite"},
      {touching(unit, {Vec3(0, INFINITY, 0)}), "first shape: origin[1] must be finite, is inf"},
      {touching(unit, planar_pose(Vec2::Zero(), NAN)),
       "first shape: rotation[2] must be finite, is nan"},
  });
}

TEST(Misuse, OfBoxesCamsAndPlatesIsRefused) {
  const std::string_view names[] = {"x", "y"};
  const Expression two_variables = parse_expression("2 + 0*x*y", names);
  const auto plate = [](const Shape& shape, double density) {
    return [=] {
      Body body{.name = "plate"};
      body.shapes = {{.name = "outline", .shape = shape}};
      plate_properties(body, density);
    };
  };
  expect_refused({
      {[] { box(0, 1); }, "box: length must be positive and finite [m], is 0"},
      {[] { box(1, NAN); }, "box: width"},
      {[&] { CamCurve({.base = 1, .function = two_variables}); }, "needs 2 variables"},
      {[] { CamCurve({.base = 1, .function = Table{}}); }, "2 points or more"},
      {[] { CamCurve({.base = NAN, .function = 1.0}); }, "cam: base"},
      {[] {
         boundary(Arc{Vec2::Zero(), 1, 0, INFINITY});
       },
       "arc: to must be finite, is inf"},
      {plate(Polygon{}, 1), "body 'plate': shape 'outline': a polygon needs 3 corners"},
      {plate(box(1, 1), -1), "body 'plate': mass per area must be positive"},
  });
}

}  // namespace
}  // namespace backlash
