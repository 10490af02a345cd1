// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/lcp.h"
#include "backlash/solvers/reduction.h"

namespace backlash {

/// The linear complementarity problem of paper 001 (three rows per contact; theory 5.7), scaled, by
/// Lemke's method; where that ends in a ray, the one with a friction cone (four rows per contact in
/// the plane), which has a solution whenever c = Wᵀv for some v. Friction in space becomes a
/// polyhedral cone with options.facets sides: the answer is then `approximated`, unless it happens
/// to satisfy the true law.
void solve_lemke(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                 ContactSolution& solution);

/// How friction in the plane enters the linear complementarity problem (theory 5.7).
enum class PlanarFriction {
  split,  ///< Λ_T between its two limits: three rows per contact [paper 001]
  cone,   ///< a cone with two sides: four rows per contact, copositive [Stewart and Trinkle 1996]
};

struct PivotOptions {
  PlanarFriction planar_friction = PlanarFriction::cone;
  int facets = 8;                ///< of the polyhedral friction cone in space
  double tie_tolerance = 1e-10;  ///< of the lexicographic rule
  int max_pivots = 10000;
};

/// One run of Lemke's method; `impulse` is written where it ends with a solution of the linear
/// complementarity problem.
LcpResult pivot_lemke(const ReducedProblem& problem, const PivotOptions& options, Arena& scratch,
                      VectorRef impulse);

}  // namespace backlash
