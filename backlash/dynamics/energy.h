// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"

namespace backlash {

/// Where the energy of a mechanism is and went, from the start of the run on [J] (theory 4.7).
struct EnergyLedger {
  double kinetic = 0;
  double potential = 0;
  double contacts = 0;      ///< work of all contacts on the mechanism
  double contact_loss = 0;  ///< dissipated in contacts; the rest of their work moving surfaces did
  double impact_loss = 0;   ///< the part of that loss which impacts took
  double relays = 0;        ///< work of dry friction and slipping clutches on the mechanism
  double bilaterals = 0;    ///< work of drives and moving joints
  double applied = 0;       ///< work of forces without potential
  double projections = 0;   ///< added by projections of drift, and by rows that should do no work
  double switching = 0;     ///< added by switching springs on and off

  double mechanical() const { return kinetic + potential; }
  double received() const {
    return contacts + relays + bilaterals + applied + projections + switching;
  }
};

EnergyLedger energy_ledger(const System& system, const State& state);

/// The same where the configuration of the state is there already, without allocation.
EnergyLedger energy_ledger(const System& system, const Memory& memory, const Configuration& c,
                           const State& state);

/// What the integrator gained (> 0) or lost by itself since `start`, which exact integration would
/// keep at zero: E − E_start − work received in between.
double energy_imbalance(const EnergyLedger& start, const EnergyLedger& now);

/// The same with what projections did: all that does not come from the mechanism.
double made_by_method(const EnergyLedger& start, const EnergyLedger& now);

}  // namespace backlash
