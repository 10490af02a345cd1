// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "backlash/geometry/closest_points.h"

namespace backlash {

/// How round two features are where they touch [m]: positive outside of a circle, negative inside
/// of one, infinite for a straight line, 0 for a corner; absent where it varies, as along a cam.
struct TouchRadii {
  std::optional<double> A{}, B{};
};

/// Of candidate k.
TouchRadii touch_radii(const Candidates& all, int k);

inline TouchRadii touch_radii(const FeaturePair& pair) {
  return touch_radii(candidates(*pair.A, *pair.B), pair.candidate);
}

}  // namespace backlash
