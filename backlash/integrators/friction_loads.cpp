// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/friction_loads.h"

#include <algorithm>

#include "backlash/base/fixed_point.h"

namespace backlash {

using Index = Eigen::Index;

FrictionLoads::FrictionLoads(const System& system) : forces(system.info()), system_(system) {
  const std::vector<RelayInfo>& relays = system.info().relays;
  for (std::size_t i = 0; i < relays.size(); ++i)
    if (is_loaded(relays[i])) relays_.push_back(static_cast<int>(i));
  for (Vector* v : {&load, &found_, &excess_, &move_}) v->setZero(std::ssize(relays));
  if (any()) forces.contacts.reserve(usual_contacts(system.info()));
}

void FrictionLoads::evaluate() { system_.relay_loads(forces, found_); }

void FrictionLoads::improve() {
  for (const Index i : relays_) {
    const double excess = found_[i] - load[i];
    const double part = begun_ ? secant_part(move_[i], excess_[i], excess) : 1;
    move_[i] = std::max(part * excess, -load[i]);
    load[i] += move_[i];
    excess_[i] = excess;
  }
  begun_ = true;
}

}  // namespace backlash
