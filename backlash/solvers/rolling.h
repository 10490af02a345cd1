// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/solvers/solver_table.h"

/// Rolling resistance (theory 3.14): dry friction in the relative rotation of two bodies, whose
/// limit is what their contact pushes times a length. Every solver solves problems with it, for a
/// limit is found by iteration (theory 5.24).
namespace backlash {

struct RollingLimit {
  std::size_t relay = 0;    ///< the block of its Relay
  Eigen::Index normal = 0;  ///< the normal row of its contact
  double coefficient = 0;   ///< μ_R ≥ 0: the limit over the normal impulse [m]
};

/// The limits that these impulses make, into the problem.
void set_rolling_limits(std::span<const RollingLimit> rolling, const VectorView& impulse,
                        ContactProblem& problem);

/// As SolverEntry::solve, with limits found by the way. On return the problem has those of the
/// answer, with which residual() and violations() judge it.
void solve_rolling(const SolverEntry& solver, std::span<const RollingLimit> rolling,
                   const SolverOptions& options, Arena& scratch, ContactProblem& problem,
                   ContactSolution& solution);

}  // namespace backlash
