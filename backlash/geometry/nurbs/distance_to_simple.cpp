// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/distance.h"
#include "backlash/geometry/nurbs/flat_places.h"
#include "backlash/geometry/nurbs/normal_feet.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there
using Part = BoundaryPoint::Part;

/// The pair of a point on A, with A's normal there, and a ball.
template <int D>
FacingPair<D> pair_with_ball(const SolidBall<D>& ball, const BoundaryPoint& at, const VecD<D>& p_W,
                             const VecD<D>& n_W) {
  return {
      at, {}, p_W, ball.centre - ball.radius * n_W, n_W, n_W.dot(ball.centre - p_W) - ball.radius};
}

template <int D>
FacingPair<D> pair_with_half_space(const HalfSpace<D>& space, const BoundaryPoint& at,
                                   const VecD<D>& p_W) {
  const double gap = space.normal.dot(p_W - space.point);
  return {at, {}, p_W, p_W - gap * space.normal, -space.normal, gap};
}

template <int D>
void add_new(const FacingPair<D>& pair, double size, std::vector<FacingPair<D>>& pairs) {
  for (const FacingPair<D>& known : pairs)
    if ((known.p_WA - pair.p_WA).norm() < 1e-7 * size) return;
  pairs.push_back(pair);
}

template <int D>
void sort_by_gap(std::vector<FacingPair<D>>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
}

/// All roots of a system between one point and the pieces of A; `found` gets their parameters.
template <class System, int D, int K, class Found>
bool all_roots(const ContactBoundary<D>& boundary, const BezierPieces<D, 0>& point,
               const BezierPieces<D, K>& pieces, const System& system, Found found) {
  bool singular = false;
  const PieceComparison<D, 0, K, System> c{point, pieces, nullptr, system,
                                           resolution * boundary.size()};
  for (int i = 0; i < pieces.count(); ++i)
    search_pieces(
        c, 0, i,
        [&](Coords<double, K> t, const Cell<K>& cell) {
          if (!root_of_cell(c, 0, i, cell, t)) return;
          Coords<double, K> u = pieces.parameters(i, t);
          Coords<double, 0> none{};
          if (refine(c, none, u)) found(u);
        },
        [&](const auto&, const PatchJet<Interval, D, K>& f) {
          if (at_pole<D>(boundary, middle_of<D>(f.p))) return AfterUnresolved::go_on;
          singular = true;
          return AfterUnresolved::leave_pieces;
        });
  return !singular;
}

/// The same for a half-space, whose equations have the pieces first.
template <int D, int K, class Found>
bool all_supports(const ContactBoundary<D>& boundary, const BezierPieces<D, K>& pieces,
                  const BezierPieces<D, 0>& point, const Supporting<D, K>& system, Found found) {
  bool singular = false;
  const PieceComparison<D, K, 0, Supporting<D, K>> c{pieces, point, nullptr, system,
                                                     resolution * boundary.size()};
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.straight(i)) continue;  // its ends are looked at
    search_pieces(
        c, i, 0,
        [&](Coords<double, K> t, const Cell<K>& cell) {
          if (!root_of_cell(c, i, 0, cell, t)) return;
          Coords<double, K> u = pieces.parameters(i, t);
          Coords<double, 0> none{};
          if (refine(c, u, none)) found(u);
        },
        [&](const PatchJet<Interval, D, K>& f, const auto&) {
          if (at_pole<D>(boundary, middle_of<D>(f.p)) || at_flat<D>(boundary, middle_of<D>(f.p)))
            return AfterUnresolved::go_on;
          singular = true;
          return AfterUnresolved::leave_pieces;
        });
  }
  return !singular;
}

template <std::size_t K>
BoundaryPoint boundary_point(Part part, int index, const std::array<double, K>& u) {
  BoundaryPoint at{part, index, {}};
  std::copy(u.begin(), u.end(), at.parameters.begin());
  return at;
}

/// A half-space in the frame of a boundary.
template <int D>
struct LocalHalfSpace {
  VecD<D> point, normal;
  LocalHalfSpace(const Placed<D>& A, const HalfSpace<D>& B)
      : point(A.X.local_point(B.point)), normal(A.X.local_direction(B.normal)) {}
  Coords<double, D> direction() const {
    Coords<double, D> m;
    Eigen::Map<VecD<D>>(m.data()) = normal;
    return m;
  }
};

