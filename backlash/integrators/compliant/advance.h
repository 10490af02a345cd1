// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash {

/// What became of an attempt to advance the smooth motion by a step.
enum class Advance {
  done,
  tolerance_not_met,  ///< no step, however short, is accurate enough or can be solved
  mass_not_positive,
  not_finite,
  singular_position  ///< of the loops, and the velocity does not say where the motion goes on
};

/// More steps than this are hardly tried in vain one after the other.
inline constexpr int many_attempts = 256;

}  // namespace backlash
