// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/integrators/moreau/moreau.h"

/// Steps whose length follows the motion: long where it is smooth, short where bodies meet (theory
/// 4.16 to 4.18).
namespace backlash {

/// Where two bodies meet in a step that was tried.
struct Closing {
  double after = INFINITY;    ///< the start of the step [s]
  double longest = INFINITY;  ///< that a step may be in which they meet [s]
};

/// What becomes of a step that was tried.
struct StepVerdict {
  bool accepted = true;
  double retry = 0;  ///< length of the next try, of one that is not accepted [s]
};

/// Judges a step from `state` that has been tried and not been committed.
StepVerdict judge_step(Moreau::Workspace& work, const State& state, double step);

/// Length of the next step; into the memory of the state, after a step that was accepted.
void remember_step(Moreau::Workspace& work, State& state, double step);

/// The shortest step [s].
double shortest_step(const MoreauOptions& options);

/// How deep bodies may be in each other where they meet [m, rad].
double closing_tolerance(const Moreau::Workspace& work, const ContactInfo& contact);

}  // namespace backlash
