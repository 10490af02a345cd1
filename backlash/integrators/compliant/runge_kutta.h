// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/integrators/compliant/advance.h"
#include "backlash/integrators/compliant/smooth_dynamics.h"

namespace backlash {

/// Runge and Kutta's classical method of fourth order, with steps of equal length. Inside of a step
/// y is Hermite's cubic.
class RungeKutta {
 public:
  RungeKutta(SmoothDynamics& dynamics, const CompliantOptions& options);

  void restart(double t, const Vector& y);
  Advance advance(double limit);

  double t() const { return t_; }
  const Vector& y() const { return y_; }
  double last_step() const { return t_ - t_start_; }
  bool evaluated_end() const { return false; }
  int order() const { return 4; }
  long evaluations() const { return evaluations_; }
  const std::vector<double>& rejected() const { return rejected_; }
  void interpolate(double t, Vector& y);
  void integrate(double from, double to, double t_end, const Vector& y_end, Vector& gained);
  void begin_integrals(Eigen::Index, Eigen::Index) {}

 private:
  /// ẏ, and the integrand behind it.
  Advance evaluate(double t, const Vector& y, Vector& rates, Vector& integrand);
  bool know_end();

  SmoothDynamics& dynamics_;
  double step_;
  double t_ = 0, t_start_ = 0;
  Vector y_, y_start_, stage_;
  Vector k_[4];
  Vector integrand_[4];
  Vector rate_start_, rate_;                           ///< at the ends of the step
  Vector integral_, integrand_start_, integrand_end_;  ///< over the step, and at its ends
  bool has_rate_ = false;                              ///< at the end of it
  long evaluations_ = 0;
  std::vector<double> rejected_;  ///< a step that failed
};

}  // namespace backlash
