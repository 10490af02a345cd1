// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/constraint.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

template <class S>
double error_of(const CoincidentPoints<S>& k, const Motion<S>& m, double) {
  const typename S::Vec d = m.pose(k.b).point(k.p_BQ) - m.pose(k.a).point(k.p_AP);
  return k.direction_W.dot(d);
}
template <class S>
double add(const CoincidentPoints<S>& k, const Motion<S>& m, double, VectorRef w) {
  m.tree.add_force(m.cache, k.b, m.pose(k.b).point(k.p_BQ), k.direction_W, w);
  m.tree.add_force(m.cache, k.a, m.pose(k.a).point(k.p_AP), -k.direction_W, w);
  return 0;
}
template <class S>
void load(const CoincidentPoints<S>& k, const Motion<S>& m, double force, Loads<S>& loads) {
  const typename S::Vec f = force * k.direction_W;
  loads.add({.body = k.b, .p_W = m.pose(k.b).point(k.p_BQ), .force = f});
  loads.add({.body = k.a, .p_W = m.pose(k.a).point(k.p_AP), .force = -f});
}
template <class S>
double bias_of(const CoincidentPoints<S>& k, const Motion<S>& m, double) {
  const typename S::Vec q = m.acceleration(k.b, m.pose(k.b).point(k.p_BQ)),
                        p = m.acceleration(k.a, m.pose(k.a).point(k.p_AP));
  return k.direction_W.dot(typename S::Vec(q - p));
}

/// (theory 6.8)
template <class S>
double error_of(const PerpendicularDirections<S>& k, const Motion<S>& m, double) {
  return m.pose(k.a).direction(k.d_A).dot(m.pose(k.b).direction(k.d_B));
}
/// The axis about which the error changes.
template <class S>
typename S::Angular axis_of(const PerpendicularDirections<S>& k, const Motion<S>& m) {
  return S::cross(m.pose(k.b).direction(k.d_B), m.pose(k.a).direction(k.d_A));
}
template <class S>
double add(const PerpendicularDirections<S>& k, const Motion<S>& m, double, VectorRef w) {
  const typename S::Angular axis = axis_of(k, m);
  m.tree.add_moment(m.cache, k.b, axis, w);
  m.tree.add_moment(m.cache, k.a, -axis, w);
  return 0;
}
template <class S>
void load(const PerpendicularDirections<S>& k, const Motion<S>& m, double moment, Loads<S>& loads) {
  const typename S::Angular axis = moment * axis_of(k, m);
  loads.add({.body = k.b, .moment = axis});
  loads.add({.body = k.a, .moment = -axis});
}
template <class S>
double bias_of(const PerpendicularDirections<S>& k, const Motion<S>& m, double) {
  using Vec = typename S::Vec;
  const typename S::Angular w_A = m.angular_velocity(k.a), w_B = m.angular_velocity(k.b);
  const Vec d_A = m.pose(k.a).direction(k.d_A), d_B = m.pose(k.b).direction(k.d_B);
  const Vec v_A = S::cross(w_A, d_A), v_B = S::cross(w_B, d_B);
  const Vec a_A = S::cross(m.angular_acceleration(k.a), d_A) + S::cross(w_A, v_A),
            a_B = S::cross(m.angular_acceleration(k.b), d_B) + S::cross(w_B, v_B);
  return a_A.dot(d_B) + 2 * v_A.dot(v_B) + d_A.dot(a_B);
}

template <class S>
double error_of(const KeptCoordinate<S>& k, const Motion<S>& m, double) {
  return deviation(k.coordinate, m, 0);
}
template <class S>
double add(const KeptCoordinate<S>& k, const Motion<S>& m, double, VectorRef w) {
  add_direction(k.coordinate, m, 1, w);
  return 0;
}
template <class S>
void load(const KeptCoordinate<S>& k, const Motion<S>& m, double force, Loads<S>& loads) {
  add_loads(k.coordinate, m, force, loads);
}
template <class S>
double bias_of(const KeptCoordinate<S>& k, const Motion<S>& m, double) {
  return rate_bias(k.coordinate, m);
}

