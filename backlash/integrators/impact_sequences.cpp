// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/impact_sequences.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash {

double tangential_impulse(const ContactOutcome& outcome) {
  return outcome.impulse[2] == 0 ? outcome.impulse[1]
                                 : std::hypot(outcome.impulse[1], outcome.impulse[2]);
}

bool ImpactSequences::add_impact(const ContactOutcome& impact, GapUnit unit) {
  const double speed = -impact.gamma_before[0];
  double& fastest = fastest_[unit == GapUnit::metre ? 0 : 1];
  fastest = std::max(fastest, speed);
  auto at = std::ranges::lower_bound(all_, impact.key, {}, &Sequence::key);
  if (at == all_.end() || at->key != impact.key)
    at = all_.insert(at, {.key = impact.key, .speed = speed});
  const bool small = speed < share * fastest && speed < at->speed;
  at->speed = speed;
  if (!small) {
    at->small = {};
    return false;
  }
  ++at->small.count;
  at->small.impulse_n += impact.impulse[0];
  at->small.impulse_t += tangential_impulse(impact);
  at->small.energy += impact.loss;
  return true;
}

SmallBounces ImpactSequences::end_sequence(const ContactKey& key) {
  const auto at = std::ranges::lower_bound(all_, key, {}, &Sequence::key);
  if (at == all_.end() || at->key != key) return {};
  return std::exchange(at->small, {});
}

}  // namespace backlash
