// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/judge.h"

namespace backlash {

/// An interior point method (theory 5.19–5.22) [Nesterov, Todd 1997; Mehrotra 1992; Acary, Armand,
/// Nguyen, Shpakovych 2023]: impulses and velocities stay inside of their cones and come to the
/// boundary together. It takes some fifty iterations however many contacts there are, jammed or
/// redundant ones too, each with a factorisation over the velocities of the bodies. It needs no
/// guess and makes no use of one. From near the solution Newton's method goes on. Problems without
/// cones, bilateral ones and those with preloads, are left to that.
void solve_interior_point(const ContactProblem& problem, const SolverOptions& options,
                          Arena& scratch, ContactSolution& solution);

/// The same, counting at most so many `iterations` in the solution. Returns whether the judge
/// accepted an impulse.
bool iterate_interior_point(const ContactProblem& problem, int iterations, Arena& scratch,
                            Judge& judge, ContactSolution& solution);

}  // namespace backlash
