// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/overlap_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {

bool OverlapWatch::accepts(const State& state, const StepResult& result) {
  constexpr double noticed = 1e-2;  // of the model's size
  constexpr double deeper = 1.1;    // than what was looked at before
  const SystemInfo& info = system_.info();
  for (const ContactOutcome& contact : result.contacts) {
    const bool is_length =
        info.contacts[static_cast<std::size_t>(contact.key.pair)].unit == GapUnit::metre;
    const double depth = -contact.gap;
    if (!is_length || !(depth > std::max(noticed * info.length, deeper * seen_))) continue;
    seen_ = depth;
    if (!accepts_contact(contact.key, state)) return false;
  }
  return true;
}

bool OverlapWatch::accepts_contact(const ContactKey& key, const State& state) {
  const Configuration c = configuration(system_, state);
  ContactFrame frame;
  if (!system_.follow_contact(c, key, state.contacts, frame)) return true;
  PassingLimit limit;
  system_.write_passing_limits(c, state.u, {&frame, 1}, {&limit, 1});
  constexpr double nearly = 0.8;  // round parts are that deep just as one passes through the other
  const double depth = -frame.gap, most = std::min(nearly * limit.depth, limit.size);
  if (!(depth > most)) return true;
  message_ = fmt::format(
      "at t = {:.6g} s the bodies of contact '{}' overlap by {:.3g} m, {}: one has passed into the "
      "other; a stiffer law (is the unit of its stiffness right?) or shorter steps keep them apart",
      state.t, system_.contact_name(key), depth,
      depth > limit.size
          ? fmt::format("more than the smaller of them is large ({:.3g} m)", limit.size)
          : fmt::format("nearly the {:.3g} m from where they are still pushed apart", limit.depth));
  return false;
}

}  // namespace backlash
