// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

namespace backlash {

/// A box along the axes of the world [m]. Not a number counts as unbounded.
struct Box2 {
  std::array<double, 2> low, high;
};

inline bool far_apart(const Box2& a, const Box2& b, double margin) {
  return a.low[0] > b.high[0] + margin || b.low[0] > a.high[0] + margin ||
         a.low[1] > b.high[1] + margin || b.low[1] > a.high[1] + margin;
}

/// What one sweep leaves for the next, which is faster for it while the boxes move little; what is
/// found does not depend on it. One for each set of boxes.
struct SweepOrder {
  int axis = -1;
  std::vector<int> order{};      ///< of the boxes along the axis
  std::vector<Box2> in_order{};  ///< the boxes so
};

struct BoxPair {
  int first, second;  ///< indices of boxes
};

/// Appends the pairs of boxes that are not apart by more than `margin` [m] along an axis, each
/// once, in no particular order: by sweep and prune (theory 7.22).
void sweep(std::span<const Box2> boxes, double margin, SweepOrder& memory,
           std::vector<BoxPair>& pairs);

}  // namespace backlash
