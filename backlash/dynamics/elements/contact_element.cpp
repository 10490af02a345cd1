// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/contact_element.h"

#include <cmath>

#include "backlash/base/plane.h"

namespace backlash::planar {
namespace {

using Found = std::optional<ContactKinematics>;

/// Of a corner against its side of the guide. Numbers one by one: pairs of them, put together and
/// read at once as Eigen does, would take several times as long, and gaps are what a step asks for
/// most.
SideDistance distance_of(const CornerInGuide& k, const Motion& m) {
  const Placement B = m.placement(k.b);
  double x = B.x + B.c * k.p_BC.x() - B.s * k.p_BC.y();  // the corner
  double y = B.y + B.s * k.p_BC.x() + B.c * k.p_BC.y();
  if (k.a >= 0) {  // in the axes of A
    const Placement A = m.placement(k.a);
    const double dx = x - A.x, dy = y - A.y;
    x = A.c * dx + A.s * dy;
    y = A.c * dy - A.s * dx;
  }
  x -= k.p_AP.x();
  y -= k.p_AP.y();
  const double along = k.axis_A.x() * x + k.axis_A.y() * y;
  return {k.half_width - k.side * (k.axis_A.x() * y - k.axis_A.y() * x),
          along >= k.from && along <= k.to};
}

/// Of a journal in its bearing, number by number as above.
double gap_of(const JournalInBearing& k, const Motion& m) {
  const Placement A = m.placement(k.a), B = m.placement(k.b);
  const double dx =
      B.x + B.c * k.p_BQ.x() - B.s * k.p_BQ.y() - (A.x + A.c * k.p_AP.x() - A.s * k.p_AP.y());
  const double dy =
      B.y + B.s * k.p_BQ.x() + B.c * k.p_BQ.y() - (A.y + A.s * k.p_AP.x() + A.c * k.p_AP.y());
  return k.gap - std::sqrt(dx * dx + dy * dy);
}

Found find(const JournalInBearing& k, const Motion& m, double reach) {
  const double gap = gap_of(k, m);
  if (gap > reach) return std::nullopt;
  const Vec2 p = m.placement(k.a).point(k.p_AP), q = m.placement(k.b).point(k.p_BQ);
  const double eccentricity = k.gap - gap;
  // Centred, every direction is as good as the next: take the bearing's own x.
  const Vec2 e =
      eccentricity > 0 ? Vec2((q - p) / eccentricity) : m.placement(k.a).direction(Vec2::UnitX());
  return ContactKinematics{.p_WA = p + (k.journal_radius + k.gap) * e,
                           .p_WB = q + k.journal_radius * e,
                           .n_W = -e,
                           .t_W = left_of(e),
                           .gap = gap};
}

Found find(const CornerInGuide& k, const Motion& m, double reach) {
  const SideDistance distance = distance_of(k, m);
  if (!distance.beside || distance.depth > reach) return std::nullopt;
  const Vec2 axis = m.placement(k.a).direction(k.axis_A), corner = m.placement(k.b).point(k.p_BC);
  const Vec2 across = k.side * left_of(axis);
  return ContactKinematics{.p_WA = corner + distance.depth * across,
                           .p_WB = corner,
                           .n_W = -across,
                           .t_W = axis,
                           .gap = distance.depth};
}

Found find(const GuideEndOnSlider& k, const Motion& m, double reach) {
  const Placement B = m.placement(k.b);
  const Vec2 end = m.placement(k.a).point(k.p_AE), axis = B.direction(k.axis_B);
  const Vec2 offset = end - B.point(k.p_BQ);
  const Vec2 across = k.side * left_of(axis);
  const double gap = across.dot(offset) - k.half_width;
  if (!(std::abs(axis.dot(offset)) < k.half_length) || gap > reach) return std::nullopt;
  return ContactKinematics{
      .p_WA = end, .p_WB = end - gap * across, .n_W = -across, .t_W = axis, .gap = gap};
}

Found find(const ShapeContact& k, const Motion& m, double reach) {
  const ClosestPoints closest = closest_points(k.pair, m.placement(k.a), m.placement(k.b));
  if (closest.gap > reach) return std::nullopt;
  return ContactKinematics{.p_WA = closest.p_WA,
                           .p_WB = closest.p_WB,
                           .n_W = closest.n_W,
                           .t_W = Vec2(closest.n_W.y(), -closest.n_W.x()),
                           .gap = closest.gap};
}

/// A limit on a coordinate: it has no normal, and a point only for output.
Found find_limit(const Coordinate& c, double gap, const Motion& m, double reach) {
  if (gap > reach) return std::nullopt;
  const Vec2 p_W = m.placement(c.b).point(c.p_BQ);
  return ContactKinematics{.p_WA = p_W, .p_WB = p_W, .gap = gap};
}
Found find(const Stop& k, const Motion& m, double reach) {
  return find_limit(k.coordinate, k.sign * (value(k.coordinate, m) - k.limit), m, reach);
}
Found find(const OneWay& k, const Motion& m, double reach) {
  return find_limit(k.coordinate, 0, m, reach);
}
Found find(const ToothFlank& k, const Motion& m, double reach) {
  return find_limit(k.coupling.second, k.gap + k.sign * value(k.coupling, m), m, reach);
}

/// What a limit limits; bodies that touch have none.
template <class Kind>
std::nullptr_t limited(const Kind&) {
  return nullptr;
}
const Coordinate* limited(const Stop& k) { return &k.coordinate; }
const Coordinate* limited(const OneWay& k) { return &k.coordinate; }
const CoupledCoordinates* limited(const ToothFlank& k) { return &k.coupling; }

bool is_angle(const Coordinate& c) { return c.kind == Coordinate::Kind::angle; }
bool is_angle(const CoupledCoordinates& c) { return is_angle(c.second); }

/// Calls touching(a, b) for bodies that touch, or limit(coordinates, sign) for a limit.
template <class Touching, class Limit>
auto either(const ContactKind& contact, Touching&& touching, Limit&& limit) {
  return std::visit(
      [&](const auto& k) {
        if constexpr (std::is_same_v<decltype(limited(k)), std::nullptr_t>)
          return touching(k.a, k.b);
        else
          return limit(*limited(k), k.sign);
      },
      contact);
}

}  // namespace

SideDistance distance_to_side(const CornerInGuide& k, const Motion& m) { return distance_of(k, m); }

std::optional<ContactKinematics> touch(const ContactKind& contact, const Motion& motion,
                                       double reach) {
  return std::visit([&](const auto& k) { return find(k, motion, reach); }, contact);
}

void write_rows(const ContactKind& contact, const ContactKinematics& at, const Motion& m,
                MatrixRef W) {
  either(
      contact,
      [&](int a, int b) {
        const auto add = [&](const Vec2& direction, Eigen::Index column) {
          m.tree.add_force(m.cache, b, at.p_WB, direction, W.col(column));
          m.tree.add_force(m.cache, a, at.p_WA, -direction, W.col(column));
        };
        add(at.n_W, 0);
        if (W.cols() > 1) add(at.t_W, 1);
      },
      [&](const auto& coordinate, double sign) { add_direction(coordinate, m, sign, W.col(0)); });
}

Loads loads(const ContactKind& contact, const ContactKinematics& at, const Motion& m, double normal,
            double tangential) {
  Loads all;
  either(
      contact,
      [&](int a, int b) {
        const Vec2 force = normal * at.n_W + tangential * at.t_W;
        all.add({.body = b, .p_W = at.p_WB, .force = force});
        all.add({.body = a, .p_W = at.p_WA, .force = -force});
      },
      [&](const auto& coordinate, double sign) { add_loads(coordinate, m, sign * normal, all); });
  return all;
}

std::array<double, 2> rates(const ContactKind& contact, const ContactKinematics& at,
                            const Motion& m) {
  using Rates = std::array<double, 2>;
  return either(
      contact,
      [&](int a, int b) {
        const Vec2 v = m.velocity(b, at.p_WB) - m.velocity(a, at.p_WA);
        return Rates{at.n_W.dot(v), at.t_W.dot(v)};
      },
      [&](const auto& coordinate, double sign) {
        return Rates{sign * rate(coordinate, m), 0};
      });
}

bool is_angular(const ContactKind& contact) {
  return either(
      contact, [](int, int) { return false; },
      [](const auto& coordinate, double) { return is_angle(coordinate); });
}

}  // namespace backlash::planar
