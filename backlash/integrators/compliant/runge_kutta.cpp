// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/runge_kutta.h"

#include <algorithm>

namespace backlash {

RungeKutta::RungeKutta(SmoothDynamics& dynamics, const CompliantOptions& options)
    : dynamics_(dynamics), step_(options.step) {}

void RungeKutta::restart(double t, const Vector& y) {
  t_ = t_start_ = t;
  y_ = y_start_ = y;
  has_rate_ = false;
  for (Vector* v : {&k_[0], &k_[1], &k_[2], &k_[3], &rate_start_, &rate_}) v->resize(y.size());
}

Advance RungeKutta::evaluate(double t, const Vector& y, Vector& rates, Vector& integrand) {
  ++evaluations_;
  const auto outcome = dynamics_.write_rates(t, y.data(), rates.data());
  integrand = dynamics_.integrand();
  switch (outcome) {
    case SmoothDynamics::Outcome::done:
      return Advance::done;
    case SmoothDynamics::Outcome::too_deep:
    case SmoothDynamics::Outcome::friction_not_found:
      return Advance::tolerance_not_met;
    case SmoothDynamics::Outcome::mass_not_positive:
      return Advance::mass_not_positive;
    case SmoothDynamics::Outcome::not_finite:
      return Advance::not_finite;
    case SmoothDynamics::Outcome::singular_position:
      return Advance::singular_position;
  }
  return Advance::not_finite;
}

Advance RungeKutta::advance(double limit) {
  constexpr double node[] = {0, 0.5, 0.5, 1};
  rejected_.clear();
  const double left = limit - t_;
  const double h = left < step_ * (1 + 1e-6) ? left : step_;
  for (int i = 0; i < 4; ++i) {
    stage_ = y_;
    if (i > 0) stage_ += h * node[i] * k_[i - 1];
    const Advance outcome = evaluate(t_ + h * node[i], stage_, k_[i], integrand_[i]);
    if (outcome == Advance::done) continue;
    rejected_.push_back(h);
    return outcome;
  }
  rate_start_ = k_[0];
  integrand_start_ = integrand_[0];
  integral_ = h / 6 * (integrand_[0] + 2 * integrand_[1] + 2 * integrand_[2] + integrand_[3]);
  y_start_ = y_;
  t_start_ = t_;
  y_ += h / 6 * (k_[0] + 2 * k_[1] + 2 * k_[2] + k_[3]);
  t_ = left < step_ * (1 + 1e-6) ? limit : t_ + h;
  has_rate_ = false;
  if (y_.allFinite()) return Advance::done;
  rejected_.push_back(h);
  return Advance::not_finite;
}

bool RungeKutta::know_end() {
  if (!has_rate_) has_rate_ = evaluate(t_, y_, rate_, integrand_end_) == Advance::done;
  return has_rate_;
}

void RungeKutta::interpolate(double t, Vector& y) {
  const double h = t_ - t_start_, s = (t - t_start_) / h, r = 1 - s;
  if (!know_end()) {  // the next step will fail
    y = r * y_start_ + s * y_;
    return;
  }
  y = r * r * (1 + 2 * s) * y_start_ + s * s * (1 + 2 * r) * y_ +
      h * s * r * (r * rate_start_ - s * rate_);
}

void RungeKutta::integrate(double from, double to, double, const Vector&, Vector& gained) {
  gained = integral_;
  if (from == t_start_ && to == t_) return;
  const double h = t_ - t_start_;
  if (!know_end()) {
    gained *= (to - from) / h;
    return;
  }
  gained.setZero();
  const auto add = [&](double t, double sign) {
    const double s = (t - t_start_) / h, r = 1 - s;
    gained += sign * (s * s * (1 + 2 * r) * integral_ +
                      h * s * r * (r * integrand_start_ - s * integrand_end_));
  };
  add(to, 1);
  add(from, -1);
}

}  // namespace backlash
