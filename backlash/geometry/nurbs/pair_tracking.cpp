// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/pair_tracking.h"

#include <algorithm>

#include "backlash/geometry/nurbs/limited_search.h"
#include "backlash/geometry/nurbs/pair_conditions.h"

namespace backlash {
namespace {

using nurbs::PoseD;
using nurbs::VecD;

/// The farthest that any point of a ball of B has moved against A.
template <int D>
double farthest_motion(const PoseD<D>& then, const PoseD<D>& now, const VecD<D>& centre,
                       double radius) {
  double turned = 0;  // the largest change of a unit vector
  for (int k = 0; k < D; ++k) {
    const VecD<D> e = VecD<D>::Unit(k);
    turned += (now.direction(e) - then.direction(e)).squaredNorm();
  }
  return (now.point(centre) - then.point(centre)).norm() + radius * std::sqrt(turned);
}

template <int D>
int unused_key(const std::vector<KeyedPair<D>>& pairs) {
  int key = 0;
  while (std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return p.key == key; }))
    ++key;
  return key;
}

/// By how much the two may overlap that have moved so far from where they were searched: as deep as
/// they did when they were seen last, within the margin of there, and by the way between.
template <int D>
double possible_depth(const PairTracking<D>& tracking, double moved, double margin) {
  if (tracking.searches == 0 || tracking.status == DistanceStatus::singular) return INFINITY;
  double deepest = 0;
  for (const KeyedPair<D>& known : tracking.pairs) deepest = std::max(deepest, -known.pair.gap);
  return deepest + moved + margin;
}

template <int D>
void search_again(const Placed<D>& A, const Placed<D>& B, const TrackingOptions& options,
                  double depth, PairTracking<D>& tracking) {
  const double size = std::max(A.boundary.size(), B.boundary.size());
  tracking.status = find_pairs_within(
      A, B, {options.reach + options.margin, std::min(size, depth + 1e-6 * size)}, tracking.found);
  tracking.X_AB = nurbs::relative_pose(A.X, B.X);
  ++tracking.searches;
  const double near = 1e-6 * size;
  const auto same = [&](const FacingPair<D>& a, const FacingPair<D>& b) {
    return (a.p_WA - b.p_WA).norm() < near && (a.p_WB - b.p_WB).norm() < near;
  };
  std::erase_if(tracking.pairs, [&](const KeyedPair<D>& known) {
    return std::none_of(tracking.found.begin(), tracking.found.end(),
                        [&](const FacingPair<D>& found) { return same(known.pair, found); });
  });
  for (const FacingPair<D>& found : tracking.found) {
    const bool known = std::any_of(tracking.pairs.begin(), tracking.pairs.end(),
                                   [&](const auto& p) { return same(p.pair, found); });
    if (!known) tracking.pairs.push_back({unused_key(tracking.pairs), found});
  }
  std::sort(tracking.pairs.begin(), tracking.pairs.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
}

}  // namespace

template <int D>
void update_pairs(const Placed<D>& A, const Placed<D>& B, const TrackingOptions& options,
                  PairTracking<D>& tracking) {
  constexpr std::size_t usual = 16;  // pairs at a time, without allocation
  tracking.pairs.reserve(usual);
  tracking.found.reserve(usual);
  const auto& facets = B.boundary.facets();
  const double moved = farthest_motion<D>(tracking.X_AB, nurbs::relative_pose(A.X, B.X),
                                          facets.middle(), facets.size());
  const double depth = possible_depth(tracking, moved, options.margin);
  const std::size_t before = tracking.pairs.size();
  std::erase_if(tracking.pairs, [&](KeyedPair<D>& known) { return !follow(A, B, known.pair); });
  const std::size_t lost = before - tracking.pairs.size();
  tracking.jumps += static_cast<long>(lost);
  if (tracking.searches == 0 || moved > options.margin || lost > 0)
    search_again(A, B, options, depth, tracking);
}

template void update_pairs(const Placed<2>&, const Placed<2>&, const TrackingOptions&,
                           PairTracking<2>&);
template void update_pairs(const Placed<3>&, const Placed<3>&, const TrackingOptions&,
                           PairTracking<3>&);

}  // namespace backlash
