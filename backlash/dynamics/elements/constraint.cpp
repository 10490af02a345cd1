// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/constraint.h"

namespace backlash::planar {
namespace {

double error_of(const CoincidentPoints& k, const Motion& m, double) {
  return k.direction_W.dot(m.placement(k.b).point(k.p_BQ) - m.placement(k.a).point(k.p_AP));
}
double error_of(const KeptCoordinate& k, const Motion& m, double) { return value(k.coordinate, m); }
double error_of(const CoupledCoordinates& k, const Motion& m, double) { return value(k, m); }
double error_of(const DrivenCoordinate& k, const Motion& m, double t) {
  return value(k.coordinate, m) - k.position.at(t);
}

double add(const CoincidentPoints& k, const Motion& m, double, VectorRef w) {
  m.tree.add_force(m.cache, k.b, m.placement(k.b).point(k.p_BQ), k.direction_W, w);
  m.tree.add_force(m.cache, k.a, m.placement(k.a).point(k.p_AP), -k.direction_W, w);
  return 0;
}
double add(const KeptCoordinate& k, const Motion& m, double, VectorRef w) {
  add_direction(k.coordinate, m, 1, w);
  return 0;
}
double add(const CoupledCoordinates& k, const Motion& m, double, VectorRef w) {
  add_direction(k, m, 1, w);
  return 0;
}
double add(const DrivenCoordinate& k, const Motion& m, double t, VectorRef w) {
  add_direction(k.coordinate, m, 1, w);
  return -k.position.jet(t).first;
}

void load(const CoincidentPoints& k, const Motion& m, double force, Loads& loads) {
  const Vec2 f = force * k.direction_W;
  loads.add({.body = k.b, .p_W = m.placement(k.b).point(k.p_BQ), .force = f});
  loads.add({.body = k.a, .p_W = m.placement(k.a).point(k.p_AP), .force = -f});
}
void load(const KeptCoordinate& k, const Motion& m, double force, Loads& loads) {
  add_loads(k.coordinate, m, force, loads);
}
void load(const CoupledCoordinates& k, const Motion& m, double force, Loads& loads) {
  add_loads(k, m, force, loads);
}
void load(const DrivenCoordinate& k, const Motion& m, double force, Loads& loads) {
  add_loads(k.coordinate, m, force, loads);
}

double bias_of(const CoincidentPoints& k, const Motion& m, double) {
  const Vec2 q = m.placement(k.b).point(k.p_BQ), p = m.placement(k.a).point(k.p_AP);
  return k.direction_W.dot(m.acceleration(k.b, q) - m.acceleration(k.a, p));
}
double bias_of(const KeptCoordinate& k, const Motion& m, double) {
  return rate_bias(k.coordinate, m);
}
double bias_of(const CoupledCoordinates& k, const Motion& m, double) { return rate_bias(k, m); }
double bias_of(const DrivenCoordinate& k, const Motion& m, double t) {
  return rate_bias(k.coordinate, m) - k.position.jet(t).second;
}

}  // namespace

double error(const Constraint& constraint, const Motion& motion, double t) {
  return std::visit([&](const auto& k) { return error_of(k, motion, t); }, constraint.kind);
}

double add_row(const Constraint& constraint, const Motion& motion, double t, VectorRef w) {
  return std::visit([&](const auto& k) { return add(k, motion, t, w); }, constraint.kind);
}

Loads loads(const Constraint& constraint, const Motion& motion, double force) {
  Loads all;
  std::visit([&](const auto& k) { load(k, motion, force, all); }, constraint.kind);
  return all;
}

double bias(const Constraint& constraint, const Motion& motion, double t) {
  return std::visit([&](const auto& k) { return bias_of(k, motion, t); }, constraint.kind);
}

}  // namespace backlash::planar
