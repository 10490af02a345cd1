// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "backlash/geometry/feature.h"

namespace backlash {

/// The boundary of a half-plane.
struct HalfPlane {
  Vec2 point;
  Vec2 normal;  ///< unit, out of the material
};

/// (theory 7.6)
inline Foot foot(const HalfPlane& o, const Corner& corner) {
  const double s = o.normal.dot(corner.p - o.point);
  const bool turned_to = corner.radius == 0 || corner.normals.contains(-o.normal);
  return {corner.p - s * o.normal, o.normal, s, turned_to};
}
inline EnclosingCircle circle_around(const HalfPlane& o) { return {o.point, INFINITY}; }
inline std::optional<double> touch_radius(const HalfPlane&) { return INFINITY; }

/// A straight wall from a, with ends, as deep as it is long.
struct Wall {
  Vec2 a;
  Vec2 along;   ///< unit, from a to the other end
  Vec2 normal;  ///< unit, out of the material: right of `along`
  double length;
};

/// (theory 7.7)
inline Foot foot(const Wall& o, const Corner& corner) {
  const Vec2 e = corner.p - o.a;
  const double t = e.dot(o.along), d = e.dot(o.normal), beyond = face_extension * o.length;
  if (-beyond <= t && t <= o.length + beyond)
    return {corner.p - d * o.normal, o.normal, d, d >= -o.length && touches(corner, o.normal, d)};
  const Vec2 end = t < 0 ? o.a : Vec2(o.a + o.length * o.along);
  const double s = (corner.p - end).norm();
  const Vec2 n = (corner.p - end) / s;
  return {end, n, s, touches(corner, n, s), 0};
}
inline EnclosingCircle circle_around(const Wall& o) {  // a square
  return {o.a + 0.5 * o.length * (o.along - o.normal), std::sqrt(0.5) * o.length};
}
inline std::optional<double> touch_radius(const Wall&) { return INFINITY; }

}  // namespace backlash
