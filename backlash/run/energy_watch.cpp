// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/energy_watch.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace backlash {

namespace {

/// Of a motion so slow that the mechanism is at rest [J].
double energy_of_rest(const System& system, const State& state) {
  constexpr double slow = 1e-4;  // [1/s], of the model's size
  const SystemInfo& info = system.info();
  Vector u = Vector::Constant(info.velocities, slow * info.length);
  for (Eigen::Index i = 0; i < u.size(); ++i)
    if (static_cast<std::size_t>(i) < info.angular.size() &&
        info.angular[static_cast<std::size_t>(i)])
      u[i] = slow;
  return system.kinetic_energy(configuration(system, state), u);
}

}  // namespace

EnergyWatch::EnergyWatch(const System& system, const State& start, double limit)
    : system_(system),
      start_(energy_ledger(system, start)),
      limit_(limit),
      least_(energy_of_rest(system, start)),
      kinetic_(start_.kinetic) {}

bool EnergyWatch::accepts(const State& state) {
  constexpr long steps_between = 256;  // a look costs about as much as a step
  ++steps_;
  const bool early =
      steps_ < steps_between && std::has_single_bit(static_cast<unsigned long>(steps_));
  if (!early && steps_ % steps_between != 0) return true;
  const EnergyLedger now = energy_ledger(system_, state);
  if (accepts(now)) return true;
  // The first steps from rest are inaccurate in any method; those that explode make most of it.
  const double made = made_by_method(start_, now);
  return early && std::isfinite(made) && made < 0.5 * at_hand();
}

bool EnergyWatch::accepts(const EnergyLedger& now) {
  kinetic_ = std::max(kinetic_, now.kinetic);
  potential_ = std::max(potential_, std::abs(now.potential - start_.potential));
  taken_ = std::max(taken_, std::abs(now.contact_loss - start_.contact_loss));
  const double made = std::abs(made_by_method(start_, now));
  return std::isfinite(made) && made <= limit_ * at_hand();
}

double EnergyWatch::at_hand() const { return std::max(kinetic_ + potential_ + taken_, least_); }

}  // namespace backlash
