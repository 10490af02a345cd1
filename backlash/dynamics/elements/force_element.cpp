// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/force_element.h"

namespace backlash::planar {
namespace {

/// What is left of a deflection outside of the dead band.
double beyond(double deflection, double dead_band) {
  if (deflection > dead_band) return deflection - dead_band;
  if (deflection < -dead_band) return deflection + dead_band;
  return 0;
}

/// c q̇, where it acts.
double damping_force(const CoordinateSpring& s, double x, const Motion& m) {
  const bool acts = s.damping != 0 && (s.damped_in_band || x != 0);
  return acts ? s.damping * rate(s.coordinate, m) : 0;
}

void add_to(const CoordinateSpring& s, const Motion& m, double, std::span<Screw> forces) {
  const double x = beyond(value(s.coordinate, m) - s.rest, s.dead_band);
  add_force(s.coordinate, m, s.preload - s.stiffness * x - damping_force(s, x, m), forces);
}
double energy_of(const CoordinateSpring& s, const Motion& m) {
  const double deflection = value(s.coordinate, m) - s.rest, x = beyond(deflection, s.dead_band);
  return 0.5 * s.stiffness * x * x - s.preload * deflection;
}
double power_of(const CoordinateSpring& s, const Motion& m, double) {
  if (s.damping == 0) return 0;
  const double x = beyond(value(s.coordinate, m) - s.rest, s.dead_band);
  return -damping_force(s, x, m) * rate(s.coordinate, m);
}

double strength(const CoordinateForce& f, const Motion& m, double t) {
  return evaluate(f.force, m, t);
}
double strength(const CoordinateMotor& f, const Motion& m, double t) {
  return evaluate(f.command, m, t) * f.stall * (1 - rate(f.coordinate, m) / f.no_load_speed);
}
double strength(const CoordinateTable& f, const Motion& m, double t) {
  return f.table.at(read(f.over, m, t));
}

template <class Kind>
void add_to(const Kind& f, const Motion& m, double t, std::span<Screw> forces) {
  add_force(f.coordinate, m, strength(f, m, t), forces);
}
template <class Kind>
double energy_of(const Kind&, const Motion&) {
  return 0;
}
template <class Kind>
double power_of(const Kind& f, const Motion& m, double t) {
  return strength(f, m, t) * rate(f.coordinate, m);
}

Vec2 world_force(const BodyForce& f, const Motion& m, double t) {
  const Vec2 force(evaluate(f.x, m, t), evaluate(f.y, m, t));
  return f.in_body_axes ? m.placement(f.body).direction(force) : force;
}
void add_to(const BodyForce& f, const Motion& m, double t, std::span<Screw> forces) {
  const Vec2 p_W = m.placement(f.body).point(f.p_B);
  add_force({.body = f.body, .p_W = p_W, .force = world_force(f, m, t)}, m, forces);
}
double energy_of(const BodyForce&, const Motion&) { return 0; }
double power_of(const BodyForce& f, const Motion& m, double t) {
  return world_force(f, m, t).dot(m.velocity(f.body, m.placement(f.body).point(f.p_B)));
}

/// Deflection of a bushing along F's axes and in angle, and its rate.
struct Deflection {
  Vec3 x = Vec3::Zero(), rate = Vec3::Zero();
  Vec2 axis_W[2];
  Vec2 g_W = Vec2::Zero();
};

Deflection deflection(const BushingForce& k, const Motion& m) {
  Deflection d;
  d.axis_W[0] = m.placement(k.a).direction(rotated(k.angle_AF, Vec2::UnitX()));
  d.axis_W[1] = {-d.axis_W[0].y(), d.axis_W[0].x()};
  d.g_W = m.placement(k.b).point(k.p_BG);
  const Vec2 offset = d.g_W - m.placement(k.a).point(k.p_AF);
  for (int i = 0; i < 2; ++i) d.x[i] = d.axis_W[i].dot(offset);
  d.x[2] = m.angle(k.b) + k.angle_BG - m.angle(k.a) - k.angle_AF;
  if (m.velocities.empty()) return d;
  const Vec2 relative = m.velocity(k.b, d.g_W) - m.velocity(k.a, d.g_W);
  for (int i = 0; i < 2; ++i) d.rate[i] = d.axis_W[i].dot(relative);
  d.rate[2] = m.turning(k.b) - m.turning(k.a);
  return d;
}

void add_to(const BushingForce& k, const Motion& m, double, std::span<Screw> forces) {
  const Deflection d = deflection(k, m);
  const Vec3 f = -k.stiffness.cwiseProduct(d.x) - k.damping.cwiseProduct(d.rate);
  const Vec2 force = f[0] * d.axis_W[0] + f[1] * d.axis_W[1];
  add_force({.body = k.b, .p_W = d.g_W, .force = force, .moment = f[2]}, m, forces);
  add_force({.body = k.a, .p_W = d.g_W, .force = -force, .moment = -f[2]}, m, forces);
}
double energy_of(const BushingForce& k, const Motion& m) {
  const Vec3 x = deflection(k, m).x;
  return 0.5 * x.dot(k.stiffness.cwiseProduct(x));
}
double power_of(const BushingForce& k, const Motion& m, double) {
  const Vec3 rate = deflection(k, m).rate;
  return -rate.dot(k.damping.cwiseProduct(rate));
}

}  // namespace

void add(const ForceKind& force, const Motion& motion, double t, std::span<Screw> forces) {
  std::visit([&](const auto& f) { add_to(f, motion, t, forces); }, force);
}

double energy(const ForceKind& force, const Motion& motion) {
  return std::visit([&](const auto& f) { return energy_of(f, motion); }, force);
}

double power(const ForceKind& force, const Motion& motion, double t) {
  return std::visit([&](const auto& f) { return power_of(f, motion, t); }, force);
}

}  // namespace backlash::planar
