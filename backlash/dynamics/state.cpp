// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/state.h"

#include "backlash/base/input_error.h"

namespace backlash {

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

Memory::Memory(const SystemInfo& info)
    : contacts_(static_cast<Eigen::Index>(info.contacts.size())),
      bilaterals_(static_cast<Eigen::Index>(info.bilaterals.size())),
      relays_(static_cast<Eigen::Index>(info.relays.size())) {
  rows_ = bilaterals_ + relays_;
  for (const ContactInfo& contact : info.contacts) {
    first_row_.push_back(rows_);
    rows_ += 1 + contact.tangents;
  }
  size_ = rows_ + contact_entries_ * contacts_ + bilaterals_ + relays_ + 4;
}

State initial_state(const System& system, double t, const VectorView& q, const VectorView& u) {
  const SystemInfo& info = system.info();
  require_finite(t, "initial time");
  require_size(q.size(), info.positions, "initial positions");
  require_size(u.size(), info.velocities, "initial velocities");
  require_finite(q, "initial position");
  require_finite(u, "initial velocity");
  return {t, q, u, Vector::Zero(Memory(info).size())};
}

}  // namespace backlash
