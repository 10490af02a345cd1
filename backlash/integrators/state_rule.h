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

  // Of x at the solution of the last solve(), where t and q are those that lead a on from a start,
  // t_A + a and q_A + a N u (theory 12.20):
  void write_velocity_jacobian(const Vector& u, double a, const Configuration& c, Matrix& dx_du);
  void write_length_derivative(const Vector& u, double a, const Configuration& c, Vector& dx_da);

  Vector base;  ///< what solve() adds to

 private:
  void write_chord(const Vector& u, double a, Eigen::Index j, Configuration& c);
  void factor(const Vector& u, double a, Configuration& c);

  const System& system_;
  Vector x_, rates_, moved_, residual_, change_;
  Matrix jacobian_, by_velocity_, by_position_;
  Eigen::PartialPivLU<Matrix> factors_;
};

}  // namespace backlash
