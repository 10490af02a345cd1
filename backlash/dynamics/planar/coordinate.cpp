// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/coordinate.h"

namespace backlash::planar {
namespace {

struct Way {
  Vec2 axis_W, q_W;  ///< of body a; the moving point of b
};

Way way_of(const Coordinate& c, const Motion& m) {
  return {m.placement(c.a).direction(c.axis_A), m.placement(c.b).point(c.p_BQ)};
}

/// ω × d in the plane.
Vec2 turned(double omega, const Vec2& d) { return {-omega * d.y(), omega * d.x()}; }

}  // namespace

double value(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return m.angle(c.b) - m.angle(c.a) - c.zero;
  const Way way = way_of(c, m);
  return way.axis_W.dot(way.q_W - m.placement(c.a).point(c.p_AP)) - c.zero;
}

double rate(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return m.turning(c.b) - m.turning(c.a);
  const Way way = way_of(c, m);
  return way.axis_W.dot(m.velocity(c.b, way.q_W) - m.velocity(c.a, way.q_W));
}

double rate_bias(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return 0;  // turnings add up: α = 0 while u̇ = 0
  const Way way = way_of(c, m);
  const Vec2 relative = m.velocity(c.b, way.q_W) - m.velocity(c.a, way.q_W);
  return way.axis_W.dot(m.acceleration(c.b, way.q_W) - m.acceleration(c.a, way.q_W)) +
         2 * turned(m.turning(c.a), way.axis_W).dot(relative);
}

void add_direction(const Coordinate& c, const Motion& m, double factor, VectorRef w) {
  if (c.kind == Coordinate::Kind::angle) {
    m.tree.add_moment(c.b, factor, w);
    m.tree.add_moment(c.a, -factor, w);
    return;
  }
  const Way way = way_of(c, m);
  m.tree.add_force(m.cache, c.a, c.b, way.q_W, factor * way.axis_W, w);
}

void add_force(const Coordinate& c, const Motion& m, double strength, std::span<Screw> forces) {
  if (c.kind == Coordinate::Kind::angle) {
    if (c.b >= 0) forces[static_cast<std::size_t>(c.b)].turn += strength;
    if (c.a >= 0) forces[static_cast<std::size_t>(c.a)].turn -= strength;
    return;
  }
  const Way way = way_of(c, m);
  add_force_at(m, c.b, way.q_W, strength * way.axis_W, forces);
  add_force_at(m, c.a, way.q_W, -strength * way.axis_W, forces);
}

void add_force_at(const Motion& m, int body, const Vec2& p_W, const Vec2& force,
                  std::span<Screw> forces) {
  if (body < 0) return;
  const Vec2 arm = p_W - m.tree.reference(m.cache, body);
  Screw& sum = forces[static_cast<std::size_t>(body)];
  sum.turn += arm.x() * force.y() - arm.y() * force.x();
  sum.x += force.x();
  sum.y += force.y();
}

}  // namespace backlash::planar