template <int D>
bool bulges_at(const PatchJet<double, D, D - 1>& f) {
  const VecD<D> n = unit_normal<D>(f);
  return positive_definite<D - 1>(curvature_matrix<D>(f, tangent_basis<D>(n)));
}

/// Whether a flat vertex answers for a point p, in whose direction d the other is.
template <int D>
bool flat_answers_for(const ContactBoundary<D>& boundary, const VecD<D>& d, const VecD<D>& p) {
  for (int i = 0; i < static_cast<int>(boundary.vertices().size()); ++i)
    if (flat_answers<D>({boundary}, {Part::vertex, i, {}}, d, p)) return true;
  return false;
}

/// Every minimum of the distance of A from a half-space, up to a gap; false if some place has no
/// single one.
template <int D, class Use>
bool for_each_support(const Placed<D>& A, const HalfSpace<D>& B, double reach, Use use) {
  const ContactBoundary<D>& boundary = A.boundary;
  const LocalHalfSpace<D> space(A, B);
  const BezierPieces<D, 0> point(space.point);
  const auto offer = [&](const BoundaryPoint& at, const VecD<D>& p) {
    const FacingPair<D> pair = pair_with_half_space(B, at, VecD<D>(A.X.point(p)));
    if (pair.gap <= reach) use(pair);
  };
  bool regular =
      all_supports<D, D - 1>(boundary, boundary.facets(), point, {space.direction(), reach},
                             [&](const Coords<double, D - 1>& u) {
                               const PatchJet<double, D, D - 1> f = boundary.facets().at(u);
                               if (unit_normal<D>(f).dot(space.normal) < 0 && bulges_at<D>(f) &&
                                   !flat_answers_for(boundary, VecD<D>(-space.normal), vec<D>(f.p)))
                                 offer(boundary_point(Part::facet, 0, u), vec<D>(f.p));
                             });
  if constexpr (D == 3)
    for (int i = 0; i < static_cast<int>(boundary.edges().size()); ++i) {
      const SurfaceEdge& edge = boundary.edges()[at(i)];
      regular &= all_supports<3, 1>(
          boundary, edge.curve, point, {space.direction(), reach}, [&](const Coords<double, 1>& u) {
            if (admits(edge, boundary.facets(), u[0], -space.normal))
              offer(boundary_point(Part::edge, i, u), vec<3>(edge.curve.at(u).p));
          });
    }
  for (int i = 0; i < static_cast<int>(boundary.vertices().size()); ++i)
    if (boundary.vertices()[at(i)].admits(-space.normal))
      offer({Part::vertex, i, {}}, boundary.vertices()[at(i)].p);
  return regular;
}

/// Parameters along an arc around a point: its ends, and between them so many that the normals of
/// two neighbours differ by less than a quarter turn. What does not enter it there does so nowhere.
template <class Use>
void for_each_place_of(const BezierPieces<2, 1>& pieces, const CurveFoot& stretch, Use use) {
  constexpr int parts = 4;
  const auto& axis = pieces.axis(0);
  const double inset = 1e-9 * (stretch.last - stretch.first);  // beyond its ends there are others
  const CurveFoot inner{stretch.first + inset, stretch.last - inset};
  const auto place = [&](int i) {
    return axis.in_domain(inner.first + (inner.last - inner.first) * i / parts);
  };
  const auto normal = [&](int i) { return unit_normal<2>(pieces.at({place(i)})); };
  int last = 0;
  use(place(0));
  for (int i = 1; i <= parts; ++i) {
    const bool needed = i == parts || normal(last).dot(normal(i + 1)) <= 0;
    if (!needed) continue;
    use(place(i));
    last = i;
  }
}

