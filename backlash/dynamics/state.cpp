// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/state.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// An integrator may have more of its own behind.
void require_memory(const State& state, const Memory& memory) {
  if (state.z.size() < memory.size())
    require_size(state.z.size(), memory.size(), "memory of the state");
}

}  // namespace

std::string_view name(ContactState state) {
  switch (state) {
    case ContactState::open:
      return "open";
    case ContactState::stick:
      return "stick";
    case ContactState::slip:
      return "slip";
    case ContactState::impact:
      return "impact";
  }
  return "?";
}

const ContactRecord* find_record(std::span<const ContactRecord> records, const ContactKey& key) {
  const auto found = std::ranges::lower_bound(records, key, {}, &ContactRecord::key);
  return found != records.end() && found->key == key ? &*found : nullptr;
}

Memory::Memory(const SystemInfo& info)
    : bilaterals_(static_cast<Eigen::Index>(info.bilaterals.size())),
      relays_(static_cast<Eigen::Index>(info.relays.size())),
      switches_(static_cast<Eigen::Index>(info.switches.size())),
      events_(static_cast<Eigen::Index>(info.events.size())) {
  switching_ = rows() + relays_ + switches_;
  size_ = switching_ + switches_ + 2 * events_ + 8;
}

Vector initial_memory(const SystemInfo& info) {
  const Memory memory(info);
  Vector z = Vector::Zero(memory.size());
  auto switches = memory.switches(z);
  for (Eigen::Index i = 0; i < switches.size(); ++i)
    switches[i] = info.switches[static_cast<std::size_t>(i)].at_start();
  return z;
}

void prepare_memory(const SystemInfo& info, Eigen::Index own, State& state) {
  const Eigen::Index common = Memory(info).size();
  if (state.z.size() == common + own) return;
  if (state.z.size() == 0) state.z = initial_memory(info);
  require_size(state.z.size(), common, "memory of the state");
  state.z.conservativeResize(common + own);
  state.z.tail(own).setZero();
}

void validate(const State& state, const SystemInfo& info) {
  require_finite(state.t, "time of the state");
  require_size(state.q.size(), info.positions, "positions of the state");
  require_size(state.u.size(), info.velocities, "velocities of the state");
  require_finite(state.q, "position of the state ");
  require_finite(state.u, "velocity of the state ");
  require_finite(state.z, "memory of the state ");
  if (state.z.size() > 0) require_memory(state, Memory(info));
  for (const ContactRecord& record : state.contacts) {
    const std::string item = "contacts of the state: ";
    require_index(record.key.pair, std::ssize(info.contacts), item + "number of the pair");
    require_choice(record.state, ContactState::impact, item + "state");
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(record.impulse, finite) ||
        !std::ranges::all_of(record.parameters, finite) || !std::ranges::all_of(record.own, finite))
      throw InputError(item + "a number is not finite");
  }
  if (!std::ranges::is_sorted(state.contacts, {}, &ContactRecord::key))
    throw InputError("contacts of the state must be in ascending order of their keys");
}

Configuration configuration(const System& system, const State& state) {
  Configuration c = configuration(system, state.t, state.q);
  if (state.z.size() == 0) return c;
  const Memory memory(system.info());
  require_memory(state, memory);
  c.switches = memory.switches(state.z);
  if (c.switches.size() > 0) system.configure(c);  // numbers that events set are part of it
  return c;
}

void set_configuration(const System& system, const Memory& memory, const State& state,
                       Configuration& c) {
  c.t = state.t;
  c.q = state.q;
  if (state.z.size() > 0) c.switches = memory.switches(state.z);
  system.configure(c);
}

State initial_state(const System& system, double t, const VectorView& q, const VectorView& u) {
  const SystemInfo& info = system.info();
  require_finite(t, "initial time");
  require_size(q.size(), info.positions, "initial positions");
  require_size(u.size(), info.velocities, "initial velocities");
  require_finite(q, "initial position");
  require_finite(u, "initial velocity");
  return {t, q, u, initial_memory(info), {}};
}

}  // namespace backlash
