// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/normal_feet.h"
#include "backlash/geometry/nurbs/pair_conditions.h"

namespace backlash::nurbs {
namespace {

/// The best so far.
template <int D>
struct NearestSearch {
  const ContactBoundary<D>& boundary;
  const VecD<D>& p;
  NearestPoint<D> best{};
  double distance = INFINITY;  ///< of the best [m]
  double singular = INFINITY;  ///< of the closest place with more than one closest point [m]

  double resolved() const { return resolution * boundary.size(); }

  /// Some points of the boundary, as a first bound.
  double first_bound() const {
    double bound = INFINITY;
    for (int i = 0; i < boundary.facets().count(); ++i)
      bound = std::min(bound, (boundary.facets().centre(i) - p).norm());
    return bound * (1 + 1e-12);
  }

  void offer(const BoundaryPoint& at, const VecD<D>& foot, const VecD<D>& n, double gap) {
    best = {DistanceStatus::found, at, foot, n, gap};
    distance = std::abs(gap);
  }

  /// Of a curve all feet of the point; where they are an arc around it, one stands for all.
  void look_at_feet() {
    const BezierPieces<2, 1>& facets = boundary.facets();
    double reach = first_bound();
    for_each_foot(facets, p, reach, [&](const CurveFoot& foot) {
      const BoundaryPoint at{BoundaryPoint::Part::facet, 0, {settled(facets, foot, p), 0}};
      const PatchJet<double, 2, 1> f = facets.at({at.parameters[0]});
      const Vec2 d = p - vec<2>(f.p), n = unit_normal<2>(f);
      if (is_stretch(facets, foot)) singular = std::min(singular, d.norm());
      if (d.norm() >= distance || !is_foot(facets, at.parameters[0], p)) return;
      offer(at, vec<2>(f.p), n, n.dot(d));
      reach = std::min(reach, d.norm() * (1 + 1e-12));
    });
  }

  void look_at_facets() {
    const BezierPieces<D, D - 1>& facets = boundary.facets();
    const BezierPieces<D, 0> point(p);
    Facing<D, 0> system{{first_bound(), 0}};
    const PieceComparison<D, 0, D - 1, Facing<D, 0>> c{point, facets, nullptr, system, resolved()};
    for (int i = 0; i < facets.count(); ++i) {
      if ((facets.centre(i) - p).norm() - facets.radius(i) > system.limits.reach) continue;
      search_pieces(
          c, 0, i,
          [&](Coords<double, D - 1> t, const Cell<D - 1>& cell) {
            if (!root_of_cell(c, 0, i, cell, t)) return;
            Coords<double, D - 1> u = facets.parameters(i, t);
            Coords<double, 0> none{};
            if (!refine(c, none, u)) return;
            const PatchJet<double, D, D - 1> f = facets.at(u);
            const VecD<D> foot = vec<D>(f.p), d = p - foot;
            if (d.norm() >= distance) return;
            const VecD<D> n = unit_normal<D>(f);
            BoundaryPoint at;
            std::copy(u.begin(), u.end(), at.parameters.begin());
            offer(at, foot, n, n.dot(d));
            system.limits.reach = std::min(system.limits.reach, d.norm() * (1 + 1e-12));
          },
          [&](const auto&, const auto& f) {
            if (at_pole<D>(boundary, middle_of<D>(f.p))) return AfterUnresolved::go_on;
            const Coords<Interval, D> d = difference(f.p, point.template jet<Interval>().p);
            singular = std::min(singular, std::sqrt(least_square(d)));
            return AfterUnresolved::leave_pieces;
          });
    }
  }

  void look_at_edge(int index) {
    const BezierPieces<3, 1>& curve = boundary.edges()[at(index)].curve;
    const BezierPieces<3, 0> point(p);
    const Nearest<3, 0, 1> system{{distance, 0}};
    const PieceComparison<3, 0, 1, Nearest<3, 0, 1>> c{point, curve, nullptr, system, resolved()};
    for (int i = 0; i < curve.count(); ++i) {
      if ((curve.centre(i) - p).norm() - curve.radius(i) > distance) continue;
      search_pieces(
          c, 0, i,
          [&](Coords<double, 1> t, const Cell<1>& cell) {
            if (!root_of_cell(c, 0, i, cell, t)) return;
            Coords<double, 1> u = curve.parameters(i, t);
            Coords<double, 0> none{};
            if (!refine(c, none, u)) return;
            const VecD<D> foot = vec<3>(curve.at(u).p), d = p - foot;
            if (d.norm() < distance)
              offer({BoundaryPoint::Part::edge, index, {u[0], 0}}, foot, d.normalized(), d.norm());
          },
          [&](const auto&, const auto& f) {
            const Coords<Interval, 3> d = difference(f.p, point.template jet<Interval>().p);
            singular = std::min(singular, std::sqrt(least_square(d)));
            return AfterUnresolved::leave_pieces;
          });
    }
  }

  void look_at_vertex(int index) {
    using Kind = typename BoundaryVertex<D>::Kind;
    const BoundaryVertex<D>& vertex = boundary.vertices()[at(index)];
    if (vertex.kind == Kind::flat) return;
    const VecD<D> d = p - vertex.p;
    if (!(d.norm() < distance)) return;
    const BoundaryPoint at{BoundaryPoint::Part::vertex, index, {}};
    const bool inside =
        vertex.kind == Kind::pole ? vertex.normal.dot(d) < 0 : vertex.kind == Kind::hollow;
    const double sign = inside ? -1 : 1;
    VecD<D> n = sign * d;
    if (d.norm() == 0) n = vertex.normal;
    if (n.norm() == 0)
      for (int i = 0; i < vertex.count; ++i) n -= vertex.into[backlash::at(i)];
    offer(at, vertex.p, n.normalized(), sign * d.norm());
  }
};

}  // namespace

template <int D>
NearestPoint<D> nearest_point(const ContactBoundary<D>& boundary, const VecD<D>& p) {
  NearestSearch<D> search{boundary, p};
  if constexpr (D == 2) search.look_at_feet();
  if constexpr (D == 3) search.look_at_facets();
  if constexpr (D == 3)
    for (int i = 0; i < static_cast<int>(boundary.edges().size()); ++i) search.look_at_edge(i);
  for (int i = 0; i < static_cast<int>(boundary.vertices().size()); ++i) search.look_at_vertex(i);
  if (search.singular <= search.distance + 10 * search.resolved())
    search.best.status = DistanceStatus::singular;
  return search.best;
}

template NearestPoint<2> nearest_point(const ContactBoundary<2>&, const Vec2&);
template NearestPoint<3> nearest_point(const ContactBoundary<3>&, const Vec3&);

}  // namespace backlash::nurbs
