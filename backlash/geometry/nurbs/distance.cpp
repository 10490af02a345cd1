// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/distance.h"

#include "backlash/geometry/nurbs/facing_pieces.h"
#include "backlash/geometry/nurbs/limited_search.h"
#include "backlash/geometry/nurbs/pair_checks.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there
using Part = BoundaryPoint::Part;

/// A search through all parts of two boundaries. `keep` is called with each pair that counts and
/// says how far others may be apart to be of interest.
template <int D, class Keep>
struct BoundarySearch {
  const Placed<D>&A, &B;
  SearchLimits limits;
  Keep keep;
  std::vector<FacingPair<D>>* waiting = nullptr;  ///< gets those that may count soon
  double singular = INFINITY;  ///< the smallest gap of a place without a single closest pair [m]

  double size() const { return std::max(A.boundary.size(), B.boundary.size()); }

  void offer(const BoundaryPoint& a, const BoundaryPoint& b) {
    FacingPair<D> pair{a, b};
    complete(A, B, pair);
    if (pair.gap > limits.reach) return;
    if (counts(A, B, pair))
      limits.reach = keep(pair);
    else if (waiting && may_count_soon(A, B, pair))
      waiting->push_back(pair);
  }

  /// The parts `l` of one body and facets `f` or edges of the other; `swapped`: l belongs to B.
  template <class System, int KL, int KF>
  void compare(const BezierPieces<D, KL>& l, const BoundaryPoint& at_l,
               const BezierPieces<D, KF>& f, const BoundaryPoint& at_f, const PoseD<D>& X_LF,
               const bool swapped) {
    System system{limits};
    const PieceComparison<D, KL, KF, System> c{l, f, &X_LF, system, resolution * size()};
    for (int i = 0; i < l.count(); ++i)
      for (int j = 0; j < f.count(); ++j) {
        if constexpr (KL == D - 1 && KF == D - 1)
          if (l.straight(i) && f.straight(j)) continue;  // the ends are looked at
        system.limits = limits;
        if constexpr (D == 2)
          if (!may_oppose(l.normals(i), f.normals(j), X_LF)) continue;
        const VecD<D> apart = X_LF.point(f.centre(j)) - l.centre(i);
        const double distance = apart.norm(), radii = l.radius(i) + f.radius(j);
        if (distance - radii > std::max(limits.reach, limits.depth)) continue;
        if constexpr (D == 2)
          if (!may_face({apart, distance, radii, limits.reach}, l.normals(i), f.normals(j), X_LF))
            continue;
        search_pieces(
            c, i, j,
            [&](Coords<double, KL + KF> t, const Cell<KL + KF>& cell) {
              if (!root_of_cell(c, i, j, cell, t)) return;
              Coords<double, KL> tl;
              Coords<double, KF> tf;
              std::copy(t.begin(), t.begin() + KL, tl.begin());
              std::copy(t.begin() + KL, t.end(), tf.begin());
              if constexpr (KL > 0) tl = l.parameters(i, tl);
              tf = f.parameters(j, tf);
              if (!refine(c, tl, tf)) return;
              BoundaryPoint pl = at_l, pf = at_f;
              std::copy(tl.begin(), tl.end(), pl.parameters.begin());
              std::copy(tf.begin(), tf.end(), pf.parameters.begin());
              swapped ? offer(pf, pl) : offer(pl, pf);
              system.limits = limits;
            },
            [&](const PatchJet<Interval, D, KL>& pl, const PatchJet<Interval, D, KF>& pf) {
              return unresolved<KL, KF>(pl, pf, X_LF, swapped);
            });
      }
  }

