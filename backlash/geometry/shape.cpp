// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"

namespace backlash {
namespace {

template <class S>
concept Plate = requires(const S& s) {
  area_of(s);
};

template <class... S>
std::vector<std::string_view> plate_names(const std::variant<S...>*) {
  std::vector<std::string_view> names;
  ((Plate<S> ? names.push_back(S::name) : void()), ...);
  return names;
}

struct Side {
  Vec2 begin, end, outward;
};

/// Those of a closed polygon, with the material inside.
std::vector<Side> sides_of(const std::vector<Vec2>& points) {
  std::vector<Side> sides;
  double area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 &a = points[i], &b = points[(i + 1) % points.size()];
    area += cross(a, b);
    if (a != b) sides.push_back({a, b, -left_of(Vec2((b - a).normalized()))});
  }
  if (area < 0)
    for (Side& side : sides) side.outward = -side.outward;
  return sides;
}

bool has_hollow(const std::vector<Side>& sides) {
  constexpr double round_off = 1e-9;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& next = sides[(i + 1) % sides.size()];
    const Vec2 along = next.end - next.begin;
    if (sides[i].outward.dot(along) > round_off * along.norm()) return true;
  }
  return false;
}

double distance(const Side& side, const Vec2& p) {
  const Vec2 along = side.end - side.begin;
  const double share = std::clamp((p - side.begin).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (side.begin + share * along - p).norm();
}

/// Of a closed polygon with a hollow the shortest way through the material between sides that face
/// away from each other: how thick the wall of a ring, a fork or a channel is. Infinite if there
/// are none, and of one without a hollow, which is as thick as it is wide [m].
double least_wall(const std::vector<Vec2>& points) {
  constexpr double opposite = -0.99;
  const std::vector<Side> sides = sides_of(points);
  if (!has_hollow(sides)) return INFINITY;
  double least = INFINITY;
  for (const Side& side : sides) {
    const Vec2 middle = 0.5 * (side.begin + side.end);
    for (const Side& other : sides) {
      if (side.outward.dot(other.outward) > opposite) continue;
      const Vec2 way = 0.5 * (other.begin + other.end) - middle;
      if (way.dot(side.outward) < 0 && way.dot(other.outward) > 0)
        least = std::min(least, distance(other, middle));
    }
  }
  return least;
}

}  // namespace

void validate(const Shape& shape, std::string_view item) {
  std::visit([&](const auto& s) { check(s, item); }, shape);
}

std::string_view kind_name(const Shape& shape) {
  return std::visit([]<class S>(const S&) { return S::name; }, shape);
}

Boundary boundary(const Shape& shape) {
  validate(shape, kind_name(shape));
  return std::visit([](const auto& s) { return boundary_of(s); }, shape);
}

Shape mirrored(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> Shape {
        if constexpr (requires { mirrored_of(s); }) return mirrored_of(s);
        throw InputError(fmt::format(
            "a {} cannot be mirrored: write its function for the other sense of rotation",
            S::name));
      },
      shape);
}

AreaProperties area_properties(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (Plate<S>) return area_of(s);
        return AreaProperties{};
      },
      shape);
}

std::string plate_kinds() {
  const std::vector<std::string_view> names = plate_names(static_cast<const Shape*>(nullptr));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

double thickness(const Shape& shape) {
  return std::visit(
      [&](const auto& s) {
        if constexpr (requires { thickness_of(s); }) return thickness_of(s);
        const Boundary edge = boundary(shape);
        if (!edge.closed || edge.hole) return double{INFINITY};
        return std::min(least_width(edge.points), least_wall(edge.points));
      },
      shape);
}

}  // namespace backlash
