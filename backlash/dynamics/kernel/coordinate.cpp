// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/coordinate.h"

#include "backlash/base/plane.h"

namespace backlash::planar {
namespace {

struct Way {
  Vec2 axis_W, q_W;  ///< of body a; the moving point of b
};

Way way_of(const Coordinate& c, const Motion& m) {
  return {m.placement(c.a).direction(c.axis_A), m.placement(c.b).point(c.p_BQ)};
}

/// The line from P to Q; without direction where they coincide.
struct Line {
  Vec2 p_W, q_W, e_W = Vec2::Zero();  ///< points, and the unit vector from P to Q
  double length = 0;                  ///< [m]
};

Line line_of(const Coordinate& c, const Motion& m) {
  Line line{m.placement(c.a).point(c.p_AP), m.placement(c.b).point(c.p_BQ)};
  const Vec2 d = line.q_W - line.p_W;
  line.length = d.norm();
  if (line.length > 0) line.e_W = d / line.length;
  return line;
}

Vec2 spreading(const Coordinate& c, const Line& line, const Motion& m) {
  return m.velocity(c.b, line.q_W) - m.velocity(c.a, line.p_W);
}

}  // namespace

double value(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return m.angle(c.b) - m.angle(c.a) - c.zero;
  if (c.kind == Coordinate::Kind::distance) return line_of(c, m).length - c.zero;
  const Way way = way_of(c, m);
  return way.axis_W.dot(way.q_W - m.placement(c.a).point(c.p_AP)) - c.zero;
}

double rate(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return m.turning(c.b) - m.turning(c.a);
  if (c.kind == Coordinate::Kind::distance) {
    const Line line = line_of(c, m);
    return line.e_W.dot(spreading(c, line, m));
  }
  const Way way = way_of(c, m);
  return way.axis_W.dot(m.velocity(c.b, way.q_W) - m.velocity(c.a, way.q_W));
}

double rate_bias(const Coordinate& c, const Motion& m) {
  if (c.kind == Coordinate::Kind::angle) return 0;  // turnings add up: α = 0 while u̇ = 0
  if (c.kind == Coordinate::Kind::distance) {
    const Line line = line_of(c, m);
    const Vec2 relative = spreading(c, line, m);
    const double across = line.e_W.x() * relative.y() - line.e_W.y() * relative.x();
    const double turning = line.length > 0 ? across * across / line.length : 0;
    return line.e_W.dot(m.acceleration(c.b, line.q_W) - m.acceleration(c.a, line.p_W)) + turning;
  }
  const Way way = way_of(c, m);
  const Vec2 relative = m.velocity(c.b, way.q_W) - m.velocity(c.a, way.q_W);
  return way.axis_W.dot(m.acceleration(c.b, way.q_W) - m.acceleration(c.a, way.q_W)) +
         2 * cross(m.turning(c.a), way.axis_W).dot(relative);
}

void add_direction(const Coordinate& c, const Motion& m, double factor, VectorRef w) {
  if (c.kind == Coordinate::Kind::angle) {
    m.tree.add_moment(c.b, factor, w);
    m.tree.add_moment(c.a, -factor, w);
    return;
  }
  if (c.kind == Coordinate::Kind::distance) {
    const Line line = line_of(c, m);
    m.tree.add_force(m.cache, c.a, c.b, line.q_W, factor * line.e_W, w);
    return;
  }
  const Way way = way_of(c, m);
  m.tree.add_force(m.cache, c.a, c.b, way.q_W, factor * way.axis_W, w);
}

double value(const CoupledCoordinates& k, const Motion& m) {
  return value(k.second, m) - k.ratio * value(k.first, m) - k.constant;
}

double rate(const CoupledCoordinates& k, const Motion& m) {
  return rate(k.second, m) - k.ratio * rate(k.first, m);
}

double rate_bias(const CoupledCoordinates& k, const Motion& m) {
  return rate_bias(k.second, m) - k.ratio * rate_bias(k.first, m);
}

void add_direction(const CoupledCoordinates& k, const Motion& m, double factor, VectorRef w) {
  add_direction(k.second, m, factor, w);
  add_direction(k.first, m, -factor * k.ratio, w);
}

void add_loads(const Coordinate& c, const Motion& m, double strength, Loads& loads) {
  if (c.kind == Coordinate::Kind::angle) {
    loads.add({.body = c.b, .moment = strength});
    loads.add({.body = c.a, .moment = -strength});
  } else if (c.kind == Coordinate::Kind::distance) {
    const Line line = line_of(c, m);
    loads.add({.body = c.b, .p_W = line.q_W, .force = strength * line.e_W});
    loads.add({.body = c.a, .p_W = line.p_W, .force = -strength * line.e_W});
  } else {
    const Way way = way_of(c, m);
    loads.add({.body = c.b, .p_W = way.q_W, .force = strength * way.axis_W});
    loads.add({.body = c.a, .p_W = way.q_W, .force = -strength * way.axis_W});
  }
}

void add_loads(const CoupledCoordinates& k, const Motion& m, double strength, Loads& loads) {
  add_loads(k.second, m, strength, loads);
  add_loads(k.first, m, -k.ratio * strength, loads);
}

void add_force(const Load& load, const Motion& m, std::span<Screw> forces) {
  if (load.body < 0) return;
  Screw& sum = forces[static_cast<std::size_t>(load.body)];
  const Vec2 arm = load.p_W - m.tree.reference(m.cache, load.body);
  sum.turn += load.moment + arm.x() * load.force.y() - arm.y() * load.force.x();
  sum.x += load.force.x();
  sum.y += load.force.y();
}

void add_force(const Coordinate& c, const Motion& m, double strength, std::span<Screw> forces) {
  Loads loads;
  add_loads(c, m, strength, loads);
  for (const Load& load : loads.all()) add_force(load, m, forces);
}

}  // namespace backlash::planar
