// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/distance.h"

#include "backlash/geometry/nurbs/flat_places.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there
using Part = BoundaryPoint::Part;

/// Points and normals of a pair from its parameters.
template <int D>
struct PairPoint {
  VecD<D> p;
  VecD<D> n = VecD<D>::Zero();  ///< of a facet or pole, unit, out of the material; else zero
};

template <int D>
PairPoint<D> pair_point(const Placed<D>& body, const BoundaryPoint& at) {
  if (at.part == Part::facet) {
    const PatchJet<double, D, D - 1> f = facet_jet<D>(body, at);
    return {vec<D>(f.p), unit_normal<D>(f)};
  }
  if (at.part == Part::vertex) {
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
  if (pair.B.part == Part::facet) {
    pair.n_W = -b.n;
  } else if (pair.A.part == Part::facet) {
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
  if (at.part == Part::vertex) return body.boundary.vertices()[backlash::at(at.index)].admits(d);
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
  if (at_l.part == Part::facet) return is_minimum<D, D - 1>(facet_jet<D>(l, at_l), facet, gap);
  if (at_l.part == Part::vertex) return is_minimum<D, 0>({}, facet, gap);
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
  const bool facet_A = pair.A.part == Part::facet, facet_B = pair.B.part == Part::facet;
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
  return at.part == Part::vertex &&
         body.boundary.vertices()[backlash::at(at.index)].kind == BoundaryVertex<D>::Kind::hollow;
}

/// Whether a pair that does not count may do so when the bodies have moved a little: the other lies
/// beside a corner, or there is a shorter way out.
template <int D>
bool may_count_soon(const Placed<D>& A, const Placed<D>& B, const FacingPair<D>& pair) {
  if (is_hollow(A, pair.A) || is_hollow(B, pair.B)) return false;
  const bool facet_A = pair.A.part == Part::facet, facet_B = pair.B.part == Part::facet;
  if (!facet_A && !facet_B) return pair.gap > 0;
  if (facet_A && facet_B && pair_point(A, pair.A).n.dot(pair.n_W) < 0) return false;
  return (facet_B && rests_on(A, pair.A, B, pair.B, pair.gap)) ||
         (facet_A && rests_on(B, pair.B, A, pair.A, pair.gap));
}

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
        const double apart = (X_LF.point(f.centre(j)) - l.centre(i)).norm();
        if (apart - l.radius(i) - f.radius(j) > std::max(limits.reach, limits.depth)) continue;
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

/// Solves the equations of a pair again from where it was.
template <class System, int D, int KL, int KF>
bool refined(const BezierPieces<D, KL>& l, const BezierPieces<D, KF>& f, const PoseD<D>& X_LF,
             BoundaryPoint& at_l, BoundaryPoint& at_f) {
  const System system{SearchLimits{INFINITY, INFINITY}};
  const PieceComparison<D, KL, KF, System> c{l, f, &X_LF, system, 0};
  Coords<double, KL> tl;
  Coords<double, KF> tf;
  std::copy(at_l.parameters.begin(), at_l.parameters.begin() + KL, tl.begin());
  std::copy(at_f.parameters.begin(), at_f.parameters.begin() + KF, tf.begin());
  if (!refine(c, tl, tf)) return false;
  std::copy(tl.begin(), tl.end(), at_l.parameters.begin());
  std::copy(tf.begin(), tf.end(), at_f.parameters.begin());
  return true;
}

/// The same for a part of l and a facet or edge of f, whichever they are.
template <int D>
bool refined_parts(const Placed<D>& l, const Placed<D>& f, BoundaryPoint& at_l,
                   BoundaryPoint& at_f) {
  const PoseD<D> X_LF = relative_pose(l.X, f.X);
  const auto with = [&](const auto& pieces) {
    constexpr int K = std::is_same_v<decltype(pieces), const BezierPieces<D, 0>&> ? 0 : 1;
    if (at_f.part == Part::facet)
      return refined<Facing<D, K>, D, K, D - 1>(pieces, f.boundary.facets(), X_LF, at_l, at_f);
    if constexpr (D == 3)
      return refined<Nearest<3, K, 1>, 3, K, 1>(pieces, f.boundary.edges()[at(at_f.index)].curve,
                                                X_LF, at_l, at_f);
    return false;
  };
  if (at_l.part == Part::facet)
    return refined<Facing<D, D - 1>, D, D - 1, D - 1>(l.boundary.facets(), f.boundary.facets(),
                                                      X_LF, at_l, at_f);
  if (at_l.part == Part::vertex)
    return with(BezierPieces<D, 0>(l.boundary.vertices()[at(at_l.index)].p));
  if constexpr (D == 3) return with(l.boundary.edges()[at(at_l.index)].curve);
  return false;
}

/// facet > edge > vertex: the second of a pair in the equations is the larger one.
int dimension(const BoundaryPoint& at) { return 2 - static_cast<int>(at.part); }

/// The pair where the bodies are now, whether it counts or not; false if it is lost.
template <int D>
bool solved_again(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  const VecD<D> was = pair_point<D>({A.boundary}, pair.A).p;
  if (pair.A.part != Part::vertex || pair.B.part != Part::vertex) {
    const bool swap = dimension(pair.A) > dimension(pair.B);
    const bool solved =
        swap ? refined_parts(B, A, pair.B, pair.A) : refined_parts(A, B, pair.A, pair.B);
    if (!solved) return false;
  }
  complete(A, B, pair);
  return (pair_point<D>({A.boundary}, pair.A).p - was).norm() <= 0.1 * A.boundary.size();
}

/// Whether the normals of two points of a boundary differ so much that they may be on two sides.
template <int D>
bool turned_over(const ContactBoundary<D>& boundary, const BoundaryPoint& was,
                 const BoundaryPoint& is) {
  if (was.part != Part::facet || is.part != Part::facet) return false;
  const Placed<D> body{boundary};
  return pair_point(body, was).n.dot(pair_point(body, is).n) < 0.5;
}

}  // namespace

template <int D>
Distance<D> closest(const Placed<D>& A, const Placed<D>& B) {
  const Distance<D> result = closest_within(A, B, some_distance(A, B));
  if (result.pair.gap < INFINITY || result.status == DistanceStatus::found) return result;
  return closest_within(A, B, INFINITY);  // the closest points were behind an open end
}

template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const Placed<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs, std::vector<FacingPair<D>>* waiting) {
  pairs.clear();
  if (waiting) waiting->clear();
  const double size = std::max(A.boundary.size(), B.boundary.size());
  BoundarySearch search{A, B, SearchLimits{reach, size},
                        [&](const FacingPair<D>& pair) {
                          add_pair(A, B, pair, pairs);
                          return reach;
                        },
                        waiting};
  search.run();
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
  return search.singular <= reach ? DistanceStatus::singular : DistanceStatus::found;
}

