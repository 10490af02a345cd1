// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/coordinate.h"

#include <cmath>
#include <numbers>

namespace backlash {
namespace {

double angle(const Coordinate<Plane>& c, const Motion<Plane>& m) {
  return m.rotation(c.b) - m.rotation(c.a);
}

double angle(const Coordinate<Space>& c, const Motion<Space>& m) {
  const AngleMeasure<Space>& k = c.measure;
  if (k.carried >= 0) return bodies_in<Space>(m.cache)[k.carried].angle;
  const Vec3 x_A = k.zero_A, x_B = m.pose(c.a).local_direction(m.pose(c.b).direction(k.zero_B));
  return std::atan2(k.axis_A.dot(x_A.cross(x_B)), x_A.dot(x_B));
}

/// The axis of an angle, in the world.
double angle_axis(const Coordinate<Plane>&, const Motion<Plane>&) { return 1; }
Vec3 angle_axis(const Coordinate<Space>& c, const Motion<Space>& m) {
  return m.pose(c.a).direction(c.measure.axis_A);
}

/// Angular velocities add up in the plane: α = 0 while u̇ = 0.
double angle_bias(const Coordinate<Plane>&, const Motion<Plane>&) { return 0; }
double angle_bias(const Coordinate<Space>& c, const Motion<Space>& m) {
  const Vec3 axis = angle_axis(c, m);
  return axis.dot(m.angular_acceleration(c.b) - m.angular_acceleration(c.a)) +
         m.angular_velocity(c.a).cross(axis).dot(m.angular_velocity(c.b));
}

template <class S>
struct Displacement {
  typename S::Vec axis_W, q_W;  ///< of body a; the moving point of b
};

template <class S>
Displacement<S> displacement_of(const Coordinate<S>& c, const Motion<S>& m) {
  return {m.pose(c.a).direction(c.axis_A), m.pose(c.b).point(c.p_BQ)};
}

/// The line from P to Q; without direction where they coincide.
template <class S>
struct Connection {
  typename S::Vec p_W, q_W;              ///< its ends
  typename S::Vec e_W = S::Vec::Zero();  ///< unit, from P to Q
  double length = 0;                     ///< [m]
};

template <class S>
Connection<S> connection_of(const Coordinate<S>& c, const Motion<S>& m) {
  Connection<S> line{m.pose(c.a).point(c.p_AP), m.pose(c.b).point(c.p_BQ)};
  const typename S::Vec d = line.q_W - line.p_W;
  line.length = d.norm();
  if (line.length > 0) line.e_W = d / line.length;
  return line;
}

/// The velocity of Q against P.
template <class S>
typename S::Vec spreading(const Coordinate<S>& c, const Connection<S>& line, const Motion<S>& m) {
  return m.velocity(c.b, line.q_W) - m.velocity(c.a, line.p_W);
}

}  // namespace

template <class S>
double value(const Coordinate<S>& c, const Motion<S>& m) {
  using Kind = typename Coordinate<S>::Kind;
  if (c.kind == Kind::angle) return angle(c, m) - c.zero;
  if (c.kind == Kind::distance) return connection_of(c, m).length - c.zero;
  const Displacement<S> d = displacement_of(c, m);
  return d.axis_W.dot(typename S::Vec(d.q_W - m.pose(c.a).point(c.p_AP))) - c.zero;
}

template <class S>
double deviation(const Coordinate<S>& c, const Motion<S>& m, double from) {
  const double difference = value(c, m) - from;
  return counts_turns(c) ? difference : std::remainder(difference, 2 * std::numbers::pi);
}

template <class S>
double rate(const Coordinate<S>& c, const Motion<S>& m) {
  using Kind = typename Coordinate<S>::Kind;
  if (c.kind == Kind::angle)
    return S::dot(angle_axis(c, m), m.angular_velocity(c.b) - m.angular_velocity(c.a));
  if (c.kind == Kind::distance) {
    const Connection<S> line = connection_of(c, m);
    return line.e_W.dot(spreading(c, line, m));
  }
  const Displacement<S> d = displacement_of(c, m);
  return d.axis_W.dot(typename S::Vec(m.velocity(c.b, d.q_W) - m.velocity(c.a, d.q_W)));
}

template <class S>
double rate_bias(const Coordinate<S>& c, const Motion<S>& m) {
  using Vec = typename S::Vec;
  using Kind = typename Coordinate<S>::Kind;
  if (c.kind == Kind::angle) return angle_bias(c, m);
  if (c.kind == Kind::distance) {
    const Connection<S> line = connection_of(c, m);
    const Vec relative = spreading(c, line, m), a = m.acceleration(c.b, line.q_W),
              b = m.acceleration(c.a, line.p_W);
    const double along = line.e_W.dot(relative);
    const Vec across = relative - along * line.e_W;
    return line.e_W.dot(Vec(a - b)) + (line.length > 0 ? across.squaredNorm() / line.length : 0);
  }
  const Displacement<S> d = displacement_of(c, m);
  const Vec relative = m.velocity(c.b, d.q_W) - m.velocity(c.a, d.q_W);
  const Vec drift = m.acceleration(c.b, d.q_W) - m.acceleration(c.a, d.q_W);
  return d.axis_W.dot(drift) + 2 * S::cross(m.angular_velocity(c.a), d.axis_W).dot(relative);
}

template <class S>
void add_direction(const Coordinate<S>& c, const Motion<S>& m, double factor, VectorRef w) {
  using Kind = typename Coordinate<S>::Kind;
  if (c.kind == Kind::angle) {
    const typename S::Angular moment = factor * angle_axis(c, m);
    m.tree.add_moment(m.cache, c.b, moment, w);
    m.tree.add_moment(m.cache, c.a, -moment, w);
  } else if (c.kind == Kind::distance) {
    const Connection<S> line = connection_of(c, m);
    m.tree.add_force(m.cache, c.a, c.b, line.q_W, factor * line.e_W, w);
  } else {
    const Displacement<S> d = displacement_of(c, m);
    m.tree.add_force(m.cache, c.a, c.b, d.q_W, factor * d.axis_W, w);
  }
}

template <class S>
double value(const CoupledCoordinates<S>& k, const Motion<S>& m) {
  return value(k.second, m) - k.ratio * value(k.first, m) - k.constant;
}

template <class S>
double rate(const CoupledCoordinates<S>& k, const Motion<S>& m) {
  return rate(k.second, m) - k.ratio * rate(k.first, m);
}

template <class S>
double rate_bias(const CoupledCoordinates<S>& k, const Motion<S>& m) {
  return rate_bias(k.second, m) - k.ratio * rate_bias(k.first, m);
}

template <class S>
void add_direction(const CoupledCoordinates<S>& k, const Motion<S>& m, double factor, VectorRef w) {
  add_direction(k.second, m, factor, w);
  add_direction(k.first, m, -factor * k.ratio, w);
}

template <class S>
void add_loads(const Coordinate<S>& c, const Motion<S>& m, double strength, Loads<S>& loads) {
  using Kind = typename Coordinate<S>::Kind;
  const auto add = [&](int body, const typename S::Vec& p_W, const typename S::Vec& force) {
    Load<S> load;
    load.body = body;
    load.p_W = p_W;
    load.force = force;
    loads.add(load);
  };
  if (c.kind == Kind::angle) {
    const typename S::Angular moment = strength * angle_axis(c, m);
    loads.add({.body = c.b, .moment = moment});
    loads.add({.body = c.a, .moment = -moment});
  } else if (c.kind == Kind::distance) {
    const Connection<S> line = connection_of(c, m);
    add(c.b, line.q_W, strength * line.e_W);
    add(c.a, line.p_W, -strength * line.e_W);
  } else {
    const Displacement<S> d = displacement_of(c, m);
    add(c.b, d.q_W, strength * d.axis_W);
    add(c.a, d.q_W, -strength * d.axis_W);
  }
}

template <class S>
void add_loads(const CoupledCoordinates<S>& k, const Motion<S>& m, double strength,
               Loads<S>& loads) {
  add_loads(k.second, m, strength, loads);
  add_loads(k.first, m, -k.ratio * strength, loads);
}

template <class S>
void add_force(const Coordinate<S>& c, const Motion<S>& m, double strength,
               std::span<Wrench<S>> forces) {
  Loads<S> loads;
  add_loads(c, m, strength, loads);
  for (const Load<S>& load : loads.all()) add_force(load, m, forces);
}

template double value(const Coordinate<Plane>&, const Motion<Plane>&);
template double deviation(const Coordinate<Plane>&, const Motion<Plane>&, double);
template double rate(const Coordinate<Plane>&, const Motion<Plane>&);
template double rate_bias(const Coordinate<Plane>&, const Motion<Plane>&);
template void add_direction(const Coordinate<Plane>&, const Motion<Plane>&, double, VectorRef);
template void add_loads(const Coordinate<Plane>&, const Motion<Plane>&, double, Loads<Plane>&);
template double value(const CoupledCoordinates<Plane>&, const Motion<Plane>&);
template double rate(const CoupledCoordinates<Plane>&, const Motion<Plane>&);
template double rate_bias(const CoupledCoordinates<Plane>&, const Motion<Plane>&);
template void add_direction(const CoupledCoordinates<Plane>&, const Motion<Plane>&, double,
                            VectorRef);
template void add_loads(const CoupledCoordinates<Plane>&, const Motion<Plane>&, double,
                        Loads<Plane>&);
template void add_force(const Coordinate<Plane>&, const Motion<Plane>&, double,
                        std::span<Wrench<Plane>>);
template double value(const Coordinate<Space>&, const Motion<Space>&);
template double deviation(const Coordinate<Space>&, const Motion<Space>&, double);
template double rate(const Coordinate<Space>&, const Motion<Space>&);
template double rate_bias(const Coordinate<Space>&, const Motion<Space>&);
template void add_direction(const Coordinate<Space>&, const Motion<Space>&, double, VectorRef);
template void add_loads(const Coordinate<Space>&, const Motion<Space>&, double, Loads<Space>&);
template double value(const CoupledCoordinates<Space>&, const Motion<Space>&);
template double rate(const CoupledCoordinates<Space>&, const Motion<Space>&);
template double rate_bias(const CoupledCoordinates<Space>&, const Motion<Space>&);
template void add_direction(const CoupledCoordinates<Space>&, const Motion<Space>&, double,
                            VectorRef);
template void add_loads(const CoupledCoordinates<Space>&, const Motion<Space>&, double,
                        Loads<Space>&);
template void add_force(const Coordinate<Space>&, const Motion<Space>&, double,
                        std::span<Wrench<Space>>);

}  // namespace backlash