template <class S>
double error_of(const CoupledCoordinates<S>& k, const Motion<S>& m, double) {
  return value(k, m);
}
template <class S>
double add(const CoupledCoordinates<S>& k, const Motion<S>& m, double, VectorRef w) {
  add_direction(k, m, 1, w);
  return 0;
}
template <class S>
void load(const CoupledCoordinates<S>& k, const Motion<S>& m, double force, Loads<S>& loads) {
  add_loads(k, m, force, loads);
}
template <class S>
double bias_of(const CoupledCoordinates<S>& k, const Motion<S>& m, double) {
  return rate_bias(k, m);
}

template <class S>
double error_of(const DrivenCoordinate<S>& k, const Motion<S>& m, double t) {
  return deviation(k.coordinate, m, k.position.at(t));
}
template <class S>
double add(const DrivenCoordinate<S>& k, const Motion<S>& m, double t, VectorRef w) {
  add_direction(k.coordinate, m, 1, w);
  return -k.position.jet(t).first;
}
template <class S>
void load(const DrivenCoordinate<S>& k, const Motion<S>& m, double force, Loads<S>& loads) {
  add_loads(k.coordinate, m, force, loads);
}
template <class S>
double bias_of(const DrivenCoordinate<S>& k, const Motion<S>& m, double t) {
  return rate_bias(k.coordinate, m) - k.position.jet(t).second;
}

}  // namespace

bool acceleration_jumps(const Expression& position, double from, double to) {
  constexpr double all_at_once = 0.9, round_off = 1e-9;
  const auto acceleration = [&](double share) {
    return position.jet((1 - share) * from + share * to).second;
  };
  const double first = acceleration(0), middle = acceleration(0.5), last = acceleration(1);
  const double change = std::abs(last - first);
  if (!(change > round_off * std::max(std::abs(first), std::abs(last)))) return false;
  if (std::abs(first - 2 * middle + last) < 0.8 * change) return false;  // it is smooth
  const double quarters[] = {first, acceleration(0.25), middle, acceleration(0.75), last};
  double sum = 0, largest = 0;
  for (int i = 0; i < 4; ++i) {
    const double part = std::abs(quarters[i + 1] - quarters[i]);
    sum += part;
    largest = std::max(largest, part);
  }
  return largest > all_at_once * sum;
}

template <class S>
double error(const Constraint<S>& constraint, const Motion<S>& motion, double t) {
  return std::visit([&](const auto& k) { return error_of(k, motion, t); }, constraint.kind);
}

template <class S>
double add_row(const Constraint<S>& constraint, const Motion<S>& motion, double t, VectorRef w) {
  return std::visit([&](const auto& k) { return add(k, motion, t, w); }, constraint.kind);
}

template <class S>
Loads<S> loads(const Constraint<S>& constraint, const Motion<S>& motion, double force) {
  Loads<S> all;
  std::visit([&](const auto& k) { load(k, motion, force, all); }, constraint.kind);
  return all;
}

template <class S>
double bias(const Constraint<S>& constraint, const Motion<S>& motion, double t) {
  return std::visit([&](const auto& k) { return bias_of(k, motion, t); }, constraint.kind);
}

template double error(const Constraint<Plane>&, const Motion<Plane>&, double);
template double add_row(const Constraint<Plane>&, const Motion<Plane>&, double, VectorRef);
template Loads<Plane> loads(const Constraint<Plane>&, const Motion<Plane>&, double);
template double bias(const Constraint<Plane>&, const Motion<Plane>&, double);
template double error(const Constraint<Space>&, const Motion<Space>&, double);
template double add_row(const Constraint<Space>&, const Motion<Space>&, double, VectorRef);
template Loads<Space> loads(const Constraint<Space>&, const Motion<Space>&, double);
template double bias(const Constraint<Space>&, const Motion<Space>&, double);

}  // namespace backlash
