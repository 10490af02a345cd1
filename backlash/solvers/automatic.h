// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

/// A direct method for small problems, and a chain to fall back on. Tried in this order until one
/// solves the problem (theory 5.8):
///  1. modes: guess the state of every contact from the last impulses, solve, correct the guess;
///  2. newton;
///  3. lemke (planar: the answer; in space: a start for Newton from a polyhedral cone);
///  4. gauss-seidel, with Newton after every hundred sweeps;
///  5. enumeration, if there are few enough combinations.
/// Problems given as factors, and those with more than 600 rows, go to gauss-seidel at once.
void solve_automatic(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                     ContactSolution& solution);

}  // namespace backlash
