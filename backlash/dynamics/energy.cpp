// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/energy.h"

#include "backlash/base/input_error.h"

namespace backlash {

EnergyLedger energy_ledger(const System& system, const State& state) {
  require_size(state.u.size(), system.info().velocities, "velocities of the state");
  return energy_ledger(system, Memory(system.info()), configuration(system, state), state);
}

EnergyLedger energy_ledger(const System& system, const Memory& memory, const Configuration& c,
                           const State& state) {
  EnergyLedger ledger{.kinetic = system.kinetic_energy(c, state.u),
                      .potential = system.potential_energy(c)};
  if (state.z.size() == 0) return ledger;
  ledger.contacts = memory.contact_work(state.z);
  ledger.contact_loss = memory.contact_loss(state.z);
  ledger.impact_loss = memory.impact_loss(state.z);
  const auto& relays = system.info().relays;
  for (std::size_t i = 0; i < relays.size(); ++i)
    if (relays[i].law != RelayLaw::preload)  // whose energy is a potential
      ledger.relays += memory.relay_work(state.z)[static_cast<Eigen::Index>(i)];
  ledger.bilaterals = memory.bilateral_work(state.z);
  ledger.applied = memory.applied_work(state.z);
  ledger.projections = memory.projection_energy(state.z);
  ledger.switching = memory.switching_energy(state.z);
  return ledger;
}

double energy_imbalance(const EnergyLedger& start, const EnergyLedger& now) {
  return (now.mechanical() - now.received()) - (start.mechanical() - start.received());
}

double made_by_method(const EnergyLedger& start, const EnergyLedger& now) {
  return energy_imbalance(start, now) + (now.projections - start.projections);
}

}  // namespace backlash
