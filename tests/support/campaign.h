// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>

namespace backlash::test {

/// How often a test repeats what it draws at random: `usual` times, or as often as the environment
/// variable BACKLASH_CAMPAIGN says.
inline long repetitions(long usual) {
  const char* asked = std::getenv("BACKLASH_CAMPAIGN");
  return asked ? std::max(1L, std::atol(asked)) : usual;
}

/// Where random numbers begin: BACKLASH_SEED, or always the same.
inline unsigned first_seed() {
  const char* asked = std::getenv("BACKLASH_SEED");
  return asked ? static_cast<unsigned>(std::atol(asked)) : 1;
}

}  // namespace backlash::test
