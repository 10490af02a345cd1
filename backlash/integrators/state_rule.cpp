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
  for (Matrix* m : {&by_velocity_, &by_position_}) m->setZero(n, system.info().velocities);
  jacobian_.setZero(n, n);
}

void StateRule::write_rates(const Vector& u, Configuration& c) {
  system_.configure(c);
  system_.write_state_rates(c, u, rates_);
}

/// A column of ∂f/∂x, by the chord to a place that the step may well reach.
void StateRule::write_chord(const Vector& u, double a, Index j, Configuration& c) {
  constexpr double part = 1e-7;
  double& x = c.q[c.q.size() - size() + j];
  const double there = x, reach = std::max(std::abs(x), std::abs(a * rates_[j]));
  x += reach > 0 ? part * reach : part;
  system_.configure(c);
  system_.write_state_rates(c, u, moved_);
  jacobian_.col(j) = (moved_ - rates_) / (x - there);
  x = there;
  system_.configure(c);
}

/// I − a ∂f/∂x at the states of c; a chord stands for a slope that is not finite, as of √x at 0.
void StateRule::factor(const Vector& u, double a, Configuration& c) {
  system_.state_rate_state_jacobian(c, u, jacobian_);
  for (Index j = 0; j < size(); ++j)
    if (!jacobian_.col(j).allFinite()) write_chord(u, a, j, c);
  jacobian_ *= -a;
  jacobian_.diagonal().array() += 1;
  factors_.compute(jacobian_);
}

bool StateRule::solve(const Vector& u, double a, Configuration& c) {
  constexpr int most_iterations = 30;
  constexpr double round_off = 1e-13, nothing = 1e-300;  // smaller numbers have fewer digits
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
      return std::abs(change_[i]) <= round_off * size + nothing;
    };
    bool all = true;
    for (Index i = 0; i < n; ++i) all = all && settled(i);
    if (!all) continue;
    write_rates(u, c);
    return true;
  }
  return false;
}

void StateRule::write_velocity_jacobian(const Vector& u, double a, const Configuration& c,
                                        Matrix& dx_du) {
  system_.state_rate_velocity_jacobian(c, u, by_velocity_);
  system_.state_rate_position_jacobian(c, u, by_position_);
  by_velocity_ += a * by_position_;
  by_velocity_ *= a;
  dx_du = factors_.solve(by_velocity_);
}

void StateRule::write_length_derivative(const Vector& u, double a, const Configuration& c,
                                        Vector& dx_da) {
  system_.state_rate_time_derivative(c, u, change_);
  system_.state_rate_position_jacobian(c, u, by_position_);
  change_.noalias() += by_position_ * u;
  change_ = rates_ + a * change_;
  dx_da = factors_.solve(change_);
}

}  // namespace backlash
