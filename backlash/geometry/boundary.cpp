// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/boundary.h"

#include <cmath>
#include <numbers>

#include "backlash/base/plane.h"
#include "backlash/geometry/cam_curve.h"

namespace backlash {
namespace {

constexpr int points_per_turn = 72;

Boundary round(const Vec2& centre, double radius) {
  Boundary o{.closed = true};
  for (int i = 0; i < points_per_turn; ++i)
    o.points.push_back(centre + radius * unit_vector(full_turn * i / points_per_turn));
  return o;
}

Boundary boundary_of(const Point& s) { return {{s.p}}; }
Boundary boundary_of(const Circle& s) { return round(s.centre, s.radius); }
Boundary boundary_of(const Ring& s) { return round(s.centre, s.radius); }
Boundary boundary_of(const Segment& s) { return {{s.a, s.b}}; }
Boundary boundary_of(const Line& s) { return {{s.point}}; }
Boundary boundary_of(const Polygon& s) { return {s.corners, true}; }

Boundary boundary_of(const Arc& s) {
  Boundary o;
  const int steps = 1 + static_cast<int>(points_per_turn * (s.to - s.from) / full_turn);
  for (int i = 0; i <= steps; ++i)
    o.points.push_back(s.centre + s.radius * unit_vector(s.from + (s.to - s.from) * i / steps));
  return o;
}

/// The point of the profile that belongs to the angle φ of the cam's function (theory 7.12–7.17).
/// Where the function belongs to no real profile: the function itself, along φ.
Vec2 cam_point(const CamProfile& s, const CamCurve& curve, CamFunction meaning, double angle) {
  const Jet rho = curve.function(angle);
  const Vec2 e = unit_vector(angle);
  if (meaning == CamFunction::radius) return rho.value * e;
  if (meaning == CamFunction::flat) return rho.value * e + rho.first * left_of(e);
  const double pitch = rho.value + s.roller_radius;  // of the roller's centre
  const Vec2 along = rho.first * e + pitch * left_of(e);
  return pitch * e + s.roller_radius * left_of(along.normalized());
}

Boundary boundary_of(const CamProfile& s) {
  Boundary o{.closed = true};
  const CamCurve curve(s);
  const CamFunction meaning = curve.undercut() ? CamFunction::radius : s.meaning;
  for (int i = 0; i < CamCurve::samples; ++i)
    o.points.push_back(s.centre + cam_point(s, curve, meaning, full_turn * i / CamCurve::samples));
  return o;
}

}  // namespace

Boundary boundary(const Shape& shape) {
  validate(shape, kind_name(shape));
  return std::visit([](const auto& s) { return boundary_of(s); }, shape);
}

}  // namespace backlash
