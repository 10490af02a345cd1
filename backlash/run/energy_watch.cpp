// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/energy_watch.h"

#include <algorithm>
#include <cmath>

namespace backlash {

EnergyWatch::EnergyWatch(const System& system, const EnergyLedger& start, double limit)
    : system_(system), start_(start), limit_(limit), kinetic_(start.kinetic) {}

bool EnergyWatch::accepts(const State& state) {
  constexpr long steps_between = 256;  // a look costs about as much as a step
  if (++steps_ % steps_between != 0) return true;
  return accepts(energy_ledger(system_, state));
}

bool EnergyWatch::accepts(const EnergyLedger& now) {
  kinetic_ = std::max(kinetic_, now.kinetic);
  potential_ = std::max(potential_, std::abs(now.potential - start_.potential));
  taken_ = std::max(taken_, std::abs(now.contact_loss - start_.contact_loss));
  return !(std::abs(made_by_method(start_, now)) > limit_ * at_hand());
}

double EnergyWatch::at_hand() const {
  constexpr double round_off = 1e-15;  // [J], of things at rest
  return std::max(kinetic_ + potential_ + taken_, round_off);
}

}  // namespace backlash
