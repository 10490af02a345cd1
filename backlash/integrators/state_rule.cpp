// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/state_rule.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

}  // namespace

StateRule::StateRule(const System& system)
    : system_(system), factors_(static_cast<Index>(system.info().states.size())) {
  const auto n = static_cast<Index>(system.info().states.size());
  for (Vector* v : {&base, &x_, &rates_, &moved_, &residual_, &change_}) v->setZero(n);
  velocity_.setZero(system.info().velocities);
  jacobian_.setZero(n, n);
}

void StateRule::write_rates(const Vector& u, Configuration& c) {
  system_.configure(c);
  system_.write_state_rates(c, u, rates_);
}

/// By how much a number is moved to see what it changes.
double StateRule::probe(double x, double change) const {
  constexpr double part = 1e-7;
  const double size = std::max(std::abs(x), std::abs(change));
  return size > 0 ? part * size : part;
}

/// I − a ∂f/∂x by differences, about the states of c, whose rates are there.
void StateRule::factor(const Vector& u, double a, Configuration& c) {
  const Index n = size();
  for (Index j = 0; j < n; ++j) {
    double& x = c.q[c.q.size() - n + j];
    const double there = x, change = probe(x, a * rates_[j]);
    x = there + change;
    system_.configure(c);
    system_.write_state_rates(c, u, moved_);
    jacobian_.col(j) = -a / (x - there) * (moved_ - rates_);
    jacobian_(j, j) += 1;
    x = there;
  }
  factors_.compute(jacobian_);
}

bool StateRule::solve(const Vector& u, double a, Configuration& c) {
  constexpr int most_iterations = 30;
  constexpr double round_off = 1e-13;
  const Index n = size();
  for (int k = 0; k < most_iterations; ++k) {
    write_rates(u, c);
    x_ = c.q.tail(n);
    residual_ = x_ - base - a * rates_;
    if (!residual_.allFinite()) return false;
    factor(u, a, c);
    change_ = factors_.solve(residual_);
    c.q.tail(n) = x_ - change_;
    const auto settled = [&](Index i) {
      const double size = std::abs(x_[i]) + std::abs(base[i]) + std::abs(a * rates_[i]);
      return std::abs(change_[i]) <= round_off * size;
    };
    bool all = true;
    for (Index i = 0; i < n; ++i) all = all && settled(i);
    if (!all) continue;
    write_rates(u, c);
    return true;
  }
  return false;
}

void StateRule::write_velocity_jacobian(const Vector& u, double a, Configuration& c,
                                        Matrix& dx_du) {
  velocity_ = u;
  for (Index j = 0; j < u.size(); ++j) {
    const double change = probe(u[j], 0);
    velocity_[j] = u[j] + change;
    system_.write_state_rates(c, velocity_, moved_);
    moved_ = a / (velocity_[j] - u[j]) * (moved_ - rates_);
    dx_du.col(j) = factors_.solve(moved_);
    velocity_[j] = u[j];
  }
}

}  // namespace backlash