  template <int KL, int KF>
  AfterUnresolved unresolved(const PatchJet<Interval, D, KL>& l, const PatchJet<Interval, D, KF>& f,
                             const PoseD<D>& X_LF, bool swapped) {
    const Placed<D>&owner_l = swapped ? B : A, &owner_f = swapped ? A : B;
    const VecD<D> p_l = middle_of<D>(l.p), p_f = middle_of<D>(f.p);
    if (at_pole<D>(owner_l.boundary, p_l) || at_pole<D>(owner_f.boundary, X_LF.local_point(p_f)))
      return AfterUnresolved::go_on;
    if (at_flat<D>(owner_l.boundary, p_l) || at_flat<D>(owner_f.boundary, X_LF.local_point(p_f)))
      return AfterUnresolved::leave_pieces;  // the vertex has what is there
    const Coords<Interval, D> d = difference(f.p, l.p);
    double gap = std::sqrt(least_square(d));
    if constexpr (KF == D - 1)
      if (dot(d, normal_jet(f).n).middle() > 0) gap = -gap;
    if (gap < 0) {
      const NearestPoint<D> foot = nearest_point<D>(owner_l.boundary, p_f);
      if (std::abs(foot.gap - gap) > 1e-6 * size()) return AfterUnresolved::leave_pieces;
    }
    singular = std::min(singular, gap);
    return AfterUnresolved::leave_pieces;
  }

  void run() {
    const PoseD<D> X_AB = relative_pose(A.X, B.X), X_BA = relative_pose(B.X, A.X);
    compare_with_facets(A, B, X_AB, false);
    compare_lower_with_facets(B, A, X_BA, true);
    compare_lower_parts(X_AB, X_BA);
  }

 private:
  void compare_with_facets(const Placed<D>& l, const Placed<D>& f, const PoseD<D>& X_LF,
                           bool swapped) {
    compare<Facing<D, D - 1>, D - 1, D - 1>(l.boundary.facets(), {}, f.boundary.facets(), {}, X_LF,
                                            swapped);
    compare_lower_with_facets(l, f, X_LF, swapped);
  }

  /// Edges and vertices of l with the facets of f.
  void compare_lower_with_facets(const Placed<D>& l, const Placed<D>& f, const PoseD<D>& X_LF,
                                 bool swapped) {
    const BezierPieces<D, D - 1>& facets = f.boundary.facets();
    if constexpr (D == 3)
      for (int i = 0; i < static_cast<int>(l.boundary.edges().size()); ++i)
        compare<Facing<3, 1>, 1, 2>(l.boundary.edges()[at(i)].curve, {Part::edge, i, {}}, facets,
                                    {}, X_LF, swapped);
    for (int i = 0; i < static_cast<int>(l.boundary.vertices().size()); ++i) {
      const BoundaryVertex<D>& vertex = l.boundary.vertices()[at(i)];
      if (vertex.kind == BoundaryVertex<D>::Kind::hollow) continue;
      compare<Facing<D, 0>, 0, D - 1>(BezierPieces<D, 0>(vertex.p), {Part::vertex, i, {}}, facets,
                                      {}, X_LF, swapped);
    }
  }

  void compare_lower_parts(const PoseD<D>& X_AB, const PoseD<D>& X_BA) {
    if constexpr (D == 3) {
      for (int j = 0; j < static_cast<int>(B.boundary.edges().size()); ++j)
        compare_with_edge(A, B, j, X_AB, false);
      for (int i = 0; i < static_cast<int>(A.boundary.edges().size()); ++i)
        compare_vertices_with_edge(B, A, i, X_BA, true);
    }
    for (int i = 0; i < static_cast<int>(A.boundary.vertices().size()); ++i)
      for (int j = 0; j < static_cast<int>(B.boundary.vertices().size()); ++j)
        if (!is_flat<D>(A.boundary, {Part::vertex, i, {}}) &&
            !is_flat<D>(B.boundary, {Part::vertex, j, {}}))
          offer({Part::vertex, i, {}}, {Part::vertex, j, {}});
  }

  void compare_with_edge(const Placed<3>& l, const Placed<3>& f, int edge, const Pose3& X_LF,
                         bool swapped) {
    for (int i = 0; i < static_cast<int>(l.boundary.edges().size()); ++i)
      compare<Nearest<3, 1, 1>, 1, 1>(l.boundary.edges()[at(i)].curve, {Part::edge, i, {}},
                                      f.boundary.edges()[at(edge)].curve, {Part::edge, edge, {}},
                                      X_LF, swapped);
    compare_vertices_with_edge(l, f, edge, X_LF, swapped);
  }

