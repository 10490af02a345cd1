// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

/// A direct method for small problems, and a chain to fall back on. Tried in this order until one
/// solves the problem (theory 5.8); ContactSolution::method says which:
///  0. for problems given as factors, and above 600 rows: proximal-newton, interior-point and admm
///     (theory 5.23);
///  1. modes: guess the state of every contact from the last impulses, solve, correct the guess;
///  2. newton, and if elimination has cost digits, newton on all rows;
///  3. lemke, with several tie tolerances and friction cones, and Newton from where it ends;
///  4. gauss-seidel, with Newton after every hundred sweeps;
///  5. newton restarted from scattered points;
///  6. enumeration, if there are few enough combinations.
/// Above 100 rows 2, 3 and 5 are left out; above 600 only 0 and gauss-seidel are left.
void solve_automatic(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                     ContactSolution& solution);

}  // namespace backlash
