// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/reduction.h"

namespace backlash {

/// Nonsmooth Gauss–Seidel: contact after contact is solved exactly with the others held, until all
/// hold together (theory 5.4).
void solve_gauss_seidel(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                        ContactSolution& solution);

/// That many sweeps from `impulse`.
void sweep_gauss_seidel(const ReducedProblem& problem, int sweeps, Arena& scratch,
                        VectorRef impulse);

/// The same over all rows of a problem, given with its contacts as list_contacts() has them:
/// bilateral rows are treated as they come.
void sweep_gauss_seidel(const ContactProblem& problem, std::span<const Contact> contacts,
                        int sweeps, Arena& scratch, VectorRef impulse);

}  // namespace backlash
