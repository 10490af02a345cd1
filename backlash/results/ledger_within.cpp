// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/ledger_within.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace backlash {
namespace {

using Entry = double EnergyLedger::*;

constexpr std::initializer_list<Entry> works{&EnergyLedger::contacts, &EnergyLedger::relays,
                                             &EnergyLedger::bilaterals, &EnergyLedger::applied};
constexpr std::initializer_list<Entry> others{
    &EnergyLedger::contact_loss, &EnergyLedger::impact_loss, &EnergyLedger::projections};

}  // namespace

EnergyLedger ledger_within(const EnergyLedger& start, const EnergyLedger& end,
                           const PartOfStep& part) {
  EnergyLedger now{
      .kinetic = part.kinetic, .potential = part.potential, .switching = start.switching};
  const auto advance = [&](Entry entry, double share) {
    now.*entry = start.*entry + share * (end.*entry - start.*entry);
  };
  for (const Entry entry : works) advance(entry, part.done);
  for (const Entry entry : others) advance(entry, part.done);
  double size = 0;
  for (const Entry entry : works) size += std::abs(end.*entry - start.*entry);
  if (size == 0) return now;
  const double missing = energy_imbalance(start, now) - part.share * energy_imbalance(start, end);
  const double most = part.share * (1 - part.share) * size;
  const double added = std::clamp(missing, -most, most) / size;
  for (const Entry entry : works) now.*entry += added * std::abs(end.*entry - start.*entry);
  return now;
}

}  // namespace backlash
