// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash {

/// One contact by itself: ξ = G Λ + b with its own few rows, the normal row first if there is one.
struct OneContact {
  bool has_normal = true;
  int tangents = 0;
  double friction = 0;  ///< μ
  double offset = 0;    ///< a [N s], ‖Λ_T‖ ≤ μ Λ_N + a
  double G[3][3] = {};  ///< [1/kg]
  double b[3] = {};     ///< [m/s]
};

/// Solve it exactly, starting from (and replacing) `impulse`: open, stick, or slip, where in space
/// the direction of slip is the root of one equation (theory 5.4). False if no state holds; then
/// `impulse` is one step of the augmented Lagrangian further.
bool solve_one_contact(const OneContact& contact, double impulse[3]);

}  // namespace backlash
