// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/symbols.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backlash/base/plane.h"

namespace backlash::drawing {
namespace {

constexpr SvgStyle joint{.stroke = joint_colour, .width = 1.4};
constexpr SvgStyle white{.stroke = joint_colour, .width = 1.4, .fill = "#ffffff"};
constexpr SvgStyle force{.stroke = force_colour, .width = 1.4};

Vec2 unit_of(const Vec2& d) { return d.norm() > 0 ? Vec2(d.normalized()) : Vec2(1, 0); }

std::vector<Vec2> spiral_points(const Vec2& at, double from, double to, double r_from,
                                double r_to) {
  std::vector<Vec2> points;
  for (int i = 0; i <= 40; ++i) {
    const double s = i / 40.0, angle = from + s * (to - from), r = r_from + s * (r_to - r_from);
    points.emplace_back(at + r * Vec2(std::cos(angle), -std::sin(angle)));
  }
  return points;
}

void draw_head(const Vec2& tip, const Vec2& direction, Svg& svg) {
  const Vec2 d = unit_of(direction);
  const Vec2 points[] = {tip, tip - 8 * d + 3.5 * left_of(d), tip - 8 * d - 3.5 * left_of(d)};
  svg.polygon(points, {.stroke = force_colour, .width = 1, .fill = force_colour});
}

}  // namespace

void draw_pin(const Vec2& at, Svg& svg) { svg.circle(at, 4, white); }

void draw_support(const Vec2& at, Svg& svg) {
  const Vec2 foot[] = {at, at + Vec2(-9, 15), at + Vec2(9, 15)};
  svg.polygon(foot, {.stroke = ground_colour, .width = 1.2, .fill = "#f0f0f0"});
  draw_hatching({at + Vec2(-13, 15), at + Vec2(13, 15)}, Vec2(0, -1), ground_colour, svg);
  draw_pin(at, svg);
}

void draw_weld(const Vec2& at, Svg& svg) {
  const Vec2 corners[] = {at + Vec2(-4, -4), at + Vec2(4, -4), at + Vec2(4, 4), at + Vec2(-4, 4)};
  svg.polygon(corners, {.stroke = joint_colour, .width = 1, .fill = joint_colour});
}

void draw_slide(const Vec2& at, const Vec2& axis, Svg& svg) {
  const Vec2 d = unit_of(axis), across = left_of(d);
  for (const double side : {-7.0, 7.0})
    svg.line(at + side * across - 16 * d, at + side * across + 16 * d, joint);
  svg.line(at - 45 * d, at + 45 * d, {.stroke = joint_colour, .width = 0.8, .dashes = "9 3 2 3"});
}

void draw_centre_of_mass(const Vec2& at, std::string_view colour, Svg& svg) {
  svg.circle(at, 3.5, {.stroke = colour, .width = 1.1, .fill = "#ffffff"});
  svg.line(at - Vec2(3.5, 0), at + Vec2(3.5, 0), {.stroke = colour, .width = 1.1});
  svg.line(at - Vec2(0, 3.5), at + Vec2(0, 3.5), {.stroke = colour, .width = 1.1});
}

void draw_cross(const Vec2& at, Svg& svg) {
  const SvgStyle thin{.stroke = "#7a2ca0", .width = 1.4};
  svg.line(at + Vec2(-4, -4), at + Vec2(4, 4), thin);
  svg.line(at + Vec2(-4, 4), at + Vec2(4, -4), thin);
}

void draw_spring(const Vec2& a, const Vec2& b, Svg& svg) {
  const double length = (b - a).norm();
  const Vec2 d = unit_of(b - a), across = left_of(d);
  const double end = std::min(8.0, 0.2 * length);
  constexpr int teeth = 8;
  std::vector<Vec2> points{a, a + end * d};
  for (int i = 0; i < 2 * teeth; ++i)
    points.emplace_back(a + (end + (i + 0.5) * (length - 2 * end) / (2 * teeth)) * d +
                        (i % 2 == 0 ? 6 : -6) * across);
  points.emplace_back(b - end * d);
  points.push_back(b);
  svg.polyline(points, force);
}

void draw_damper(const Vec2& a, const Vec2& b, Svg& svg) {
  const Vec2 d = unit_of(b - a), across = left_of(d), middle = 0.5 * (a + b);
  const Vec2 cup[] = {middle + 10 * d + 6 * across, middle - 8 * d + 6 * across,
                      middle - 8 * d - 6 * across, middle + 10 * d - 6 * across};
  svg.line(a, middle - 8 * d, force);
  svg.polyline(cup, force);
  svg.line(middle + 2 * d + 5 * across, middle + 2 * d - 5 * across, force);
  svg.line(middle + 2 * d, b, force);
}

void draw_turning(const Vec2& at, Svg& svg) {
  const std::vector<Vec2> points = spiral_points(at, -0.6, 3.6, 14, 14);
  svg.polyline(points, force);
  draw_head(points.back(), points.back() - points[points.size() - 4], svg);
}

void draw_spiral(const Vec2& at, Svg& svg) {
  svg.polyline(spiral_points(at, 0, 4 * M_PI, 6, 15), force);
}

void draw_arrow(const Vec2& from, const Vec2& to, Svg& svg) {
  svg.line(from, to, {.stroke = force_colour, .width = 1.8});
  draw_head(to, to - from, svg);
}

void draw_touch(const Vec2& at, const Vec2& normal, Svg& svg) {
  const SvgStyle style{.stroke = contact_colour, .width = 1.2, .fill = contact_colour};
  if (normal.norm() > 0) svg.line(at, at + 14 * normal, style);
  svg.circle(at, 2.6, style);
}

void draw_hatching(const Edge& edge, const Vec2& out_of_material, std::string_view colour,
                   Svg& svg) {
  const Vec2 d = unit_of(edge.b - edge.a), inwards = -unit_of(out_of_material);
  svg.line(edge.a, edge.b, {.stroke = colour, .width = 1.5});
  const double length = std::min((edge.b - edge.a).norm(), 5000.0);
  for (double s = 4; s <= length; s += 8)
    svg.line(edge.a + s * d, edge.a + s * d + 6 * inwards - 4 * d, {.stroke = colour, .width = 1});
}

void draw_stop(const Vec2& at, const Vec2& axis, Svg& svg) {
  const Vec2 across = 12 * left_of(unit_of(axis));
  svg.line(at - across, at + across, {.stroke = contact_colour, .width = 2.4});
}

}  // namespace backlash::drawing
