// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/flat_places.h"

/// Points and normals of a pair, and whether it counts (theory 11.9, 11.13, 11.17).
namespace backlash::nurbs {

/// Points and normals of a pair from its parameters.
template <int D>
struct PairPoint {
  VecD<D> p;
  VecD<D> n = VecD<D>::Zero();  ///< of a facet or pole, unit, out of the material; else zero
};

template <int D>
PairPoint<D> pair_point(const Placed<D>& body, const BoundaryPoint& at) {
  if (at.part == BoundaryPoint::Part::facet) {
    const PatchJet<double, D, D - 1> f = facet_jet<D>(body, at);
    return {vec<D>(f.p), unit_normal<D>(f)};
  }
  if (at.part == BoundaryPoint::Part::vertex) {
    const BoundaryVertex<D>& vertex = body.boundary.vertices()[backlash::at(at.index)];
    return {body.X.point(vertex.p), body.X.direction(vertex.normal)};
  }
  if constexpr (D == 3) {
    const SurfaceEdge& edge = body.boundary.edges()[backlash::at(at.index)];
    return {body.X.point(vec<3>(edge.curve.at({at.parameters[0]}).p))};
  }
  return {};
}

template <int D>
void complete(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  const PairPoint<D> a = pair_point(A, pair.A), b = pair_point(B, pair.B);
  pair.p_WA = a.p;
  pair.p_WB = b.p;
  if (pair.B.part == BoundaryPoint::Part::facet) {
    pair.n_W = -b.n;
  } else if (pair.A.part == BoundaryPoint::Part::facet) {
    pair.n_W = a.n;
  } else {
    const VecD<D> d = b.p - a.p, pole = a.n - b.n;
    const double size = std::max(A.boundary.size(), B.boundary.size());
    const VecD<D> n = d.norm() <= resolution * size ? pole : pole.dot(d) < 0 ? VecD<D>(-d) : d;
    pair.n_W = n.normalized();
  }
  pair.gap = pair.n_W.dot(b.p - a.p);
}

/// Whether the edge or vertex of a body may touch what lies in the direction d of the world.
template <int D>
bool part_admits(const Placed<D>& body, const BoundaryPoint& at, const VecD<D>& d_W) {
  const VecD<D> d = body.X.local_direction(d_W);
  if (at.part == BoundaryPoint::Part::vertex)
    return body.boundary.vertices()[backlash::at(at.index)].admits(d);
  if constexpr (D == 3)
    return admits(body.boundary.edges()[backlash::at(at.index)], body.boundary.facets(),
                  at.parameters[0], d);
  return false;
}

/// Whether the distance from F, a facet of `f`, has a minimum along what the other point is on.
template <int D>
bool rests_on(const Placed<D>& l, const BoundaryPoint& at_l, const Placed<D>& f,
              const BoundaryPoint& at_f, double gap) {
  const PatchJet<double, D, D - 1> facet = facet_jet<D>(f, at_f);
  if (is_flat<D>(l.boundary, at_l) && !without_curvature<D>(facet, f.boundary.size())) return false;
  if (at_l.part == BoundaryPoint::Part::facet)
    return is_minimum<D, D - 1>(facet_jet<D>(l, at_l), facet, gap);
  if (at_l.part == BoundaryPoint::Part::vertex) return is_minimum<D, 0>({}, facet, gap);
  if constexpr (D == 3) {
    const SurfaceEdge& edge = l.boundary.edges()[at(at_l.index)];
    return is_minimum<3, 1>(moved<3, 1>(edge.curve.at({at_l.parameters[0]}), &l.X), facet, gap);
  }
  return false;
}

/// Whether two points that face each other are a minimum where they are, and may touch.
template <int D>
struct PairCheck {
  bool on_B = false;  ///< the distance from B has a minimum along A
  bool on_A = false;  ///< the distance from A has one along B
};

template <int D>
PairCheck<D> check_pair(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair) {
  const bool facet_A = pair.A.part == BoundaryPoint::Part::facet,
             facet_B = pair.B.part == BoundaryPoint::Part::facet;
  if (!facet_A && !part_admits<D>(A, pair.A, pair.n_W)) return {};
  if (!facet_B && !part_admits<D>(B, pair.B, -pair.n_W)) return {};
  if (!facet_A && !facet_B) {
    const bool poles =
        pair_point(A, pair.A).n != VecD<D>::Zero() && pair_point(B, pair.B).n != VecD<D>::Zero();
    return {pair.gap > 0 || poles, pair.gap > 0 || poles};
  }
  if (facet_A && facet_B && pair_point(A, pair.A).n.dot(pair.n_W) < 0) return {};
  return {facet_B && rests_on(A, pair.A, B, pair.B, pair.gap),
          facet_A && rests_on(B, pair.B, A, pair.A, pair.gap)};
}

/// Whether the points of a pair that overlaps are the way out (theory 11.9): one of them is as deep
/// in the other body as the pair says.
template <int D>
bool is_way_out(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair,
                const PairCheck<D>& check) {
  const double size = std::max(A.boundary.size(), B.boundary.size());
  const auto as_deep = [&](const Placed<D>& body, const VecD<D>& p_W) {
    const NearestPoint<D> foot = nearest_point<D>(body.boundary, body.X.local_point(p_W));
    return std::abs(foot.gap - pair.gap) <= 1e-9 * size;
  };
  return (check.on_B && as_deep(B, pair.p_WA)) || (check.on_A && as_deep(A, pair.p_WB));
}

template <int D>
bool counts(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair) {
  const PairCheck<D> check = check_pair(A, B, pair);
  if (pair.gap > 0) return check.on_B || check.on_A;
  if (!check.on_B && !check.on_A) return false;
  const double size = std::max(A.boundary.size(), B.boundary.size());
  return pair.gap > -1e-12 * size || is_way_out(A, B, pair, check);
}

template <int D>
bool is_hollow(const Placed<D>& body, const BoundaryPoint& at) {
  return at.part == BoundaryPoint::Part::vertex &&
         body.boundary.vertices()[backlash::at(at.index)].kind == BoundaryVertex<D>::Kind::hollow;
}

/// Whether a pair that does not count may do so when the bodies have moved a little: the other lies
/// beside a corner, or there is a shorter way out.
template <int D>
bool may_count_soon(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair) {
  if (is_hollow(A, pair.A) || is_hollow(B, pair.B)) return false;
  const bool facet_A = pair.A.part == BoundaryPoint::Part::facet,
             facet_B = pair.B.part == BoundaryPoint::Part::facet;
  if (!facet_A && !facet_B) return pair.gap > 0;
  if (facet_A && facet_B && pair_point(A, pair.A).n.dot(pair.n_W) < 0) return false;
  return (facet_B && rests_on(A, pair.A, B, pair.B, pair.gap)) ||
         (facet_A && rests_on(B, pair.B, A, pair.A, pair.gap));
}

}  // namespace backlash::nurbs
