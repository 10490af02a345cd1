// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/force_element.h"

namespace backlash {
namespace {

/// What is left of a deflection outside of the dead band.
double beyond(double deflection, double dead_band) {
  if (deflection > dead_band) return deflection - dead_band;
  if (deflection < -dead_band) return deflection + dead_band;
  return 0;
}

/// c q̇, where it acts.
template <class S>
double damping_force(const CoordinateSpring<S>& s, double x, const Motion<S>& m) {
  const bool acts = s.damping != 0 && (s.damped_in_band || x != 0);
  return acts ? s.damping * rate(s.coordinate, m) : 0;
}

template <class S>
SpringStrength spring_strength(const CoordinateSpring<S>& s, const Motion<S>& m) {
  const double x = beyond(value(s.coordinate, m) - s.rest, s.dead_band);
  const double elastic = s.preload - s.stiffness * x;
  return one_sided(s, elastic, elastic - damping_force(s, x, m));
}
template <class S>
double strength(const CoordinateSpring<S>& s, const Motion<S>& m, double) {
  return spring_strength(s, m).all;
}
template <class S>
double energy_of(const CoordinateSpring<S>& s, const Motion<S>& m) {
  const double deflection = value(s.coordinate, m) - s.rest, x = beyond(deflection, s.dead_band);
  if (s.only != 0) {
    const double elastic = s.preload - s.stiffness * x;
    return s.only * elastic > 0 && s.stiffness > 0 ? elastic * elastic / (2 * s.stiffness) : 0;
  }
  return 0.5 * s.stiffness * x * x - s.preload * deflection;
}
template <class S>
double power_of(const CoordinateSpring<S>& s, const Motion<S>& m, const Motion<S>& along, double) {
  if (s.damping == 0) return 0;
  const SpringStrength f = spring_strength(s, m);
  return (f.all - f.elastic) * rate(s.coordinate, along);
}

template <class S>
double strength(const CoordinateForce<S>& f, const Motion<S>& m, double t) {
  return f.sign * evaluate(f.force, m, t);
}
template <class S>
double strength(const CoordinateMotor<S>& f, const Motion<S>& m, double t) {
  return evaluate(f.command, m, t) * f.stall * (1 - rate(f.coordinate, m) / f.no_load_speed);
}
template <class S>
double strength(const CoordinateTable<S>& f, const Motion<S>& m, double t) {
  return f.table.at(read(f.over, m, t));
}

template <class Kind, class S>
void add_to(const Kind& f, const Motion<S>& m, double t, std::span<Wrench<S>> forces) {
  add_force(f.coordinate, m, strength(f, m, t), forces);
}
template <class Kind, class S>
double energy_of(const Kind&, const Motion<S>&) {
  return 0;
}
template <class Kind, class S>
double power_of(const Kind& f, const Motion<S>& m, const Motion<S>& along, double t) {
  return strength(f, m, t) * rate(f.coordinate, along);
}

PlainVec2 components(const BodyForce<Plane>& f, const Motion<Plane>& m, double t) {
  return {evaluate(f.components[0], m, t), evaluate(f.components[1], m, t)};
}
Vec3 components(const BodyForce<Space>& f, const Motion<Space>& m, double t) {
  return {evaluate(f.components[0], m, t), evaluate(f.components[1], m, t),
          evaluate(f.components[2], m, t)};
}
template <class S>
typename S::Vec world_force(const BodyForce<S>& f, const Motion<S>& m, double t) {
  const typename S::Vec force = components(f, m, t);
  return f.in_body_axes ? m.pose(f.body).direction(force) : force;
}
template <class S>
void add_to(const BodyForce<S>& f, const Motion<S>& m, double t, std::span<Wrench<S>> forces) {
  const Load<S> load{f.body, m.pose(f.body).point(f.p_B), world_force(f, m, t)};
  add_force(load, m, forces);
}
template <class S>
double energy_of(const BodyForce<S>&, const Motion<S>&) {
  return 0;
}
template <class S>
double power_of(const BodyForce<S>& f, const Motion<S>& m, const Motion<S>& along, double t) {
  return world_force(f, m, t).dot(along.velocity(f.body, m.pose(f.body).point(f.p_B)));
}

double product(double a, double b) { return a * b; }
PlainVec2 product(const PlainVec2& a, const PlainVec2& b) { return {a.x() * b.x(), a.y() * b.y()}; }
Vec3 product(const Vec3& a, const Vec3& b) { return a.cwiseProduct(b); }

/// The rotation of G against F as a rotation vector in F's axes.
double rotation_between(double F, double G) { return G - F; }
Vec3 rotation_between(const Quaternion& F, const Quaternion& G) {
  return rotation_vector(inverse(F) * G);
}

/// The moment that does the work of `conjugate` along a rotation vector θ, both in F's axes
/// (theory 6.14).
double moment_along(double, double conjugate) { return conjugate; }
Vec3 moment_along(const Vec3& theta, const Vec3& conjugate) {
  const double angle = theta.norm();
  const double f = angle > 1e-3 ? (1 - angle / 2 / std::tan(angle / 2)) / (angle * angle)
                                : 1.0 / 12 + angle * angle / 720;
  return conjugate + 0.5 * theta.cross(conjugate) + f * theta.cross(theta.cross(conjugate));
}

/// Deflection of a bushing along and about F's axes, and its rates.
template <class S>
struct Deflection {
  typename S::Pose X_WF;
  typename S::Vec g_W, linear = S::Vec::Zero(), linear_rate = S::Vec::Zero();
  typename S::Angular angular = S::no_rotation(), angular_rate = S::no_rotation();
};

template <class S>
Deflection<S> deflection(const BushingForce<S>& k, const Motion<S>& m) {
  using Vec = typename S::Vec;
  const typename S::Rotation F = S::composed(m.rotation(k.a), k.rotation_AF),
                             G = S::composed(m.rotation(k.b), k.rotation_BG);
  Deflection<S> d{.X_WF = S::pose(F), .g_W = m.pose(k.b).point(k.p_BG)};
  S::set_origin(m.pose(k.a).point(k.p_AF), d.X_WF);
  d.linear = d.X_WF.local_point(d.g_W);
  d.angular = rotation_between(F, G);
  if (m.velocities.empty()) return d;
  d.linear_rate = d.X_WF.local_direction(Vec(m.velocity(k.b, d.g_W) - m.velocity(k.a, d.g_W)));
  d.angular_rate = S::local_direction(
      d.X_WF, typename S::Angular(m.angular_velocity(k.b) - m.angular_velocity(k.a)));
  return d;
}

/// On b, about G.
template <class S>
Wrench<S> load_of(const BushingForce<S>& k, const Deflection<S>& d) {
  const typename S::Vec force = d.X_WF.direction(
      typename S::Vec(-product(k.stiffness, d.linear) - product(k.damping, d.linear_rate)));
  const typename S::Angular elastic =
      moment_along(d.angular, product(k.angular_stiffness, d.angular));
  const typename S::Angular moment = S::direction(
      d.X_WF, typename S::Angular(-elastic - product(k.angular_damping, d.angular_rate)));
  return {moment, force};
}
template <class S>
void add_to(const BushingForce<S>& k, const Motion<S>& m, double, std::span<Wrench<S>> forces) {
  const Deflection<S> d = deflection(k, m);
  const Wrench<S> on_b = load_of(k, d);
  add_force(Load<S>{k.b, d.g_W, on_b.linear, on_b.angular}, m, forces);
  add_force(Load<S>{k.a, d.g_W, -on_b.linear, -on_b.angular}, m, forces);
}
template <class S>
double energy_of(const BushingForce<S>& k, const Motion<S>& m) {
  const Deflection<S> d = deflection(k, m);
  return 0.5 * (d.linear.dot(product(k.stiffness, d.linear)) +
                S::dot(d.angular, product(k.angular_stiffness, d.angular)));
}
template <class S>
double power_of(const BushingForce<S>& k, const Motion<S>& m, const Motion<S>& along, double) {
  const Deflection<S> d = deflection(k, m), a = deflection(k, along);
  return -a.linear_rate.dot(product(k.damping, d.linear_rate)) -
         S::dot(a.angular_rate, product(k.angular_damping, d.angular_rate));
}

}  // namespace

template <class S>
void add(const ForceKind<S>& force, const Motion<S>& motion, double t,
         std::span<Wrench<S>> forces) {
  std::visit([&](const auto& f) { add_to(f, motion, t, forces); }, force);
}

template <class S>
const Coordinate<S>* coordinate_of(const ForceKind<S>& force) {
  return std::visit(
      [](const auto& f) -> const Coordinate<S>* {
        if constexpr (requires { f.coordinate; })
          return &f.coordinate;
        else
          return nullptr;
      },
      force);
}

template <class S>
double strength(const ForceKind<S>& force, const Motion<S>& motion, double t) {
  return std::visit(
      [&](const auto& f) -> double {
        if constexpr (requires { f.coordinate; })
          return strength(f, motion, t);
        else
          return 0;
      },
      force);
}

template <class S>
Wrench<S> point_load(const ForceKind<S>& force, const Motion<S>& motion, double t) {
  if (const auto* f = std::get_if<BodyForce<S>>(&force))
    return {S::no_rotation(), world_force(*f, motion, t)};
  if (const auto* k = std::get_if<BushingForce<S>>(&force))
    return load_of(*k, deflection(*k, motion));
  return {};
}

template <class S>
double energy(const ForceKind<S>& force, const Motion<S>& motion) {
  return std::visit([&](const auto& f) { return energy_of(f, motion); }, force);
}

template <class S>
double power(const ForceKind<S>& force, const Motion<S>& motion, const Motion<S>& along, double t) {
  return std::visit([&](const auto& f) { return power_of(f, motion, along, t); }, force);
}

template void add(const ForceKind<Plane>&, const Motion<Plane>&, double, std::span<Wrench<Plane>>);
template const Coordinate<Plane>* coordinate_of(const ForceKind<Plane>&);
template double strength(const ForceKind<Plane>&, const Motion<Plane>&, double);
template Wrench<Plane> point_load(const ForceKind<Plane>&, const Motion<Plane>&, double);
template double energy(const ForceKind<Plane>&, const Motion<Plane>&);
template double power(const ForceKind<Plane>&, const Motion<Plane>&, const Motion<Plane>&, double);
template void add(const ForceKind<Space>&, const Motion<Space>&, double, std::span<Wrench<Space>>);
template const Coordinate<Space>* coordinate_of(const ForceKind<Space>&);
template double strength(const ForceKind<Space>&, const Motion<Space>&, double);
template Wrench<Space> point_load(const ForceKind<Space>&, const Motion<Space>&, double);
template double energy(const ForceKind<Space>&, const Motion<Space>&);
template double power(const ForceKind<Space>&, const Motion<Space>&, const Motion<Space>&, double);

}  // namespace backlash
