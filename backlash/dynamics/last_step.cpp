// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/last_step.h"

#include <algorithm>

namespace backlash {

LastStep::LastStep(const SystemInfo& info)
    : memory(info),
      middle{.q = Vector::Zero(info.positions),
             .switches = Vector::Zero(static_cast<Eigen::Index>(info.switches.size())),
             .measured = Vector::Zero(info.measured),
             .cache = Vector::Zero(info.cache)},
      velocity(Vector::Zero(info.velocities)),
      acceleration(velocity),
      row_forces(Vector::Zero(memory.rows())) {}

const ContactForce* LastStep::find_force(const ContactKey& key) const {
  const auto found = std::ranges::lower_bound(contacts, key, {}, &ContactForce::key);
  return found != contacts.end() && found->key == key ? &*found : nullptr;
}

void LastStep::set(const System& system, const State& before, const State& now) {
  step = now.t - before.t;
  contacts.clear();
  remembered = now.contacts;
  velocity = 0.5 * (before.u + now.u);
  if (!(step > 0) || memory.last_step(now.z) == 0) {
    step = 0;
    acceleration.setZero();
    row_forces.setZero();
    set_configuration(system, memory, now, middle);
    return;
  }
  acceleration = (now.u - before.u) / step;
  row_forces = memory.impulses(now.z) / step;
  for (const ContactRecord& record : now.contacts) {
    if (record.state == ContactState::open) continue;
    ContactForce& contact = contacts.emplace_back(ContactForce{.key = record.key});
    for (std::size_t i = 0; i < 3; ++i) contact.force[i] = record.impulse[i] / step;
  }
  if (!now.tracking.empty()) copy_tracking(now.tracking.front(), middle.search.profiles);
  middle.t = before.t + 0.5 * step;
  middle.switches = memory.last_switches(now.z);
  system.advance(before.q, before.u, 0.5 * step, middle.q);
  const auto states = static_cast<Eigen::Index>(system.info().states.size());
  if (states > 0) middle.q.tail(states) = 0.5 * (before.q.tail(states) + now.q.tail(states));
  system.configure(middle);
}

}  // namespace backlash
