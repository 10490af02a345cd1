// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/ring.h"

#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/shape_features.h"
#include "backlash/geometry/shapes/circle.h"

namespace backlash {

ShapeKeys<Ring> Ring::keys() {
  return {{.name = "ring",
           .value = NumberValue<Ring>{.member = &Ring::radius,
                                      .range = {NumberRange::Kind::positive},
                                      .unit = "m",
                                      .phrase = "radius [m]"},
           .meaning = "a round hole, touched from inside"}};
}

void check(const Ring& s, std::string_view item) { check_round(s.centre, s.radius, item); }

ShapeFeatures features(const Ring& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  const SharedOutline hole = shared_outline(ConcaveArc{.centre = centre, .radius = s.radius});
  return {.outline = hole, .faces = hole, .bound = round_bound(centre, INFINITY)};
}

Boundary boundary_of(const Ring& s) {
  Boundary edge = round_boundary(s.centre, s.radius);
  edge.hole = true;
  return edge;
}

NurbsCurveData<2> curve_of(const Ring& s) { return reversed(circle_curve(s.centre, s.radius)); }

}  // namespace backlash
