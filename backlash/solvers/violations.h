// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/solvers/contact_problem.h"

namespace backlash {

/// By how much an impulse breaks each law at most (theory 3.12). Impulses are given as the velocity
/// that they make of their own row, Λ/r. residual() is the sum over all; it says little about slow
/// slip, whose direction may be wrong within any tolerance on velocities.
struct LawViolations {
  double approach = 0;         ///< of normals that should not, −ξ_N [m/s]
  double complementarity = 0;  ///< push and opening, or slip and friction to spare, together [m/s]
  double cone = 0;             ///< pull, and friction beyond its limit [m/s]
  double equality = 0;         ///< velocity of bilateral rows [m/s]
  double slip_angle = 0;       ///< between friction and what is opposite to the slip [rad]
  double slip_speed = 0;       ///< where that is largest [m/s]
};

/// Throws InputError unless the problem makes sense and the impulse fits it.
LawViolations violations(const ContactProblem& problem, const VectorView& impulse);

}  // namespace backlash