/// Every minimum of the distance of a point from a curve, all in its frame, with a distance in (0,
/// reach]; false if the curve is a circle around it.
template <class Use>
bool for_each_nearest(const BezierPieces<2, 1>& pieces, const Vec2& c, double reach, Use use) {
  constexpr double undecided = 1e-9;  // of 1 + s κ
  bool regular = true;
  for_each_foot(pieces, c, reach, [&](const CurveFoot& foot) {
    const double u = settled(pieces, foot, c);
    const PatchJet<double, 2, 1> f = pieces.at({u});
    const Vec2 n = unit_normal<2>(f);
    const double s = n.dot(c - vec<2>(f.p));
    if (s <= 0 || s > reach || !is_foot(pieces, u, c)) return;
    if (is_stretch(pieces, foot)) {
      regular = regular && !is_whole(pieces, foot);
      if (!is_whole(pieces, foot)) for_each_place_of(pieces, foot, use);
      return;
    }
    const double growth = 1 + s * curvature_matrix<2>(f, tangent_basis<2>(n))(0, 0);
    const bool single = is_single(pieces, foot) && std::abs(growth) > undecided;
    if (single ? growth > 0 : is_lowest_around(pieces, foot, c)) use(u);
  });
  return regular;
}

}  // namespace

template <int D>
Distance<D> closest(const Placed<D>& A, const SolidBall<D>& B) {
  const NearestPoint<D> foot = nearest_point<D>(A.boundary, A.X.local_point(B.centre));
  if (foot.status == DistanceStatus::singular) return {};
  return {foot.status,
          pair_with_ball(B, foot.at, VecD<D>(A.X.point(foot.p)), VecD<D>(A.X.direction(foot.n)))};
}

template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const SolidBall<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs, std::vector<FacingPair<D>>* waiting) {
  pairs.clear();
  if (waiting) waiting->clear();
  const ContactBoundary<D>& boundary = A.boundary;
  const VecD<D> c = A.X.local_point(B.centre);
  const BezierPieces<D, 0> point(c);
  const double limit = reach + B.radius, size = boundary.size();
  const auto offer = [&](const BoundaryPoint& at, const VecD<D>& p, const VecD<D>& n) {
    if (n.dot(c - p) > limit) return;
    add_new(pair_with_ball(B, at, VecD<D>(A.X.point(p)), VecD<D>(A.X.direction(n))), size, pairs);
  };
  bool regular = true;
  if constexpr (D == 2)
    regular = for_each_nearest(boundary.facets(), c, limit, [&](double u) {
      const PatchJet<double, 2, 1> f = boundary.facets().at({u});
      offer({Part::facet, 0, {u, 0}}, vec<2>(f.p), unit_normal<2>(f));
    });
  if constexpr (D == 3)
    regular = all_roots<Facing<D, 0>, D, D - 1>(
        boundary, point, boundary.facets(), {{limit, 0}}, [&](const Coords<double, D - 1>& u) {
          const PatchJet<double, D, D - 1> f = boundary.facets().at(u);
          const VecD<D> n = unit_normal<D>(f), p = vec<D>(f.p);
          const double s = n.dot(c - p);
          if (s > 0 && is_minimum<D, 0>({}, f, s)) offer(boundary_point(Part::facet, 0, u), p, n);
        });
  if constexpr (D == 3)
    for (int i = 0; i < static_cast<int>(boundary.edges().size()); ++i) {
      const SurfaceEdge& edge = boundary.edges()[at(i)];
      regular &= all_roots<Nearest<3, 0, 1>, 3, 1>(
          boundary, point, edge.curve, {{limit, 0}}, [&](const Coords<double, 1>& u) {
            const Vec3 p = vec<3>(edge.curve.at(u).p), d = c - p;
            if (d.norm() > 0 && admits(edge, boundary.facets(), u[0], d))
              offer(boundary_point(Part::edge, i, u), p, d.normalized());
          });
    }
  for (int i = 0; i < static_cast<int>(boundary.vertices().size()); ++i) {
    const BoundaryVertex<D>& vertex = boundary.vertices()[at(i)];
    const VecD<D> d = c - vertex.p;
    if (vertex.kind == BoundaryVertex<D>::Kind::flat) continue;  // the facets have what is there
    if (d.norm() > 0 && vertex.admits(d))
      offer({Part::vertex, i, {}}, vertex.p, d.normalized());
    else if (waiting && d.norm() <= limit && vertex.kind == BoundaryVertex<D>::Kind::corner)
      waiting->push_back(pair_with_ball(B, {Part::vertex, i, {}}, VecD<D>(A.X.point(vertex.p)),
                                        VecD<D>(A.X.direction(d.normalized()))));
  }
  const NearestPoint<D> foot = nearest_point<D>(boundary, c);
  if (foot.gap <= 0 && foot.status == DistanceStatus::found) offer(foot.at, foot.p, foot.n);
  sort_by_gap(pairs);
  return regular ? DistanceStatus::found : DistanceStatus::singular;
}

