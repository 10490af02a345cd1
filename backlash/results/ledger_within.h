// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/energy.h"

namespace backlash {

/// What has been done after a part of a step, whose ledgers at its start and end are known.
struct PartOfStep {
  double share = 0;  ///< of the step that has passed
  double done = 0;   ///< of what is done in it: the share, or 0 or 1 about an impact
  double kinetic = 0, potential = 0;  ///< at that time [J]
};

/// The ledger within a step, at whose end events switch, of which positions and velocities are
/// known: works are shared out such that they agree with the energy that is there. A force that is
/// constant does, while velocities change at a constant rate, Δt Λ(γ_E − γ_A)/2 (σ² − σ) besides
/// the share σ of its work; what such parts add up to is known from the energy, and goes to each
/// work by its size.
EnergyLedger ledger_within(const EnergyLedger& start, const EnergyLedger& end,
                           const PartOfStep& part);

}  // namespace backlash
