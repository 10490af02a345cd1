// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/solvers/contact_problem.h"

namespace backlash {

/// How far an impulse is from solving a problem (theory 3.7).
struct Residual {
  double absolute = 0;  ///< [m/s]
  double relative = 0;  ///< absolute over velocity_scale()
};

/// The one judge of every solver: ‖(Λ − prox(Λ − r ξ)) / r‖ over all rows, r the inverse Delassus
/// diagonal, rows in rad/s times their length. Zero exactly where all laws hold.
/// Without `scratch`, InputError is thrown unless the problem makes sense and the impulse fits it.
Residual residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch);
Residual residual(const ContactProblem& problem, const VectorView& impulse);

/// Residual::absolute alone [m/s].
double absolute_residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch);

/// ‖|G||Λ| + |c|‖: the sizes of what ξ is the sum of, in the norm of the residual [m/s].
double size_of_sums(const ContactProblem& problem, const VectorView& impulse, Arena& scratch);

/// What relative residuals are relative to: the larger of ‖c‖ and problem.velocity_scale [m/s].
double velocity_scale(const ContactProblem& problem);

}  // namespace backlash
