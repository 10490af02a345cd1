// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/laws/normal_force.h"

namespace backlash {

/// What becomes of two bodies that meet with no other force than that of their contact.
struct FreeImpact {
  double restitution = 0;       ///< e = −δ̇⁺/δ̇⁻ that is delivered
  double compression_time = 0;  ///< from entry to the greatest depth [s]
  double restitution_time = 0;  ///< from there until the force vanishes for good [s]
  double peak_force = 0;        ///< [N]
  double peak_depth = 0;        ///< [m]
  bool complete = true;         ///< false: they do not part again; the rest is what was reached
};

/// Throw InputError unless the force makes sense, and mass and speed are positive.
void validate_impact(const NormalForce& force, double mass, double speed);

/// m δ̈ = −max(0, F), from δ = 0 and δ̇ = `speed` > 0 until the bodies part; m is their reduced mass
/// [kg]. By quadrature for hysteretic forces (theory 9.7 to 9.9), in closed form for springs with
/// dampers (theory 9.11), by integration to 1e-12 for all others.
FreeImpact free_impact(const NormalForce& force, double mass, double speed);

/// The same by integration, whatever the force.
FreeImpact integrated_impact(const NormalForce& force, double mass, double speed);

}  // namespace backlash
