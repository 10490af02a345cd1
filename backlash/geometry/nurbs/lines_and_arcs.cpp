// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/lines_and_arcs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/conics.h"

namespace backlash {
namespace {

/// Nearer than this, as a part of their distance from the origin, two points are one; where copies
/// meet, whose ends may have been written with few digits, than the second.
constexpr double same_point = 1e-9, same_end = 1e-5;

bool same(const Vec2& a, const Vec2& b, double nearness = same_point) {
  return (a - b).norm() <= nearness * std::max(a.norm(), b.norm());
}

/// Without points that repeat the one before: where copies meet.
std::vector<PathPoint> without_repeats(const std::vector<PathPoint>& path) {
  std::vector<PathPoint> out;
  for (const PathPoint& point : path)
    if (out.empty() || !same(out.back().p, point.p, same_end)) out.push_back(point);
  while (out.size() > 1 && same(out.back().p, out.front().p, same_end)) {
    out.front().radius = out.back().radius;  // of the side that leads there
    out.pop_back();
  }
  return out;
}

/// The arc of a side from a to b.
struct SideArc {
  Vec2 centre;
  double radius;
  double angle;  ///< > 0 counter-clockwise

  SideArc(const Vec2& a, const Vec2& b, double signed_radius) {
    const double half = 0.5 * (b - a).norm(), sense = signed_radius > 0 ? 1 : -1;
    radius = std::max(std::abs(signed_radius), half);
    const double height = std::sqrt(radius * radius - half * half);
    centre = 0.5 * (a + b) + sense * height * left_of(b - a) / (2 * half);
    angle = sense * 2 * std::asin(std::min(1.0, half / radius));
  }
};

/// The control points of a side after its first one, with their weights.
struct SidePoints {
  std::vector<Vec2> points{};
  std::vector<double> weights{};
};

SidePoints straight_side(const Vec2& a, const Vec2& b) { return {{0.5 * (a + b), b}, {1, 1}}; }

SidePoints arc_side(const Vec2& a, const Vec2& b, double radius) {
  const SideArc s(a, b, radius);
  const Vec2 from = a - s.centre;
  const NurbsCurveData<2> arc =
      circular_arc(s.centre, s.radius, std::atan2(from.y(), from.x()), s.angle);
  SidePoints side{{arc.points.begin() + 1, arc.points.end()},
                  {arc.weights.begin() + 1, arc.weights.end()}};
  side.points.back() = b;
  return side;
}

void check_sides(std::span<const PathPoint> path, std::string_view item) {
  constexpr std::size_t most = 10'000;
  if (path.size() < 2 || path.size() > most)
    throw InputError(
        fmt::format("{}: the path has {} points, expected 2 to {}", item, path.size(), most));
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPoint &before = path[(i + path.size() - 1) % path.size()], &point = path[i];
    require_finite(point.p, fmt::format("{}: point {}", item, i + 1));
    if (same(before.p, point.p))
      throw InputError(
          fmt::format("{}: point {} of the path is the same as the one before", item, i + 1));
    const double length = (point.p - before.p).norm();
    if (point.radius != 0 && std::abs(point.radius) < 0.5 * length * (1 - 1e-9))
      throw InputError(fmt::format(
          "{}: the arc to point {} of the path has a radius of {:.6g} m, less than half of the "
          "distance of its ends, {:.6g} m",
          item, i + 1, std::abs(point.radius), length));
  }
}

/// A piece of a side between two of its places, for the search for sides that meet.
struct Chord {
  Vec2 a, b;
  std::size_t side;  ///< from 1, that leads to this point
};

/// Adds the chords of an arc.
void add_chords(const Vec2& a, const Vec2& b, double radius, std::size_t side,
                std::vector<Chord>& list) {
  constexpr int each = 16;
  const SideArc arc(a, b, radius);
  const Vec2 from = a - arc.centre;
  Vec2 last = a;
  for (int k = 1; k <= each; ++k) {
    const Vec2 e = unit_vector(arc.angle * k / each);
    const Vec2 next = k == each ? b : Vec2(arc.centre + e.x() * from + e.y() * left_of(from));
    list.push_back({last, next, side});
    last = next;
  }
}

std::vector<Chord> chords(std::span<const PathPoint> path) {
  std::vector<Chord> list;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vec2 &a = path[(i + path.size() - 1) % path.size()].p, &b = path[i].p;
    if (path[i].radius == 0)
      list.push_back({a, b, i + 1});
    else
      add_chords(a, b, path[i].radius, i + 1, list);
  }
  return list;
}

bool cross_each_other(const Chord& c, const Chord& d) {
  return cross(c.b - c.a, d.a - c.a) * cross(c.b - c.a, d.b - c.a) < 0 &&
         cross(d.b - d.a, c.a - d.a) * cross(d.b - d.a, c.b - d.a) < 0;
}

/// Sides that cross, by their chords in the order of x.
void check_crossings(std::span<const PathPoint> path, std::string_view item) {
  std::vector<Chord> list = chords(path);
  const auto left = [](const Chord& c) { return std::min(c.a.x(), c.b.x()); };
  const auto right = [](const Chord& c) { return std::max(c.a.x(), c.b.x()); };
  std::ranges::sort(list, {}, left);
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = i + 1; k < list.size() && left(list[k]) <= right(list[i]); ++k)
      if (list[i].side != list[k].side && cross_each_other(list[i], list[k])) {
        const auto [first, second] = std::minmax(list[i].side, list[k].side);
        throw InputError(
            fmt::format("{}: the sides that lead to points {} and {} of the path cross each other",
                        item, first, second));
      }
}

}  // namespace

std::vector<PathPoint> with_mirror_image(std::span<const PathPoint> half) {
  std::vector<PathPoint> path;
  for (std::size_t i = half.size(); i-- > 0;)
    path.push_back({mirrored(half[i].p), i + 1 < half.size() ? half[i + 1].radius : 0});
  path.insert(path.end(), half.begin(), half.end());
  return without_repeats(path);
}

std::vector<PathPoint> rotated_copies(std::span<const PathPoint> path, int copies) {
  std::vector<PathPoint> all;
  for (int k = 0; k < copies; ++k) {
    const Vec2 e = unit_vector(full_turn * k / copies);
    for (const PathPoint& point : path)
      all.push_back({e * point.p.x() + left_of(e) * point.p.y(), point.radius});
  }
  return without_repeats(all);
}

NurbsCurveData<2> lines_and_arcs(std::span<const PathPoint> path, std::string_view item) {
  check_sides(path, item);
  check_crossings(path, item);
  NurbsCurveData<2> curve{.degree = 2, .ends = SplineEnds::closed};
  curve.points = {path.front().p};
  curve.weights = {1};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vec2& a = path[i].p;
    const PathPoint& next = path[(i + 1) % path.size()];
    const SidePoints side =
        next.radius == 0 ? straight_side(a, next.p) : arc_side(a, next.p, next.radius);
    curve.points.insert(curve.points.end(), side.points.begin(), side.points.end());
    curve.weights.insert(curve.weights.end(), side.weights.begin(), side.weights.end());
  }
  const int pieces = static_cast<int>(curve.points.size() - 1) / 2;
  curve.knots = {0};
  for (int k = 0; k <= pieces; ++k) curve.knots.insert(curve.knots.end(), 2, k);
  curve.knots.push_back(pieces);
  if (!(signed_area(NurbsCurve<2>(curve, item)) > 0))
    throw InputError(fmt::format("{}: the path must run counter-clockwise", item));
  return curve;
}

}  // namespace backlash
