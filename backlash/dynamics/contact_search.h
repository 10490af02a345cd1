// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "backlash/dynamics/contact_frame.h"
#include "backlash/geometry/nurbs/pair_tracking.h"
#include "backlash/geometry/profile_touch.h"
#include "backlash/geometry/sweep.h"

namespace backlash {

/// Where the closest points of profiles were last, by set and pair of shapes.
using ProfileTracking = std::map<std::pair<int, std::int64_t>, ProfileMemory>;

/// Copies into the memory that is there already, as far as there is any.
inline void copy_tracking(const ProfileTracking& from, ProfileTracking& to) {
  for (const auto& [pair, memory] : from) to[pair] = memory;
  if (to.size() > from.size())
    std::erase_if(to, [&](const auto& tracked) { return !from.contains(tracked.first); });
}

/// What a search for contacts leaves for the next one, which is faster for it. What is found does
/// not depend on it, but for the round-off of closest points (State::tracking), so a copy begins
/// empty, like scratch memory.
struct ContactSearch {
  std::vector<SweepOrder> orders{};  ///< one for each set of shapes
  std::vector<BoxPair> boxes{};
  std::vector<std::int64_t> pairs{};
  std::vector<ContactFrame> frames{};  ///< for gaps that conditions of events use
  ProfileTracking profiles{};
  std::vector<PairTracking<3>> surfaces{};  ///< one for each pair of surfaces

  ContactSearch() = default;
  ContactSearch(const ContactSearch&) {}
  ContactSearch& operator=(const ContactSearch&) { return *this; }
};

}  // namespace backlash
