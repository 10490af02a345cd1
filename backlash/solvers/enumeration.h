// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/judge.h"

namespace backlash {

/// Tries every combination of contact modes (theory 5.2), beginning with that of the guess: exact,
/// and sure to find a planar solution where there is one, but of use for few contacts only. In
/// space, slip starts from options.facets directions and Newton turns it to the true one.
void solve_enumeration(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                       ContactSolution& solution);

struct EnumerationLimits {
  int facets = 8;                      ///< directions that slip in space starts from
  double most_combinations = 1 << 22;  ///< of more none is tried
  long most_tries = 1 << 22;
};

/// Shows the judge one combination after the other until it accepts one. Counts them in `tried`;
/// gives up at once, with `too_large`, where there are too many, and with `iteration_limit` after
/// the tries that are allowed.
SolverStatus search_modes(const ReducedProblem& problem, const EnumerationLimits& limits,
                          Arena& scratch, Judge& judge, int& tried);

/// All solutions that the combinations of modes lead to, each once. A frictional problem may have
/// several, or none; of a continuum (redundant contacts) the corners are found.
std::vector<ContactSolution> all_solutions(const ContactProblem& problem,
                                           const SolverOptions& options);

}  // namespace backlash