template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const HalfSpace<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs, std::vector<FacingPair<D>>* waiting) {
  pairs.clear();
  if (waiting) waiting->clear();
  const bool regular = for_each_support(
      A, B, reach, [&](const FacingPair<D>& pair) { add_new(pair, A.boundary.size(), pairs); });
  sort_by_gap(pairs);
  const LocalHalfSpace<D> space(A, B);
  for (int i = 0; waiting && i < static_cast<int>(A.boundary.vertices().size()); ++i) {
    const BoundaryVertex<D>& vertex = A.boundary.vertices()[at(i)];
    const bool corner = vertex.kind == BoundaryVertex<D>::Kind::corner ||
                        vertex.kind == BoundaryVertex<D>::Kind::flat;
    const bool waits = corner && !vertex.admits(-space.normal);
    const FacingPair<D> pair =
        pair_with_half_space(B, {Part::vertex, i, {}}, VecD<D>(A.X.point(vertex.p)));
    if (waits && pair.gap <= reach) waiting->push_back(pair);
  }
  return regular ? DistanceStatus::found : DistanceStatus::singular;
}

template <int D>
Distance<D> closest(const Placed<D>& A, const HalfSpace<D>& B) {
  const LocalHalfSpace<D> space(A, B);
  double lowest = INFINITY;
  for (int i = 0; i < A.boundary.facets().count(); ++i)
    lowest = std::min(lowest, space.normal.dot(A.boundary.facets().centre(i) - space.point));
  Distance<D> result;
  const bool regular =
      for_each_support(A, B, lowest + 1e-12 * A.boundary.size(), [&](const FacingPair<D>& pair) {
        if (pair.gap < result.pair.gap) result.pair = pair;
      });
  if (regular && result.pair.gap < INFINITY) result.status = DistanceStatus::found;
  return result;
}

template <int D>
bool follow(const Placed<D>& A, const SolidBall<D>& B, FacingPair<D>& pair) {
  const ContactBoundary<D>& boundary = A.boundary;
  const VecD<D> c = A.X.local_point(B.centre);
  BoundaryPoint at = pair.A;
  VecD<D> p, n;
  if (at.part == Part::facet) {
    const BezierPieces<D, 0> point(c);
    const Facing<D, 0> system{{INFINITY, INFINITY}};
    const PieceComparison<D, 0, D - 1, Facing<D, 0>> comparison{point, boundary.facets(), nullptr,
                                                                system, 0};
    Coords<double, D - 1> u;
    std::copy(at.parameters.begin(), at.parameters.begin() + (D - 1), u.begin());
    const PatchJet<double, D, D - 1> was = boundary.facets().at(u);
    Coords<double, 0> none{};
    if (!refine(comparison, none, u)) return false;
    const PatchJet<double, D, D - 1> f = boundary.facets().at(u);
    p = vec<D>(f.p);
    n = unit_normal<D>(f);
    const double s = n.dot(c - p);
    if ((p - vec<D>(was.p)).norm() > 0.1 * boundary.size() || !is_minimum<D, 0>({}, f, s))
      return false;
    const bool newly = pair.gap + B.radius > 0 || unit_normal<D>(was).dot(n) < 0.5;
    if (s < 0 && newly && std::abs(nearest_point<D>(boundary, c).gap - s) > 1e-9 * boundary.size())
      return false;
    at = boundary_point(Part::facet, 0, u);
  } else {
    if (at.part != Part::vertex) return false;
    p = boundary.vertices()[backlash::at(at.index)].p;
    n = (c - p).normalized();
    if (!boundary.vertices()[backlash::at(at.index)].admits(n)) return false;
  }
  pair = pair_with_ball(B, at, VecD<D>(A.X.point(p)), VecD<D>(A.X.direction(n)));
  return true;
}

