// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/contact_boundary.h"

#include <Eigen/Geometry>

namespace backlash {
namespace {

using nurbs::vec;

/// Directions this much outside of a normal cone still count as inside [rad].
constexpr double cone_tolerance = 1e-9;
/// Poles answer for what is this close to them, where parameters lose their meaning [rad]; the gap
/// is then off by half the square of it, as a part of the size.
constexpr double pole_tolerance = 1.5e-6;
/// The same for flats: the gap is off by the 3/2 power of it.
constexpr double flat_tolerance = 1e-8;
/// The end of a straight stretch meets what leans over the stretch by no more than this [rad].
constexpr double flat_cone = 0.1;
/// Curvatures below this part of 1/size are none.
constexpr double no_curvature = 1e-6;
/// A curve that turns by less than this at a knot is smooth there [rad].
constexpr double smooth_turn = 1e-6;

template <int D>
void add_into(const nurbs::VecD<D>& d, BoundaryVertex<D>& vertex) {
  vertex.into[at(vertex.count++)] = d.normalized();
}

BoundaryVertex<2> end_of_curve(const Vec2& p, const Vec2& along, const Vec2& tangent,
                               double parameter) {
  BoundaryVertex<2> end{.p = p, .normal = Vec2::Zero()};
  end.parameter = parameter;
  add_into<2>(along, end);
  add_into<2>(left_of(tangent), end);
  return end;
}

double curvature_of(const nurbs::PatchJet<double, 2, 1>& f) {
  const Vec2 d = vec<2>(f.d[0]);
  return cross(d, Vec2(vec<2>(f.dd[0][0]))) / std::pow(d.norm(), 3);
}

/// At the knot where a piece begins, smoothly: a flat vertex where a straight stretch ends, or
/// there is no curvature, and the curve bulges beyond (theory 11.29).
void add_flat(const nurbs::BezierPieces<2, 1>& pieces, int before, int after,
              std::vector<BoundaryVertex<2>>& vertices) {
  const bool ends = pieces.straight(before), begins = pieces.straight(after);
  if (ends && begins) return;
  const double none = no_curvature / pieces.size();
  const auto bulges = [&](int piece, double t) {
    return curvature_of(pieces.at_piece(piece, {t})) > -none;
  };
  if ((!ends && !bulges(before, 0.99)) || (!begins && !bulges(after, 0.01))) return;
  const auto bent = [&](int piece, double t) {
    return std::abs(curvature_of(pieces.at_piece(piece, {t}))) > none;
  };
  if (!ends && !begins && (bent(before, 1) || bent(after, 0))) return;
  const auto jet = pieces.at_piece(after, {0.0});
  const Vec2 tangent = vec<2>(jet.d[0]).normalized();
  BoundaryVertex<2> flat{.p = vec<2>(jet.p), .normal = -left_of(tangent)};
  flat.kind = BoundaryVertex<2>::Kind::flat;
  flat.parameter = pieces.axis(0).breaks[at(after)];
  if (ends || begins) add_into<2>(begins ? tangent : Vec2(-tangent), flat);
  vertices.push_back(flat);
}

std::vector<BoundaryVertex<2>> curve_vertices(const nurbs::BezierPieces<2, 1>& pieces) {
  std::vector<BoundaryVertex<2>> vertices;
  const bool closed = pieces.axis(0).closed;
  const int n = pieces.count();
  const auto jet = [&](int i, double t) { return pieces.at_piece(i, {t}); };
  if (!closed) {
    const auto start = jet(0, 0), end = jet(n - 1, 1);
    const Vec2 first = vec<2>(start.d[0]), last = vec<2>(end.d[0]);
    vertices.push_back(end_of_curve(vec<2>(start.p), first, first, pieces.axis(0).first()));
    vertices.push_back(end_of_curve(vec<2>(end.p), -last, last, pieces.axis(0).last()));
  }
  for (int i = closed ? 0 : 1; i < n; ++i) {
    const auto after = jet(i, 0), before = jet((i + n - 1) % n, 1);
    const Vec2 in = vec<2>(before.d[0]).normalized(), out = vec<2>(after.d[0]).normalized();
    const double turn = std::atan2(cross(in, out), in.dot(out));
    if (std::abs(turn) < smooth_turn) {
      add_flat(pieces, (i + n - 1) % n, i, vertices);
      continue;
    }
    BoundaryVertex<2> corner{.p = vec<2>(after.p), .normal = Vec2::Zero()};
    corner.parameter = pieces.axis(0).breaks[at(i)];
    if (turn < 0) corner.kind = BoundaryVertex<2>::Kind::hollow;
    add_into<2>(out, corner);
    add_into<2>(-in, corner);
    vertices.push_back(corner);
  }
  return vertices;
}

/// The Bézier pieces of a surface along the first or last value of a parameter.
nurbs::BezierPieces<3, 1> edge_pieces(const nurbs::BezierPieces<3, 2>& surface, int across,
                                      bool first) {
  const auto& along = surface.axis(1 - across);
  const int stop = first ? 0 : surface.axis(across).pieces() - 1;
  std::vector<double> control;
  for (int i = 0; i < along.pieces(); ++i) {
    const int index =
        across == 0 ? stop * along.pieces() + i : i * surface.axis(across).pieces() + stop;
    const nurbs::PieceView<2> piece = surface.piece(index);
    const int columns = piece.degree[1] + 1, last = piece.degree[at(across)];
    for (int k = 0; k <= piece.degree[at(1 - across)]; ++k) {
      const int row = across == 0 ? (first ? 0 : last) : k;
      const int column = across == 0 ? k : (first ? 0 : last);
      const double* h = piece.h + (row * columns + column) * 4;
      control.insert(control.end(), h, h + 4);
    }
  }
  nurbs::BezierPieces<3, 1>::Axis axis;
  axis.breaks = along.breaks;
  axis.degree = along.degree;
  axis.closed = along.closed;
  return {{axis}, std::move(control)};
}

/// The normal at a pole: the derivative that vanishes grows from it at the rate of the mixed one.
Vec3 pole_normal(const nurbs::BezierPieces<3, 2>& surface, const SurfaceEdge& edge) {
  nurbs::Coords<double, 2> u;
  u[at(edge.across)] = edge.at;
  u[at(1 - edge.across)] = 0.5 * (edge.curve.axis(0).breaks[0] + edge.curve.axis(0).breaks[1]);
  const auto jet = surface.at(u);
  const Vec3 radial = vec<3>(jet.d[at(edge.across)]);
  const Vec3 around = edge.inward * vec<3>(jet.dd[0][1]);
  return (edge.across == 1 ? around.cross(radial) : radial.cross(around)).normalized();
}

BoundaryVertex<3> pole_vertex(const nurbs::BezierPieces<3, 2>& surface, const SurfaceEdge& edge) {
  BoundaryVertex<3> pole{.p = edge.curve.centre(0), .normal = pole_normal(surface, edge)};
  pole.kind = BoundaryVertex<3>::Kind::pole;
  return pole;
}

/// The four corners of a surface that is open both ways, but for those that are poles.
void add_surface_corners(const nurbs::BezierPieces<3, 2>& surface,
                         std::vector<BoundaryVertex<3>>& vertices) {
  if (surface.axis(0).closed || surface.axis(1).closed) return;
  const std::size_t poles = vertices.size();
  for (const double su : {1.0, -1.0})
    for (const double sv : {1.0, -1.0}) {
      const auto& u = surface.axis(0);
      const auto& v = surface.axis(1);
      const auto jet = surface.at({su > 0 ? u.first() : u.last(), sv > 0 ? v.first() : v.last()});
      BoundaryVertex<3> corner{.p = vec<3>(jet.p), .normal = Vec3::Zero()};
      bool pole = false;
      for (std::size_t i = 0; i < poles; ++i)
        pole = pole || (vertices[i].p - corner.p).norm() < 1e-9 * surface.size();
      if (pole) continue;
      const Vec3 du = vec<3>(jet.d[0]), dv = vec<3>(jet.d[1]);
      add_into<3>(su * du, corner);
      add_into<3>(sv * dv, corner);
      add_into<3>(-du.cross(dv), corner);
      vertices.push_back(corner);
    }
}

}  // namespace

template <int D>
bool BoundaryVertex<D>::admits(const nurbs::VecD<D>& d) const {
  if (kind == Kind::hollow) return false;
  if (kind == Kind::pole) {
    const double along = normal.dot(d);
    return along > 0 && (d - along * normal).norm() <= pole_tolerance * along;
  }
  if (kind == Kind::flat) {
    const double along = normal.dot(d), inward = count > 0 ? into[0].dot(d) : 0;
    return answers_for(d) || (along > 0 && inward > 0 && inward <= flat_cone * along);
  }
  for (int i = 0; i < count; ++i)
    if (into[at(i)].dot(d) > cone_tolerance * d.norm()) return false;
  return true;
}

template <int D>
bool BoundaryVertex<D>::answers_for(const nurbs::VecD<D>& d) const {
  const double along = normal.dot(d);
  return kind == Kind::flat && along > 0 && (d - along * normal).norm() <= flat_tolerance * along;
}

template <int D>
ContactBoundary<D>::ContactBoundary(const NurbsCurve<2>& curve) requires(D == 2)
    : facets_(curve.pieces()), vertices_(curve_vertices(curve.pieces())) {}

template <int D>
ContactBoundary<D>::ContactBoundary(const NurbsSurface& surface) requires(D == 3)
    : facets_(surface.pieces()) {
  for (int across = 0; across < 2; ++across) {
    const auto& axis = facets_.axis(across);
    if (axis.closed) continue;
    for (const bool first : {true, false}) {
      SurfaceEdge edge{edge_pieces(facets_, across, first), across,
                       first ? axis.first() : axis.last(), first ? 1.0 : -1.0};
      if (edge.curve.size() < 1e-12 * facets_.size())
        vertices_.push_back(pole_vertex(facets_, edge));
      else
        edges_.push_back(std::move(edge));
    }
  }
  add_surface_corners(facets_, vertices_);
}

bool admits(const SurfaceEdge& edge, const nurbs::BezierPieces<3, 2>& surface, double t,
            const Vec3& d) {
  nurbs::Coords<double, 2> u;
  u[at(edge.across)] = edge.at;
  u[at(1 - edge.across)] = t;
  const auto jet = surface.at(u);
  const Vec3 along = vec<3>(jet.d[at(1 - edge.across)]).normalized();
  const Vec3 across = edge.inward * vec<3>(jet.d[at(edge.across)]);
  const Vec3 into = (across - along.dot(across) * along).normalized();
  const Vec3 n = vec<3>(jet.d[0]).cross(vec<3>(jet.d[1])).normalized();
  const double slack = cone_tolerance * d.norm();
  return into.dot(d) <= slack && -n.dot(d) <= slack;
}

template struct BoundaryVertex<2>;
template struct BoundaryVertex<3>;
template class ContactBoundary<2>;
template class ContactBoundary<3>;

}  // namespace backlash