  void compare_vertices_with_edge(const Placed<3>& l, const Placed<3>& f, int edge,
                                  const Pose3& X_LF, bool swapped) {
    for (int i = 0; i < static_cast<int>(l.boundary.vertices().size()); ++i)
      compare<Nearest<3, 0, 1>, 0, 1>(BezierPieces<3, 0>(l.boundary.vertices()[at(i)].p),
                                      {Part::vertex, i, {}}, f.boundary.edges()[at(edge)].curve,
                                      {Part::edge, edge, {}}, X_LF, swapped);
  }
};

template <int D, class Keep>
BoundarySearch(const Placed<D>&, const Placed<D>&, SearchLimits, Keep) -> BoundarySearch<D, Keep>;
template <int D, class Keep>
BoundarySearch(const Placed<D>&, const Placed<D>&, SearchLimits, Keep, std::vector<FacingPair<D>>*)
    -> BoundarySearch<D, Keep>;

/// The distance of some points of the two, as a first bound.
template <int D>
double some_distance(const Placed<D>& A, const Placed<D>& B) {
  const PoseD<D> X_AB = relative_pose(A.X, B.X);
  double bound = INFINITY;
  for (int j = 0; j < B.boundary.facets().count(); ++j) {
    const VecD<D> p = X_AB.point(B.boundary.facets().centre(j));
    for (int i = 0; i < A.boundary.facets().count(); ++i)
      bound = std::min(bound, (p - A.boundary.facets().centre(i)).norm());
  }
  return bound * (1 + 1e-12);
}

template <int D>
Distance<D> closest_within(const Placed<D>& A, const Placed<D>& B, double reach) {
  const double size = std::max(A.boundary.size(), B.boundary.size());
  Distance<D> result;
  BoundarySearch search{A, B, SearchLimits{reach, size}, [&](const FacingPair<D>& pair) {
                          if (pair.gap < result.pair.gap) result = {DistanceStatus::found, pair};
                          return std::max(0.0, result.pair.gap) + 1e-12 * size;
                        }};
  search.run();
  if (search.singular <= result.pair.gap + 10 * resolution * size)
    result.status = DistanceStatus::singular;
  return result;
}

}  // namespace

template <int D>
Distance<D> closest(const Placed<D>& A, const Placed<D>& B) {
  const Distance<D> result = closest_within(A, B, some_distance(A, B));
  if (result.pair.gap < INFINITY || result.status == DistanceStatus::found) return result;
  return closest_within(A, B, INFINITY);  // the closest points were behind an open end
}

template <int D>
DistanceStatus find_pairs_within(const Placed<D>& A, const Placed<D>& B, const GapRange& range,
                                 std::vector<FacingPair<D>>& pairs,
                                 std::vector<FacingPair<D>>* waiting) {
  pairs.clear();
  if (waiting) waiting->clear();
  BoundarySearch search{A, B, SearchLimits{range.reach, range.depth},
                        [&](const FacingPair<D>& pair) {
                          add_pair(A, B, pair, pairs);
                          return range.reach;
                        },
                        waiting};
  search.run();
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
  return search.singular <= range.reach ? DistanceStatus::singular : DistanceStatus::found;
}

template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const Placed<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs, std::vector<FacingPair<D>>* waiting) {
  const double size = std::max(A.boundary.size(), B.boundary.size());
  return find_pairs_within(A, B, {reach, size}, pairs, waiting);
}

template Distance<2> closest(const Placed<2>&, const Placed<2>&);
template Distance<3> closest(const Placed<3>&, const Placed<3>&);
template DistanceStatus find_pairs(const Placed<2>&, const Placed<2>&, double,
                                   std::vector<FacingPair<2>>&, std::vector<FacingPair<2>>*);
template DistanceStatus find_pairs(const Placed<3>&, const Placed<3>&, double,
                                   std::vector<FacingPair<3>>&, std::vector<FacingPair<3>>*);
template DistanceStatus find_pairs_within(const Placed<2>&, const Placed<2>&, const GapRange&,
                                          std::vector<FacingPair<2>>&, std::vector<FacingPair<2>>*);
template DistanceStatus find_pairs_within(const Placed<3>&, const Placed<3>&, const GapRange&,
                                          std::vector<FacingPair<3>>&, std::vector<FacingPair<3>>*);

}  // namespace backlash
