// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backlash/base/buffer.h"

namespace backlash {

/// How the augmented Lagrangian chooses its r (theory 5.5).
enum class RFactor { global, per_contact, adaptive };

/// How long `auto` goes on with problems of more than 24 rows: its first methods alone, or the
/// whole chain (theory 5.8).
enum class Effort { quick, thorough };

struct SolverOptions {
  double tolerance = 1e-10;    ///< on the relative residual
  double round_off = 0;        ///< and residuals of so many ε of what is summed up (theory 5.18)
  int max_iterations = 10000;  ///< sweeps, iterations or pivots, whatever the solver counts
  int facets = 8;              ///< of the polyhedral friction cone, where an LCP solver needs one
  RFactor r_factor = RFactor::adaptive;
  Effort effort = Effort::thorough;
  double relaxation = 1;  ///< of the sweeps of Gauss–Seidel and the augmented Lagrangian, (0, 2)
};

/// Throw InputError naming the option that makes no sense.
void validate(const SolverOptions& options);

enum class SolverStatus {
  solved,           ///< the residual is within the tolerance
  approximated,     ///< a neighbouring problem was solved (polyhedral cone); see the residual
  iteration_limit,  ///< not within the tolerance after max_iterations
  no_solution,      ///< the method ended without a solution: a ray, or no combination holds
  too_large,        ///< more contacts than the method can treat
};

std::string_view name(SolverStatus status);

/// On entry to a solver `impulse` is the guess to start from (or empty), on return the answer.
struct ContactSolution {
  VectorBuffer impulse;          ///< Λ [N s]
  double residual = 0;           ///< [m/s]
  double relative_residual = 0;  ///< over velocity_scale(problem)
  int iterations = 0;
  SolverStatus status = SolverStatus::iteration_limit;
  std::string_view method;  ///< the solver that gave the answer (of a chain: the one that did)
};

}  // namespace backlash
