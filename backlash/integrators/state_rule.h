// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/LU>

#include "backlash/dynamics/system.h"

namespace backlash {

/// The equations that steps have for state variables x, whose rates are f (theory 2.7).
class StateRule {
 public:
  explicit StateRule(const System& system);

  Eigen::Index size() const { return base.size(); }

  /// Solves x = base + a f(t, q, u, x) for the states of c, from those that it has, by Newton's
  /// method; c is configured at the end. False if none are found.
  bool solve(const Vector& u, double a, Configuration& c);

  /// f of the last configuration that solve() or write_rates() had.
  const Vector& rates() const { return rates_; }
  void write_rates(const Vector& u, Configuration& c);

  /// ∂x/∂u by way of f, at the solution of the last solve(); one column per velocity.
  void write_velocity_jacobian(const Vector& u, double a, Configuration& c, Matrix& dx_du);

  Vector base;  ///< what solve() adds to

 private:
  double probe(double x, double change) const;
  void factor(const Vector& u, double a, Configuration& c);

  const System& system_;
  Vector x_, rates_, moved_, residual_, change_, velocity_;
  Matrix jacobian_;
  Eigen::PartialPivLU<Matrix> factors_;
};

}  // namespace backlash
