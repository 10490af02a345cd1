// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/mobility.h"

#include "backlash/base/decompositions.h"

namespace backlash {

Mobility::Mobility(const System& system, const Configuration& c) : system_(system), c_(c) {
  if (!system.factor_mass(c, factors_) || !factors_.allFinite()) return;
  const auto rows = static_cast<Eigen::Index>(system.info().bilaterals.size());
  valid_ = true;
  if (rows == 0) return;
  Matrix W = Matrix::Zero(system.info().velocities, rows);
  Vector w = Vector::Zero(rows);
  system.bilateral_rows(c, W, w);
  B_ = W;
  for (Eigen::Index i = 0; i < rows; ++i) system.solve_mass(c, factors_, B_.col(i));
  const Matrix G = W.transpose() * B_;
  valid_ = G.allFinite();
  if (!valid_) return;
  S_ = LeastSquares(G, 1e-10).pseudo_inverse();
}

Vector Mobility::free_acceleration(const Vector& force) const {
  Vector x = force;
  system_.solve_mass(c_, factors_, x);
  return x;
}

Vector Mobility::acceleration(const Vector& force) const {
  const Vector x = free_acceleration(force);
  return B_.size() == 0 ? x : Vector(x - B_ * (S_ * (B_.transpose() * force)));
}

}  // namespace backlash
