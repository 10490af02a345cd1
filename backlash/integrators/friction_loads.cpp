// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/friction_loads.h"

#include <algorithm>

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
  constexpr double slowest = 0.05, fastest = 20;  // of what was found too much
  for (const Index i : relays_) {
    const double excess = found_[i] - load[i];
    double part = 1;
    if (begun_ && move_[i] != 0) {
      const double rest = (excess_[i] - excess) / move_[i];  // 1 − slope of what is found
      part = rest > 1 / fastest ? std::clamp(1 / rest, slowest, fastest) : fastest;
    }
    move_[i] = std::max(part * excess, -load[i]);
    load[i] += move_[i];
    excess_[i] = excess;
  }
  begun_ = true;
}

}  // namespace backlash
