// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/geometry/nurbs/distance.h"

namespace backlash {

/// A pair with a number that stays while it is followed.
template <int D>
struct KeyedPair {
  int key;
  FacingPair<D> pair;
};

/// What is remembered of two boundaries from step to step. A value: copying it is saving it.
template <int D>
struct PairTracking {
  std::vector<KeyedPair<D>> pairs{};  ///< by their keys
  nurbs::PoseD<D> X_AB{};             ///< at the last search
  long searches = 0;                  ///< so far
  long jumps = 0;                     ///< pairs that were lost where they should have been followed
  DistanceStatus status = DistanceStatus::found;  ///< of the last search
  std::vector<FacingPair<D>> found{};             ///< room for a search
  std::vector<KeyedPair<D>> numbered{};           ///< room for those that are wanted
};

/// How far to look.
struct TrackingOptions {
  double reach;   ///< pairs with a larger gap need not be known [m]
  double margin;  ///< search again after so much relative motion, ≤ reach [m]
};

/// Brings the pairs to where the bodies are now (theory 11.16). Each is followed by its parameters;
/// all are searched for anew, and recognised by their places, when one is lost or when some point
/// of B has moved by more than the margin against A since the last search. Minima of the distance
/// that existed at the last search are therefore known before their gap is below the reach.
template <int D>
void update_pairs(const Placed<D>& A, const Placed<D>& B, const TrackingOptions& options,
                  PairTracking<D>& tracking);

}  // namespace backlash
