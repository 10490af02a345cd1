// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/start_overlap.h"

#include <algorithm>

namespace backlash {
namespace {

/// Whether contacts are deeper at the state than steps leave them.
bool overlaps(Moreau::Workspace& work, const State& state) {
  constexpr double left_by_steps = 1e-6;  // × the model's length: more than in (4.12)
  const SystemInfo& info = work.system.info();
  Configuration c = configuration(work.system, state);
  work.deep.clear();
  work.system.find_contacts(c, 0, state.contacts, work.deep);
  return std::ranges::any_of(work.deep, [&](const ContactFrame& frame) {
    return -frame.gap * gap_length(info, frame.key) > left_by_steps * info.length;
  });
}

}  // namespace

bool contacts_begin(const Moreau::Workspace& work, const State& state) {
  if (work.memory.last_step(state.z) == 0) return true;
  const std::vector<SwitchInfo>& items = work.system.info().switches;
  const auto before = work.memory.last_switches(state.z);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const bool contact = items[i].kind == Origin::Kind::contact_pair;
    if (contact && before[k] == 0 && work.middle.switches[k] != 0) return true;
  }
  return false;
}

void book_projection(Moreau::Workspace& work, State& state) {
  if (work.projected_energy == 0) return;
  if (!contacts_begin(work, state) || !overlaps(work, state)) {
    work.memory.projection_energy(state.z) += work.projected_energy;
    return;
  }
  work.memory.switching_energy(state.z) += work.projected_energy;
  if (work.switching.size() > 0) work.switching[work.switching.size() - 1] += work.projected_energy;
}

}  // namespace backlash
