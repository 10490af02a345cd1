// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/conics.h"

#include <cmath>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// The direction at an angle; exact for whole quarters of a turn.
Vec2 exact_direction(double angle) {
  const double quarters = angle / (full_turn / 4);
  if (quarters != std::round(quarters)) return unit_vector(angle);
  constexpr double c[] = {1, 0, -1, 0}, s[] = {0, 1, 0, -1};
  const int k = static_cast<int>(std::lround(quarters)) & 3;
  return {c[k], s[k]};
}

/// An arc of the unit circle, then mapped by (x, y) → centre + x a + y b.
NurbsCurveData<2> mapped_arc(const Vec2& centre, const Vec2& a, const Vec2& b, double start,
                             double angle) {
  const int pieces =
      std::max(1, static_cast<int>(std::ceil(std::abs(angle) / (full_turn / 4) - 1e-12)));
  const double half = angle / pieces / 2;
  NurbsCurveData<2> arc{.degree = 2};
  arc.knots = {0, 0, 0};
  const auto add = [&](const Vec2& d, double weight) {
    arc.points.push_back(centre + d.x() * a + d.y() * b);
    arc.weights.push_back(weight);
  };
  for (int i = 0; i < pieces; ++i) {
    const Vec2 from = exact_direction(start + 2 * i * half);
    const Vec2 to = exact_direction(start + 2 * (i + 1) * half);
    add(from, 1);
    add((from + to) / (1 + from.dot(to)), std::sqrt((1 + from.dot(to)) / 2));
    const double knot = static_cast<double>(i + 1) / pieces;
    arc.knots.insert(arc.knots.end(), 2, knot);
  }
  add(exact_direction(start + angle), 1);
  arc.knots.push_back(1);
  if (std::abs(angle) == full_turn) {
    arc.ends = SplineEnds::closed;
    arc.points.back() = arc.points.front();
  }
  return arc;
}

}  // namespace

NurbsCurveData<2> circular_arc(const Vec2& centre, double radius, double start, double angle) {
  require_positive(radius, "arc: radius", "m");
  require_in_range(std::abs(angle), 1e-6, full_turn, "arc: angle", "rad");
  return mapped_arc(centre, {radius, 0}, {0, radius}, start, angle);
}

NurbsCurveData<2> circle_curve(const Vec2& centre, double radius) {
  require_positive(radius, "circle: radius", "m");
  return mapped_arc(centre, {radius, 0}, {0, radius}, 0, full_turn);
}

NurbsCurveData<2> ellipse_curve(const Vec2& centre, double a, double b, double rotation) {
  require_positive(a, "ellipse: semi-axis", "m");
  require_positive(b, "ellipse: semi-axis", "m");
  const Vec2 e = unit_vector(rotation);
  return mapped_arc(centre, a * e, b * left_of(e), 0, full_turn);
}

}  // namespace backlash
