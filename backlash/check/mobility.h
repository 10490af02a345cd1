// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"

namespace backlash {

/// How a mechanism, with its bilateral rows kept, gives way to forces at one configuration
/// (theory 8.1).
class Mobility {
 public:
  Mobility(const System& system, const Configuration& c);

  /// False if the mass matrix is not positive definite or not finite.
  bool valid() const { return valid_; }

  Vector acceleration(const Vector& force) const;       ///< u̇ = M̄⁻¹ h
  Vector free_acceleration(const Vector& force) const;  ///< u̇ = M⁻¹ h, as if nothing were held

 private:
  const System& system_;
  const Configuration& c_;
  Matrix factors_;
  Matrix B_;  ///< M⁻¹ W_B
  Matrix S_;  ///< pseudo-inverse of W_Bᵀ M⁻¹ W_B
  bool valid_ = false;
};

}  // namespace backlash
