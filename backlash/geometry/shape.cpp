// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"

namespace backlash {
namespace {

void require_finite_point(const Vec2& p, std::string_view item, std::string_view what) {
  require_finite(p, fmt::format("{}: {}", item, what));
}

/// Whether the sides a–b and c–d cross or touch.
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double ac = cross(b - a, c - a), ad = cross(b - a, d - a);
  const double ca = cross(d - c, a - c), cb = cross(d - c, b - c);
  if (ac * ad > 0 || ca * cb > 0) return false;
  if (ac != 0 || ad != 0) return true;
  const Vec2 along = b - a;  // all on one line: the intervals overlap
  const double length = along.squaredNorm();
  const double s = (c - a).dot(along), e = (d - a).dot(along);
  return std::max(s, e) >= 0 && std::min(s, e) <= length;
}

void check(const Point& s, std::string_view item) { require_finite_point(s.p, item, "point"); }

void check_round(const Vec2& centre, double radius, std::string_view item) {
  require_finite_point(centre, item, "centre");
  require_positive(radius, fmt::format("{}: radius", item), "m");
}

void check(const Circle& s, std::string_view item) { check_round(s.centre, s.radius, item); }
void check(const Ring& s, std::string_view item) { check_round(s.centre, s.radius, item); }

void check(const Segment& s, std::string_view item) {
  require_finite_point(s.a, item, "first end");
  require_finite_point(s.b, item, "second end");
  if (s.a == s.b) throw InputError(fmt::format("{}: the ends of a segment must differ", item));
}

void check(const Line& s, std::string_view item) {
  require_finite_point(s.point, item, "point");
  require_finite_point(s.normal, item, "normal");
  if (std::abs(s.normal.norm() - 1) > 1e-12)
    throw InputError(
        fmt::format("{}: the normal must be of length 1, is {}", item, s.normal.norm()));
}

void check(const Polygon& s, std::string_view item) {
  const std::size_t n = s.corners.size();
  if (n < 3)
    throw InputError(fmt::format("{}: a polygon needs 3 corners or more, has {}", item, n));
  for (std::size_t i = 0; i < n; ++i) {
    require_finite_point(s.corners[i], item, fmt::format("corner {}", i + 1));
    if (s.corners[i] == s.corners[(i + 1) % n])
      throw InputError(
          fmt::format("{}: corners {} and {} are the same point", item, i + 1, (i + 1) % n + 1));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;  // neighbours
      if (meet(s.corners[i], s.corners[i + 1], s.corners[j], s.corners[(j + 1) % n]))
        throw InputError(
            fmt::format("{}: sides {} and {} of the polygon meet", item, i + 1, j + 1));
    }
  if (!(doubled_area(s) > 0))
    throw InputError(fmt::format("{}: the corners must run counter-clockwise", item));
}

void check(const Arc& s, std::string_view item) {
  check_round(s.centre, s.radius, item);
  require_finite(s.from, fmt::format("{}: from", item));
  require_finite(s.to, fmt::format("{}: to", item));
  if (!(s.from < s.to && s.to <= s.from + full_turn + 1e-12))
    throw InputError(fmt::format(
        "{}: an arc runs counter-clockwise, by one turn at most; it begins at {} rad and "
        "ends at {} rad",
        item, s.from, s.to));
}

void check_table(const Table& table, std::string_view item) {
  validate(table, item);
  if (table.extension != Extension::periodic ||
      std::abs(table.x.back() - table.x.front() - full_turn) > 1e-9)
    throw InputError(
        fmt::format("{}: a cam's table must be periodic and span one turn, spans {} rad", item,
                    table.x.back() - table.x.front()));
}

void check(const CamProfile& s, std::string_view item) {
  require_finite_point(s.centre, item, "centre");
  require_not_negative(s.base, fmt::format("{}: base", item), "m");
  if (s.meaning == CamFunction::roller)
    require_positive(s.roller_radius, fmt::format("{}: roller radius", item), "m");
  if (const auto* table = std::get_if<Table>(&s.function)) check_table(*table, item);
  const auto* expression = std::get_if<Expression>(&s.function);
  const TableFunction table(expression ? Table{{0, 1}, {0, 0}} : std::get<Table>(s.function));
  constexpr int samples = 360;
  for (int i = 0; i < samples; ++i) {
    const double angle = full_turn * i / samples;
    const double radius = s.base + (expression ? expression->at(angle) : table.at(angle));
    if (!(radius > 0 && std::isfinite(radius)))
      throw InputError(fmt::format(
          "{}: the radius must be positive at each angle, is {} m at {} deg", item, radius, i));
  }
}

}  // namespace

void validate(const Shape& shape, std::string_view item) {
  std::visit([&](const auto& s) { check(s, item); }, shape);
}

std::string_view kind_name(const Shape& shape) {
  constexpr std::string_view names[] = {"point", "circle",  "ring", "segment",
                                        "line",  "polygon", "arc",  "cam"};
  static_assert(std::size(names) == std::variant_size_v<Shape>);
  return names[shape.index()];
}

Polygon box(double length, double width) {
  require_positive(length, "box: length", "m");
  require_positive(width, "box: width", "m");
  const double x = length / 2, y = width / 2;
  return {{{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
}

double doubled_area(const Polygon& polygon) {
  double area = 0;
  const std::vector<Vec2>& c = polygon.corners;
  for (std::size_t i = 0; i < c.size(); ++i) area += cross(c[i], c[(i + 1) % c.size()]);
  return area;
}

}  // namespace backlash
