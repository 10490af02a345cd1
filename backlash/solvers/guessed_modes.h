// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/types.h"
#include "backlash/solvers/contact_problem.h"

namespace backlash {

/// The shortest way to a solution: read the modes off a good guess (theory 5.3) and solve for the
/// impulses in them (5.2), in place. The same as read_modes and solve_in_modes, for what a step of
/// a small mechanism needs most often: planar problems of a few rows given as a matrix, without
/// bilateral rows. False, with `impulse` as it was, for others. What it finds is for the judge.
bool solve_in_guessed_modes(const ContactProblem& problem, VectorRef impulse);

}  // namespace backlash