template <int D>
bool follow(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  FacingPair<D> next = pair;
  if (!solved_again(A, B, next)) return false;
  const PairCheck<D> check = check_pair(A, B, next);
  if (!check.on_A && !check.on_B) return false;
  const bool newly = pair.gap > 0 || turned_over(A.boundary, pair.A, next.A) ||
                     turned_over(B.boundary, pair.B, next.B);
  if (next.gap < 0 && newly && !is_way_out(A, B, next, check)) return false;
  pair = next;
  return true;
}

template <int D>
bool still_waits(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  FacingPair<D> next = pair;
  if (!solved_again(A, B, next) || counts(A, B, next) || !may_count_soon(A, B, next)) return false;
  pair = next;
  return true;
}

template Distance<2> closest(const Placed<2>&, const Placed<2>&);
template Distance<3> closest(const Placed<3>&, const Placed<3>&);
template DistanceStatus find_pairs(const Placed<2>&, const Placed<2>&, double,
                                   std::vector<FacingPair<2>>&, std::vector<FacingPair<2>>*);
template DistanceStatus find_pairs(const Placed<3>&, const Placed<3>&, double,
                                   std::vector<FacingPair<3>>&, std::vector<FacingPair<3>>*);
template bool still_waits(const Placed<2>&, const Placed<2>&, FacingPair<2>&);
template bool still_waits(const Placed<3>&, const Placed<3>&, FacingPair<3>&);
template bool follow(const Placed<2>&, const Placed<2>&, FacingPair<2>&);
template bool follow(const Placed<3>&, const Placed<3>&, FacingPair<3>&);

}  // namespace backlash
