// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/reduction.h"

namespace backlash {

/// Semismooth Newton on the equations of the augmented Lagrangian, Λ = prox(Λ − r ξ): full steps,
/// then steps with a line search; where both stall, sweeps of Gauss–Seidel move it on (theory 5.6).
void solve_newton(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                  ContactSolution& solution);

struct NewtonLimits {
  double tolerance = 0;                       ///< [m/s]
  int steps = 0;                              ///< of each kind
  int all = std::numeric_limits<int>::max();  ///< of both kinds together
};

/// Full steps from `impulse`, and damped ones from the best of them, ended early where the
/// equations hold to the tolerance or no step makes them hold better. Returns how many were done.
int iterate_newton(const ReducedProblem& problem, const NewtonLimits& limits, Arena& scratch,
                   VectorRef impulse);

}  // namespace backlash
