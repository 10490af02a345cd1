// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

/// Tries every combination of contact modes (theory 5.2), beginning with that of the guess: exact,
/// and sure to find a planar solution where there is one, but of use for few contacts only. In
/// space, slip starts from options.facets directions and Newton turns it to the true one.
void solve_enumeration(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                       ContactSolution& solution);

/// All solutions that the combinations of modes lead to, each once. A frictional problem may have
/// several, or none; of a continuum (redundant contacts) the corners are found.
std::vector<ContactSolution> all_solutions(const ContactProblem& problem,
                                           const SolverOptions& options);

}  // namespace backlash
