// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/pair_conditions.h"

/// Where smooth curves have no curvature: flats that face flats (theory 11.29).
namespace backlash::nurbs {

/// Flat vertices answer for pairs that are this part of the size beside them.
inline constexpr double flat_neighbourhood = 1e-3;

template <int D>
bool is_flat(const ContactBoundary<D>& boundary, const BoundaryPoint& at) {
  return at.part == BoundaryPoint::Part::vertex &&
         boundary.vertices()[backlash::at(at.index)].kind == BoundaryVertex<D>::Kind::flat;
}

/// Whether a facet is so little curved that flats face it without a single closest pair.
template <int D>
bool without_curvature(const PatchJet<double, D, D - 1>& f, double size) {
  const VecD<D> n = unit_normal<D>(f);
  return curvature_matrix<D>(f, tangent_basis<D>(n)).norm() * size <= 1e-4;
}

/// Whether what could not be resolved lies at a flat vertex, which is looked at instead. All in the
/// frame of the boundary.
template <int D>
bool at_flat(const ContactBoundary<D>& boundary, const VecD<D>& p) {
  for (const BoundaryVertex<D>& vertex : boundary.vertices())
    if (vertex.kind == BoundaryVertex<D>::Kind::flat &&
        (vertex.p - p).norm() <= flat_neighbourhood * boundary.size())
      return true;
  return false;
}

/// Whether a pair is that of a flat vertex, on the boundary at X, that answers for a smooth point
/// p.
template <int D>
bool flat_answers(const Placed<D>& body, const BoundaryPoint& at, const VecD<D>& d_W,
                  const VecD<D>& p_W) {
  if (!is_flat<D>(body.boundary, at)) return false;
  const BoundaryVertex<D>& vertex = body.boundary.vertices()[backlash::at(at.index)];
  return vertex.answers_for(body.X.local_direction(d_W)) &&
         (body.X.point(vertex.p) - p_W).norm() <= flat_neighbourhood * body.boundary.size();
}

/// Whether two pairs are the same place, found from two sides of a knot.
template <int D>
bool same_place(const FacingPair<D>& a, const FacingPair<D>& b, double size) {
  return (a.p_WA - b.p_WA).norm() < 1e-7 * size && (a.p_WB - b.p_WB).norm() < 1e-7 * size;
}

/// Adds a pair that is none of those that are known; flat vertices come before smooth points.
template <int D>
void add_pair(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair,
              std::vector<FacingPair<D>>& pairs) {
  const double size = std::max(A.boundary.size(), B.boundary.size());
  const auto answers = [&](const FacingPair<D>& flat, const FacingPair<D>& other) {
    return other.A.part == BoundaryPoint::Part::facet &&
           other.B.part == BoundaryPoint::Part::facet &&
           (flat_answers<D>(A, flat.A, flat.n_W, other.p_WA) ||
            flat_answers<D>(B, flat.B, -flat.n_W, other.p_WB));
  };
  std::erase_if(pairs, [&](const FacingPair<D>& known) { return answers(pair, known); });
  for (const FacingPair<D>& known : pairs)
    if (same_place(known, pair, size) || answers(known, pair)) return;
  pairs.push_back(pair);
}

}  // namespace backlash::nurbs
