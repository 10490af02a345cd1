// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/solvers/contact_problem.h"

/// Whether a contact problem has a solution at all, decided by a method that shares nothing with
/// the solvers: branch and bound over the states of the contacts with a linear program at each
/// node. States are open or closed, stick, or slip in a sector of directions that is halved until
/// it is narrow; what has no admissible point even when the laws are relaxed to linear inequalities
/// has no solution.
namespace backlash::test {

enum class Existence { exists, none, undecided };

struct Verdict {
  Existence existence = Existence::undecided;
  int nodes = 0;      ///< linear programs solved
  double margin = 0;  ///< none: every impulse breaks some law by at least this much of the largest
                      ///< free velocity, both scaled by the root of the Delassus diagonal
  Vector impulse;     ///< exists: a solution, up to round-off of the linear program [N s]
};

Verdict decide_existence(const ContactProblem& problem, int most_nodes = 20000);

}  // namespace backlash::test
