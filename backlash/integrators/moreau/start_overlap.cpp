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

void book_projection(Moreau::Workspace& work, State& state) {
  if (work.projected_energy == 0) return;
  const bool begins = work.memory.last_step(state.z) == 0 && overlaps(work, state);
  if (!begins) {
    work.memory.projection_energy(state.z) += work.projected_energy;
    return;
  }
  work.memory.switching_energy(state.z) += work.projected_energy;
  if (work.switching.size() > 0) work.switching[work.switching.size() - 1] += work.projected_energy;
}

}  // namespace backlash
