// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace backlash {

/// How much of the excess, found − guessed, the next guess of a fixed point goes, by the secant of
/// the last two (theory 4.30): `move` led from the guess that left `excess_before` to the one that
/// leaves `excess`.
inline double secant_part(double move, double excess_before, double excess) {
  constexpr double slowest = 0.05, fastest = 20;
  if (move == 0) return 1;
  const double rest = (excess_before - excess) / move;  // 1 − slope of what is found
  return rest > 1 / fastest ? std::clamp(1 / rest, slowest, fastest) : fastest;
}

}  // namespace backlash
