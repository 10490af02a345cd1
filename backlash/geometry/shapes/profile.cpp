// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/profile.h"

#include <algorithm>

#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

/// Around the control points of its pieces, which hold it.
ShapeBound bound_of(const nurbs::BezierPieces<2, 1>& pieces) {
  std::vector<Vec2> hull;
  for (int i = 0; i < pieces.count(); ++i) {
    const nurbs::PieceView<1> piece = pieces.piece(i);
    for (int k = 0; k <= piece.degree[0]; ++k)
      hull.push_back(Vec2(piece.h[3 * k], piece.h[3 * k + 1]) / piece.h[3 * k + 2]);
  }
  return bound_around(hull);
}

}  // namespace

ShapeKeys<NurbsProfile> NurbsProfile::keys() {
  return {{.name = "profile",
           .value = CurveValue<NurbsProfile>{[](NurbsProfile& s, NurbsCurveData<2> curve) {
             s.curve = std::move(curve);
           }},
           .meaning = "a profile of any form, by its name in `profiles`"}};
}

void check(const NurbsProfile& s, std::string_view item) { NurbsCurve<2>(s.curve, item); }

ShapeFeatures features(const NurbsProfile& s, const TurnedPose& X) {
  SharedProfile profile = shared_profile(s.curve, X);
  ShapeBound bound = bound_of(profile->boundary().facets());
  const NurbsCurve<2> curve(s.curve);
  if (curve.closed() && signed_area(curve) < 0) bound = round_bound(bound.centre, INFINITY);
  return {.bound = bound, .profile = std::move(profile), .free_form = true};
}

Boundary boundary_of(const NurbsProfile& s) {
  const NurbsCurve<2> curve(s.curve);
  const int pieces = curve.pieces().count();
  const int each = std::max(8, (boundary_points_per_turn + pieces - 1) / pieces);
  Boundary edge{.closed = curve.closed(), .hole = curve.closed() && signed_area(curve) < 0};
  for (int i = 0; i < pieces; ++i)
    for (int k = 0; k < each; ++k)
      edge.points.push_back(
          nurbs::vec<2>(curve.pieces().at_piece(i, {static_cast<double>(k) / each}).p));
  if (!edge.closed) edge.points.push_back(curve.at(curve.last()).p);
  return edge;
}

AreaProperties area_of(const NurbsProfile& s) {
  const NurbsCurve<2> curve(s.curve);
  if (!curve.closed()) return {};
  const AreaIntegrals whole = area_integrals(curve);
  if (!(whole.area > 0)) return {};
  const Vec2 centre = whole.first / whole.area;
  return {whole.area, centre, whole.second - whole.area * centre.squaredNorm()};
}

/// Run through the other way, so that its material stays on its left.
NurbsProfile mirrored_of(const NurbsProfile& s) {
  NurbsCurveData<2> curve = s.curve;
  for (Vec2& point : curve.points) point = mirrored(point);
  return {reversed(std::move(curve))};
}

}  // namespace backlash
