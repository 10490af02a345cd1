// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/contact_element.h"

#include <cmath>

#include "backlash/base/plane.h"

namespace backlash::planar {
namespace {

/// Two points that touch or nearly do, and the directions of the rows.
struct ContactKinematics {
  int a = -1, b = -1;
  Vec2 p_WA = Vec2::Zero(), p_WB = Vec2::Zero();
  Vec2 n_W = Vec2::Zero();  ///< from a into b
  Vec2 t_W = Vec2::Zero();
  double gap = open_far;
};

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

double gap_at(const SideDistance& distance) { return distance.beside ? distance.depth : open_far; }

ContactKinematics touch(const JournalInBearing& k, const Motion& m) {
  const Vec2 p = m.placement(k.a).point(k.p_AP), q = m.placement(k.b).point(k.p_BQ);
  const Vec2 offset = q - p;
  const double eccentricity = offset.norm();
  // Centred, every direction is as good as the next: take the bearing's own x.
  const Vec2 e =
      eccentricity > 0 ? Vec2(offset / eccentricity) : m.placement(k.a).direction(Vec2::UnitX());
  return {.a = k.a,
          .b = k.b,
          .p_WA = p + (k.journal_radius + k.gap) * e,
          .p_WB = q + k.journal_radius * e,
          .n_W = -e,
          .t_W = left_of(e),
          .gap = k.gap - eccentricity};
}

ContactKinematics touch(const CornerInGuide& k, const Motion& m) {
  const SideDistance distance = distance_of(k, m);
  const Vec2 axis = m.placement(k.a).direction(k.axis_A), corner = m.placement(k.b).point(k.p_BC);
  const Vec2 across = k.side * left_of(axis);
  return {.a = k.a,
          .b = k.b,
          .p_WA = corner + distance.depth * across,
          .p_WB = corner,
          .n_W = -across,
          .t_W = axis,
          .gap = gap_at(distance)};
}

ContactKinematics touch(const GuideEndOnSlider& k, const Motion& m) {
  const Placement B = m.placement(k.b);
  const Vec2 end = m.placement(k.a).point(k.p_AE), axis = B.direction(k.axis_B);
  const Vec2 offset = end - B.point(k.p_BQ);
  const Vec2 across = k.side * left_of(axis);
  const double gap = across.dot(offset) - k.half_width;
  const bool beside = std::abs(axis.dot(offset)) < k.half_length;
  return {.a = k.a,
          .b = k.b,
          .p_WA = end,
          .p_WB = end - gap * across,
          .n_W = -across,
          .t_W = axis,
          .gap = beside ? gap : open_far};
}

ContactKinematics touch(const ShapeContact& k, const Motion& m) {
  const ClosestPoints closest = closest_points(k.pair, m.placement(k.a), m.placement(k.b));
  return {.a = k.a,
          .b = k.b,
          .p_WA = closest.p_WA,
          .p_WB = closest.p_WB,
          .n_W = closest.n_W,
          .t_W = Vec2(closest.n_W.y(), -closest.n_W.x()),
          .gap = closest.gap};
}

template <class Kind>
double gap_of(const Kind& k, const Motion& m) {
  return touch(k, m).gap;
}
double gap_of(const CornerInGuide& k, const Motion& m) { return gap_at(distance_of(k, m)); }
double gap_of(const JournalInBearing& k, const Motion& m) {
  const Placement A = m.placement(k.a), B = m.placement(k.b);
  const double dx =
      B.x + B.c * k.p_BQ.x() - B.s * k.p_BQ.y() - (A.x + A.c * k.p_AP.x() - A.s * k.p_AP.y());
  const double dy =
      B.y + B.s * k.p_BQ.x() + B.c * k.p_BQ.y() - (A.y + A.s * k.p_AP.x() + A.c * k.p_AP.y());
  return k.gap - std::sqrt(dx * dx + dy * dy);
}
double gap_of(const Stop& k, const Motion& m) {
  return k.sign * (value(k.coordinate, m) - k.limit);
}
double gap_of(const OneWay&, const Motion&) { return 0; }
double gap_of(const ToothFlank& k, const Motion& m) {
  return k.gap + k.sign * value(k.coupling, m);
}

template <class Kind>
void rows_of(const Kind& k, const Motion& m, MatrixRef W) {
  const ContactKinematics touching = touch(k, m);
  const auto add = [&](const Vec2& direction, Eigen::Index column) {
    m.tree.add_force(m.cache, touching.b, touching.p_WB, direction, W.col(column));
    m.tree.add_force(m.cache, touching.a, touching.p_WA, -direction, W.col(column));
  };
  add(touching.n_W, 0);
  if (W.cols() > 1) add(touching.t_W, 1);
}
void rows_of(const Stop& k, const Motion& m, MatrixRef W) {
  add_direction(k.coordinate, m, k.sign, W.col(0));
}
void rows_of(const OneWay& k, const Motion& m, MatrixRef W) {
  add_direction(k.coordinate, m, k.sign, W.col(0));
}
void rows_of(const ToothFlank& k, const Motion& m, MatrixRef W) {
  add_direction(k.coupling, m, k.sign, W.col(0));
}

template <class Kind>
void load(const Kind& k, const Motion& m, double normal, double tangential, Loads& loads) {
  const ContactKinematics touching = touch(k, m);
  const Vec2 force = normal * touching.n_W + tangential * touching.t_W;
  loads.add({.body = touching.b, .p_W = touching.p_WB, .force = force});
  loads.add({.body = touching.a, .p_W = touching.p_WA, .force = -force});
}
void load(const Stop& k, const Motion& m, double normal, double, Loads& loads) {
  add_loads(k.coordinate, m, k.sign * normal, loads);
}
void load(const OneWay& k, const Motion& m, double normal, double, Loads& loads) {
  add_loads(k.coordinate, m, k.sign * normal, loads);
}
void load(const ToothFlank& k, const Motion& m, double normal, double, Loads& loads) {
  add_loads(k.coupling, m, k.sign * normal, loads);
}

template <class Kind>
PointAndNormal point_of(const Kind& k, const Motion& m) {
  const ContactKinematics touching = touch(k, m);
  return {touching.p_WB, touching.n_W};
}
PointAndNormal point_of(const Coordinate& c, const Motion& m) {
  return {m.placement(c.b).point(c.p_BQ), Vec2::Zero()};
}
PointAndNormal point_of(const Stop& k, const Motion& m) { return point_of(k.coordinate, m); }
PointAndNormal point_of(const OneWay& k, const Motion& m) { return point_of(k.coordinate, m); }
PointAndNormal point_of(const ToothFlank& k, const Motion& m) {
  return point_of(k.coupling.second, m);
}

double rate_of(const Stop& k, const Motion& m) { return k.sign * rate(k.coordinate, m); }
double rate_of(const OneWay& k, const Motion& m) { return k.sign * rate(k.coordinate, m); }
double rate_of(const ToothFlank& k, const Motion& m) { return k.sign * rate(k.coupling, m); }

template <class Kind>
PairMotion motion_of(const Kind& k, const Motion& m) {
  if constexpr (requires { touch(k, m); }) {
    const ContactKinematics at = touch(k, m);
    const Vec2 v = m.velocity(at.b, at.p_WB) - m.velocity(at.a, at.p_WA);
    return {at.gap, at.n_W.dot(v), at.t_W.dot(v), at.p_WB, at.n_W};
  } else {
    const auto [p_W, n_W] = point_of(k, m);
    return {gap_of(k, m), rate_of(k, m), 0, p_W, n_W};
  }
}

}  // namespace

SideDistance distance_to_side(const CornerInGuide& k, const Motion& m) { return distance_of(k, m); }

double gap(const ContactKind& contact, const Motion& motion) {
  return std::visit([&](const auto& k) { return gap_of(k, motion); }, contact);
}

void write_rows(const ContactKind& contact, const Motion& motion, MatrixRef W) {
  std::visit([&](const auto& k) { rows_of(k, motion, W); }, contact);
}

Loads loads(const ContactKind& contact, const Motion& motion, double normal, double tangential) {
  Loads all;
  std::visit([&](const auto& k) { load(k, motion, normal, tangential, all); }, contact);
  return all;
}

PointAndNormal point_and_normal(const ContactKind& contact, const Motion& motion) {
  return std::visit([&](const auto& k) { return point_of(k, motion); }, contact);
}

PairMotion pair_motion(const ContactKind& contact, const Motion& motion) {
  return std::visit([&](const auto& k) { return motion_of(k, motion); }, contact);
}

}  // namespace backlash::planar
