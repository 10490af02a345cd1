// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

/// Fixed point of Λ = prox(Λ − r ξ), all contacts at once (theory 5.5), with r by the strategy that
/// the options name: one r for all, one for each contact, or adapted as the iteration goes.
void solve_augmented_lagrangian(const ContactProblem& problem, const SolverOptions& options,
                                Arena& scratch, ContactSolution& solution);

}  // namespace backlash
