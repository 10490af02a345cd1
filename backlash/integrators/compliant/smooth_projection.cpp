// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/smooth_dynamics.h"

/// Drift of the joints that are held by their accelerations (theory 10.5).
namespace backlash {
namespace {

using Index = Eigen::Index;

}  // namespace

double SmoothDynamics::position_error() const {
  double worst = 0;
  for (Index i = 0; i < bilaterals_; ++i)
    worst =
        std::max(worst, std::abs(rows_at_end_.error[i]) * system_.info().bilaterals[at(i)].length);
  return worst;
}

bool SmoothDynamics::project(double t, Vector& y, Projection& done) {
  if (bilaterals_ == 0) return false;
  LoopRows& rows = rows_at_end_;
  const auto refresh = [&] {
    place(t, y.data());
    if (!system_.factor_mass(c_, M_)) return false;
    write_loop_rows(system_, c_, M_, rows);
    return true;
  };
  const auto energy = [&] { return system_.kinetic_energy(c_, u_) + system_.potential_energy(c_); };
  /// Solves G x = −multiplier_ and leaves M⁻¹W x in the acceleration.
  const auto solve = [&] {
    multiplier_ = -multiplier_;
    const Conditioning found =
        solve_loop_rows(rows, {.most = reactions_.rank()}, c_.scratch, multiplier_);
    acceleration_.noalias() = rows.mass_inverse_W * multiplier_;
    return found;
  };
  if (!refresh()) return false;
  double speed = 0;
  for (Index i = 0; i < bilaterals_; ++i)
    speed = std::max(speed, std::abs(rows.W.col(i).dot(u_) + rows.w[i]) *
                                system_.info().bilaterals[at(i)].length);
  const double worth_a_restart = reactions_.approaches_singular() ? 10 : 1000;  // × tolerances
  if (position_error() <= worth_a_restart * position_tolerance_ &&
      speed <= worth_a_restart * speed_tolerance_)
    return false;
  const double before = energy();
  for (int k = 0; k < 4 && position_error() > 1e-3 * position_tolerance_; ++k) {
    multiplier_ = rows.error;
    if (LoopReactions::is_singular(solve())) return false;
    done.applied_work += system_.applied_power(c_, u_, acceleration_);
    q_from_ = c_.q;
    system_.advance(q_from_, acceleration_, 1, q_to_);
    y.head(positions_) = q_to_;
    if (!refresh()) return false;
  }
  multiplier_.noalias() = rows.W.transpose() * u_;
  multiplier_ += rows.w;
  if (LoopReactions::is_singular(solve())) return false;
  y.segment(positions_, velocities_) += acceleration_;
  if (!refresh()) return false;
  done.energy = energy() - before - done.applied_work;
  return true;
}

}  // namespace backlash
