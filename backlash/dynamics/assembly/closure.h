// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/system.h"

namespace backlash {

/// Positions and speeds that the user gave are kept as long as the others can give way.
struct Given {
  std::vector<bool> position{}, speed{};
};

/// Where all rows together are nearest to being fulfilled, in the mean, by the method of Levenberg
/// and Marquardt, with the kept coordinates as they are.
Vector nearest_positions(const System& mechanism, const std::vector<bool>& kept, Vector q);

/// A mechanism, and the same with its joints with clearance as if they were ideal: their rows come
/// after those that the mechanism has itself.
struct Loops {
  const System& mechanism;
  const System& without_play;
};

/// Moves q until all rows hold, and u until their rates vanish: by the least changes, of what was
/// not given first, of everything if that is not enough (theory 6.9). Where what was given does not
/// let joints with clearance close, they stay off centre, by as little as it lets them. False, with
/// q where the mechanism is nearest to being closed, if its own rows cannot hold.
bool close_loops(const Loops& loops, const Given& given, Vector& q, Vector& u);

/// Constraint rows that are on: what an event has yet to lock or to drive holds nothing.
struct RankedRows {
  std::vector<BilateralInfo> independent, redundant;  ///< the latter follow from those before them
};

RankedRows rank_rows(const System& mechanism, const Vector& q);

}  // namespace backlash
