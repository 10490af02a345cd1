// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/distance.h"

namespace backlash {

/// Which pairs are of interest.
struct GapRange {
  double reach;  ///< gaps up to this [m]
  double depth;  ///< and overlaps [m]
};

/// find_pairs() where nothing is known to overlap by more than the depth: in a fraction of its
/// time.
template <int D>
DistanceStatus find_pairs_within(const Placed<D>& A, const Placed<D>& B, const GapRange& range,
                                 std::vector<FacingPair<D>>& pairs,
                                 std::vector<FacingPair<D>>* waiting = nullptr);

}  // namespace backlash
