// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"
#include "backlash/integrators/compliant/smooth_dynamics.h"

/// Drift of the joints that are held by their accelerations (theory 10.5).
namespace backlash {
namespace {

using Index = Eigen::Index;

}  // namespace

double SmoothDynamics::position_error() const {
  double worst = 0;
  for (Index i = 0; i < bilaterals_; ++i)
    worst = std::max(worst, std::abs(error_[i]) * system_.info().bilaterals[at(i)].length);
  return worst;
}

bool SmoothDynamics::project(double t, Vector& y, double& added) {
  if (bilaterals_ == 0) return false;
  const auto refresh = [&] {
    place(t, y.data());
    system_.bilateral_rows(c_, W_, w_);
    system_.bilateral_errors(c_, error_);
  };
  const auto energy = [&] {
    return system_.kinetic_energy(c_, u_) + system_.potential_energy(c_);
  };
  /// Solves G x = −multiplier_ and leaves M⁻¹W x in the acceleration.
  const auto solve = [&] {
    if (!system_.factor_mass(c_, M_)) return false;
    mass_inverse_W_ = W_;
    for (Index i = 0; i < bilaterals_; ++i) system_.solve_mass(c_, M_, mass_inverse_W_.col(i));
    for (Index i = 0; i < bilaterals_; ++i)  // Eigen's product would take from the heap
      for (Index j = 0; j <= i; ++j) G_(i, j) = G_(j, i) = W_.col(i).dot(mass_inverse_W_.col(j));
    multiplier_ = -multiplier_;
    solve_rank_revealing(G_, multiplier_, c_.scratch);
    acceleration_.noalias() = mass_inverse_W_ * multiplier_;
    return true;
  };
  refresh();
  double speed = 0;
  for (Index i = 0; i < bilaterals_; ++i)
    speed = std::max(speed,
                     std::abs(W_.col(i).dot(u_) + w_[i]) * system_.info().bilaterals[at(i)].length);
  constexpr double worth_a_restart = 1000;  // times the tolerances
  if (position_error() <= worth_a_restart * position_tolerance_ &&
      speed <= worth_a_restart * speed_tolerance_)
    return false;
  const double before = energy();
  for (int k = 0; k < 4 && position_error() > 1e-3 * position_tolerance_; ++k) {
    multiplier_ = error_;
    if (!solve()) return false;
    q_from_ = c_.q;
    system_.advance(q_from_, acceleration_, 1, q_to_);
    y.head(positions_) = q_to_;
    refresh();
  }
  multiplier_.noalias() = W_.transpose() * u_;
  multiplier_ += w_;
  if (!solve()) return false;
  y.segment(positions_, velocities_) += acceleration_;
  refresh();
  added = energy() - before;
  return true;
}

}  // namespace backlash
