// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/judge.h"

namespace backlash {

/// Semismooth Newton for many contacts that are coupled to a few others each (theory 5.9–5.12): the
/// equations of `newton`, of which only the rows of contacts that push are kept, with a proximal
/// term against redundant contacts, factored in an order of little fill. Full steps, then damped
/// ones; where both stall, contacts are made soft and ever stiffer (theory 5.13), and after that
/// sweeps of Gauss–Seidel move the iterate on. Bilateral rows are rows like others.
void solve_proximal_newton(const ContactProblem& problem, const SolverOptions& options,
                           Arena& scratch, ContactSolution& solution);

/// The same from the best impulse that the judge has seen (or the guess), counting at most so many
/// `iterations` in the solution. Returns whether the judge accepted one.
bool iterate_proximal_newton(const ContactProblem& problem, int iterations, Arena& scratch,
                             Judge& judge, ContactSolution& solution);

/// Its full and damped steps from the guess alone, with the smallest proximal term.
bool try_newton_from_guess(const ContactProblem& problem, int iterations, Arena& scratch,
                           Judge& judge, ContactSolution& solution);

/// A few of its full steps from an impulse near the solution; whether the judge accepted where they
/// end. They are counted in the solution.
bool polish_by_newton(const ContactProblem& problem, const VectorView& impulse, int iterations,
                      Arena& scratch, Judge& judge, ContactSolution& solution);

}  // namespace backlash
