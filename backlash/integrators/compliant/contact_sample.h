// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "backlash/dynamics/contact_frame.h"

namespace backlash {

/// How far apart two bodies are, and how they move along each other.
struct ContactMotion {
  double gap = INFINITY;    ///< [m]; infinite: they have no place to touch
  ContactVelocity gamma{};  ///< [m/s]
};

/// The contacts that are near at one time.
struct ContactSample {
  double t = 0;                        ///< [s]
  std::vector<ContactFrame> frames{};  ///< in ascending order of their keys
  std::vector<ContactVelocity> velocities{};

  /// Where a contact is in the lists; their size: it is not near. `guess` costs least if right.
  std::size_t find(const ContactKey& key, std::size_t guess = 0) const {
    if (guess < frames.size() && frames[guess].key == key) return guess;
    const auto found = std::ranges::lower_bound(frames, key, {}, &ContactFrame::key);
    const bool there = found != frames.end() && found->key == key;
    return there ? static_cast<std::size_t>(found - frames.begin()) : frames.size();
  }
  ContactMotion motion(std::size_t i) const { return {frames[i].gap, velocities[i]}; }
};

}  // namespace backlash
