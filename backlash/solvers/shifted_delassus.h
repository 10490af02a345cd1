// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/factor_rows.h"
#include "backlash/solvers/skyline.h"

namespace backlash {

/// (S G S + τ)⁻¹ with a diagonal S, for many right-hand sides (theory 5.17). It is factored over
/// the velocities that G's factors meet in: of contacts of bodies over the bodies' velocities,
/// however many contacts there are; of a matrix over its rows.
class ShiftedDelassus {
 public:
  /// `scale`: S, one number per row; 0 takes a row out. Both live as long as frame and scratch.
  ShiftedDelassus(const FactorRows& G, const VectorMap& scale, Arena& scratch, Arena::Frame& frame);

  /// Entries that each triangle of the factors has.
  double skyline_size() const;

  void factor(double tau);

  /// x = (S G S + τ)⁻¹ x.
  void solve(VectorMap& x);

 private:
  void assemble();

  const FactorRows& G_;
  VectorMap scale_;
  Arena& scratch_;
  std::span<Eigen::Index> place_;          ///< of each velocity in the factors
  std::span<Eigen::Index> begin_;          ///< of the skyline's rows
  VectorMap response_, permuted_, zeros_;  ///< over velocities; the last: no smallest pivot
  std::optional<Arena::Frame> factor_frame_;
  std::optional<SkylineMatrix> matrix_;  ///< τ + M⁻¹W S² Wᵀ
  double tau_ = 0;
};

}  // namespace backlash
