// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/judge.h"

namespace backlash {

/// Alternating directions (theory 5.14–5.17) [Carpentier, Le Lidec, Montaut 2024]: impulses that
/// obey the equations of motion and impulses that lie in their cones take turns, with one
/// factorisation for all iterations. It finds its way where contacts are redundant, or many more
/// than degrees of freedom; from near the solution Newton's method (proximal_newton.h) goes on.
void solve_admm(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                ContactSolution& solution);

/// The same from the best impulse that the judge has seen (or the guess), counting at most so many
/// `iterations` in the solution. Returns whether the judge accepted one.
bool iterate_admm(const ContactProblem& problem, int iterations, Arena& scratch, Judge& judge,
                  ContactSolution& solution);

}  // namespace backlash
