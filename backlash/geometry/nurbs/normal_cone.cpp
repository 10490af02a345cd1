// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/normal_cone.h"

#include <algorithm>
#include <numbers>

#include "backlash/base/plane.h"

namespace backlash::nurbs {
namespace {

Vec2 control_point(const double* h) { return Vec2(h[0], h[1]) / h[2]; }

}  // namespace

NormalCone normal_cone(const PieceView<1>& piece) {
  constexpr double slack = 1e-6, right_angle = 0.5 * std::numbers::pi;  // [rad]
  const double* h = piece.h;
  const Vec2 along = control_point(h + 3 * piece.degree[0]) - control_point(h);
  double lower = 0, upper = 0;  // of the angles from the chord to the legs
  for (int i = 0; i < piece.degree[0]; ++i, h += 3) {
    const Vec2 leg = control_point(h + 3) - control_point(h);
    if (leg == Vec2::Zero()) continue;
    const double angle = std::atan2(backlash::cross(along, leg), along.dot(leg));
    lower = std::min(lower, angle);
    upper = std::max(upper, angle);
  }
  const double half = 0.5 * (upper - lower) + slack, middle = 0.5 * (lower + upper);
  if (!(half < right_angle) || along == Vec2::Zero()) return {};
  const Vec2 axis = std::cos(middle) * along + std::sin(middle) * left_of(along);
  return {right_of(axis).normalized(), {std::cos(half), std::sin(half)}, false};
}

}  // namespace backlash::nurbs