template <int D>
bool follow(const Placed<D>& A, const HalfSpace<D>& B, FacingPair<D>& pair) {
  const ContactBoundary<D>& boundary = A.boundary;
  const LocalHalfSpace<D> space(A, B);
  if (pair.A.part == Part::vertex) {
    const BoundaryVertex<D>& vertex = boundary.vertices()[at(pair.A.index)];
    if (!vertex.admits(-space.normal)) return false;
    pair = pair_with_half_space(B, pair.A, VecD<D>(A.X.point(vertex.p)));
    return true;
  }
  if (pair.A.part != Part::facet) return false;
  const BezierPieces<D, 0> point(space.point);
  const Supporting<D, D - 1> system{space.direction(), INFINITY};
  const PieceComparison<D, D - 1, 0, Supporting<D, D - 1>> comparison{boundary.facets(), point,
                                                                      nullptr, system, 0};
  Coords<double, D - 1> u;
  std::copy(pair.A.parameters.begin(), pair.A.parameters.begin() + (D - 1), u.begin());
  const VecD<D> was = vec<D>(boundary.facets().at(u).p);
  Coords<double, 0> none{};
  if (!refine(comparison, u, none)) return false;
  const PatchJet<double, D, D - 1> f = boundary.facets().at(u);
  const VecD<D> p = vec<D>(f.p);
  if ((p - was).norm() > 0.1 * boundary.size() || unit_normal<D>(f).dot(space.normal) > 0 ||
      !bulges_at<D>(f))
    return false;
  pair = pair_with_half_space(B, boundary_point(Part::facet, 0, u), VecD<D>(A.X.point(p)));
  return true;
}

template <int D>
bool still_waits(const Placed<D>& A, const SolidBall<D>& B, FacingPair<D>& pair) {
  const BoundaryVertex<D>& vertex = A.boundary.vertices()[at(pair.A.index)];
  return !vertex.admits(A.X.local_point(B.centre) - vertex.p);
}

template <int D>
bool still_waits(const Placed<D>& A, const HalfSpace<D>& B, FacingPair<D>& pair) {
  return !A.boundary.vertices()[at(pair.A.index)].admits(-LocalHalfSpace<D>(A, B).normal);
}

template Distance<2> closest(const Placed<2>&, const SolidBall<2>&);
template Distance<3> closest(const Placed<3>&, const SolidBall<3>&);
template Distance<2> closest(const Placed<2>&, const HalfSpace<2>&);
template Distance<3> closest(const Placed<3>&, const HalfSpace<3>&);
template DistanceStatus find_pairs(const Placed<2>&, const SolidBall<2>&, double,
                                   std::vector<FacingPair<2>>&, std::vector<FacingPair<2>>*);
template DistanceStatus find_pairs(const Placed<3>&, const SolidBall<3>&, double,
                                   std::vector<FacingPair<3>>&, std::vector<FacingPair<3>>*);
template DistanceStatus find_pairs(const Placed<2>&, const HalfSpace<2>&, double,
                                   std::vector<FacingPair<2>>&, std::vector<FacingPair<2>>*);
template DistanceStatus find_pairs(const Placed<3>&, const HalfSpace<3>&, double,
                                   std::vector<FacingPair<3>>&, std::vector<FacingPair<3>>*);
template bool follow(const Placed<2>&, const SolidBall<2>&, FacingPair<2>&);
template bool still_waits(const Placed<2>&, const SolidBall<2>&, FacingPair<2>&);
template bool follow(const Placed<3>&, const SolidBall<3>&, FacingPair<3>&);
template bool still_waits(const Placed<3>&, const SolidBall<3>&, FacingPair<3>&);
template bool follow(const Placed<2>&, const HalfSpace<2>&, FacingPair<2>&);
template bool still_waits(const Placed<2>&, const HalfSpace<2>&, FacingPair<2>&);
template bool follow(const Placed<3>&, const HalfSpace<3>&, FacingPair<3>&);
template bool still_waits(const Placed<3>&, const HalfSpace<3>&, FacingPair<3>&);

}  // namespace backlash
