// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/planar_changes.h"

#include <cmath>

namespace backlash {
namespace {

using Vec = PlainVec2;
using Spring = CoordinateSpring<Plane>;

double component_of(const Vec& v, int i) { return i == 0 ? v.x() : i == 1 ? v.y() : 0; }

Varied vary(const Formula<Plane>::Input& input, const VariedMotion& v, double t) {
  using Kind = Formula<Plane>::Input::Kind;
  const double now = read<Plane>(input, v.motion, t);
  const int i = input.component;
  const auto origin = [&] { return Plane::origin(v.motion.pose(input.body)); };
  switch (input.kind) {
    case Kind::time:
      return {now, v.time};
    case Kind::position:
      return vary(input.coordinate, v).value;
    case Kind::rate:
      return vary(input.coordinate, v).rate;
    case Kind::origin:
      return {now, component_of(v.shift(input.body, origin()), i)};
    case Kind::velocity:
      return {now, component_of(v.rate(input.body, origin(), v.shift(input.body, origin())), i)};
    case Kind::angle:
      return {now, v.turn(input.body)};
    case Kind::angular_velocity:
      return {now, i == 2 ? v.angular_rate(input.body) : 0};
    case Kind::state:
      return {now, i == v.state ? 1.0 : 0.0};
    case Kind::gap:
    case Kind::measured:
      return {now, 0};
  }
  return {};
}

/// Strength along the coordinate of the force, and its change.
Varied strength(const Spring& s, const VariedMotion& v, double) {
  const auto [value, rate] = vary(s.coordinate, v);
  const double deflection = value.value - s.rest;
  const bool beyond = s.dead_band == 0 || std::abs(deflection) > s.dead_band;
  const double x = beyond ? deflection - std::copysign(s.dead_band, deflection) : 0;
  const double damping = s.damped_in_band || x != 0 ? s.damping : 0;
  const double elastic = s.preload - s.stiffness * x;
  const SpringStrength sum = one_sided(s, elastic, elastic - damping * rate.value);
  if (!sum.acts) return {sum.all, 0};
  return {sum.all, -s.stiffness * (beyond ? value.change : 0) - damping * rate.change};
}
Varied strength(const CoordinateForce<Plane>& f, const VariedMotion& v, double t) {
  const Varied strength = vary(f.force, v, t);
  return {f.sign * strength.value, f.sign * strength.change};
}
Varied strength(const CoordinateMotor<Plane>& f, const VariedMotion& v, double t) {
  const Varied command = vary(f.command, v, t), rate = vary(f.coordinate, v).rate;
  const double load = f.stall * (1 - rate.value / f.no_load_speed);
  return {command.value * load,
          command.change * load - command.value * f.stall * rate.change / f.no_load_speed};
}
Varied strength(const CoordinateTable<Plane>& f, const VariedMotion& v, double t) {
  const Varied over = vary(f.over, v, t);
  const Jet jet = f.table.jet(over.value);
  return {jet.value, jet.first * over.change};
}

template <class Kind>
void add_to(const Kind& f, const VariedMotion& v, double t, const VariedForces& sum) {
  add_force(f.coordinate, v, strength(f, v, t), sum);
}

void add_to(const BodyForce<Plane>& f, const VariedMotion& v, double t, const VariedForces& sum) {
  const Varied x = vary(f.components[0], v, t), y = vary(f.components[1], v, t);
  const Pose2 B = v.motion.pose(f.body);
  Vec force(x.value, y.value), change(x.change, y.change);
  if (f.in_body_axes) {
    force = B.direction(force);
    change = B.direction(change) + v.turned(f.body, force);
  }
  const Vec p = B.point(f.p_B);
  add({.load = {f.body, p, force}, .change = {f.body, v.shift(f.body, p), change}}, v, sum);
}

Vec scaled(const Vec& factors, const Vec& v) { return {factors.x() * v.x(), factors.y() * v.y()}; }

void add_to(const BushingForce<Plane>& k, const VariedMotion& v, double, const VariedForces& sum) {
  const Motion<Plane>& m = v.motion;
  const Pose2 F = Plane::pose(m.rotation(k.a) + k.rotation_AF);
  const Vec g = m.pose(k.b).point(k.p_BG), dg = v.shift(k.b, g);
  const Vec p = m.pose(k.a).point(k.p_AF), d = g - p;
  const Vec relative = m.velocity(k.b, g) - m.velocity(k.a, g);
  // In the axes of F, which turn with a.
  const auto in_F = [&](const Vec& x, const Vec& dx) {
    return F.local_direction(Vec(dx - v.turned(k.a, x)));
  };
  const Vec d_change = in_F(d, Vec(dg - v.shift(k.a, p)));
  const Vec rate_change = in_F(relative, Vec(v.rate(k.b, g, dg) - v.rate(k.a, g, dg)));
  const Vec local =
      -scaled(k.stiffness, F.local_direction(d)) - scaled(k.damping, F.local_direction(relative));
  const Vec local_change = -scaled(k.stiffness, d_change) - scaled(k.damping, rate_change);
  const Vec force = F.direction(local), change = F.direction(local_change) + v.turned(k.a, force);
  const double angle = m.rotation(k.b) + k.rotation_BG - m.rotation(k.a) - k.rotation_AF;
  const double spin = m.angular_velocity(k.b) - m.angular_velocity(k.a);
  const double moment = -k.angular_stiffness * angle - k.angular_damping * spin;
  const double moment_change = -k.angular_stiffness * (v.turn(k.b) - v.turn(k.a)) -
                               k.angular_damping * (v.angular_rate(k.b) - v.angular_rate(k.a));
  add({.load = {k.b, g, force, moment}, .change = {k.b, dg, change, moment_change}}, v, sum);
  add({.load = {k.a, g, -force, -moment}, .change = {k.a, dg, -change, -moment_change}}, v, sum);
}

void add_constant_force(int body, const Vec& p_W, const Vec& force, const VariedMotion& v,
                        const VariedForces& sum) {
  add({.load = {body, p_W, force}, .change = {body, v.shift(body, p_W)}}, v, sum);
}

void add_of(const CoincidentPoints<Plane>& k, const VariedMotion& v, double force,
            const VariedForces& sum) {
  const Vec f = force * k.direction_W;
  add_constant_force(k.b, v.motion.pose(k.b).point(k.p_BQ), f, v, sum);
  add_constant_force(k.a, v.motion.pose(k.a).point(k.p_AP), -f, v, sum);
}
void add_of(const PerpendicularDirections<Plane>& k, const VariedMotion& v, double moment,
            const VariedForces& sum) {
  const Vec d_A = v.motion.pose(k.a).direction(k.d_A), d_B = v.motion.pose(k.b).direction(k.d_B);
  const double M = moment * Plane::cross(d_B, d_A);
  const double change =
      moment * (Plane::cross(v.turned(k.b, d_B), d_A) + Plane::cross(d_B, v.turned(k.a, d_A)));
  add({.load = {.body = k.b, .moment = M}, .change = {.moment = change}}, v, sum);
  add({.load = {.body = k.a, .moment = -M}, .change = {.moment = -change}}, v, sum);
}
void add_of(const CoupledCoordinates<Plane>& k, const VariedMotion& v, double force,
            const VariedForces& sum) {
  add_force(k, v, {force, 0}, sum);
}
template <class Kind>
void add_of(const Kind& k, const VariedMotion& v, double force, const VariedForces& sum) {
  add_force(k.coordinate, v, {force, 0}, sum);
}

/// Of bodies that touch: points and directions move as theory 7.20 says of a velocity.
void add_touching(int a, int b, const ContactKinematics<Plane>& at, const VariedMotion& v,
                  const RowForces& forces, const VariedForces& sum) {
  const Vec &n = at.n_W, &t = at.t_W[0];
  const Vec shift_A = v.shift(a, at.p_WA), shift_B = v.shift(b, at.p_WB);
  const auto [turn, along_A, along_B] =
      contact_drift(at, t.dot(Vec(shift_B - shift_A)), v.turn(a), v.turn(b));
  const Vec force = forces[0] * n + forces[1] * t, change = Plane::cross(turn, force);
  add({.load = {b, at.p_WB, force}, .change = {b, shift_B + along_B * t, change}}, v, sum);
  add({.load = {a, at.p_WA, -force}, .change = {a, shift_A + along_A * t, -change}}, v, sum);
}

}  // namespace

Varied vary(const Formula<Plane>& formula, const VariedMotion& varied, double t) {
  const Jet jet = evaluate_inputs<Plane, Jet>(formula, [&](const Formula<Plane>::Input& input) {
    const Varied now = vary(input, varied, t);
    return Jet(now.value, now.change, 0);
  });
  return {jet.value, jet.first};
}

void add(const ForceKind<Plane>& force, const VariedMotion& varied, double t,
         const VariedForces& sum) {
  std::visit([&](const auto& f) { add_to(f, varied, t, sum); }, force);
}

void add_row(const Constraint<Plane>& constraint, const VariedMotion& varied, double force,
             const VariedForces& sum) {
  std::visit([&](const auto& k) { add_of(k, varied, force, sum); }, constraint.kind);
}

void add_row(const CoordinateRelay<Plane>& relay, const VariedMotion& varied, double force,
             const VariedForces& sum) {
  add_force(relay.coordinate, varied, {relay.sign * force, 0}, sum);
}

void add_rows(const ContactKind<Plane>& contact, const ContactKinematics<Plane>& at,
              const VariedMotion& varied, const RowForces& forces, const VariedForces& sum) {
  std::visit(
      [&](const auto& k) {
        if constexpr (requires { k.coupling; })
          add_force(k.coupling, varied, {k.sign * forces[0], 0}, sum);
        else if constexpr (requires { k.coordinate; })
          add_force(k.coordinate, varied, {k.sign * forces[0], 0}, sum);
        else
          add_touching(k.a, k.b, at, varied, forces, sum);
      },
      contact);
}

}  // namespace backlash
