// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "backlash/geometry/nurbs/nurbs_curve.h"
#include "backlash/geometry/nurbs/nurbs_surface.h"

namespace backlash {

/// A point of a boundary where it has no tangent plane of its own: a corner of a curve, an end of
/// an open one, a corner of an open surface, a pole.
template <int D>
struct BoundaryVertex {
  enum class Kind {
    corner,  ///< bulges: touches what lies in its normal cone
    hollow,  ///< a corner of the material's outside: touches nothing
    pole,    ///< smooth, but a parameter has no meaning there
    flat     ///< smooth: where a straight stretch ends, or without curvature; touches flats
  };
  nurbs::VecD<D> p;  ///< [m]
  Kind kind = Kind::corner;
  nurbs::VecD<D> normal;                 ///< of a pole or flat, unit
  std::array<nurbs::VecD<D>, 4> into{};  ///< unit vectors into the boundary and the material
  int count = 0;                         ///< of `into`
  double parameter = 0;                  ///< of a curve: where it lies

  /// Whether d lies in the normal cone: it points away from all that is near (theory 11.13).
  bool admits(const nurbs::VecD<D>& d) const;

  /// Whether it is flat and d is its normal, so that it answers for the smooth points beside it,
  /// which no equation tells from each other (theory 11.29).
  bool answers_for(const nurbs::VecD<D>& d) const;
};

/// An edge of an open surface: its boundary along one parameter.
struct SurfaceEdge {
  nurbs::BezierPieces<3, 1> curve{};
  int across = 0;     ///< the parameter that ends there: u (0) or v (1)
  double at = 0;      ///< its value
  double inward = 1;  ///< +1 where it increases from the edge into the surface, else −1
};

/// A curve in the plane (D = 2) or a surface in space (D = 3) as the boundary of material, ready
/// for distances: smooth facets, edges and vertices. The material of a curve lies to its left, that
/// of a surface behind its normal. Const after construction.
///
/// An open curve or surface has its material behind it, its ends are corners: what passes beside
/// them does not touch.
template <int D>
class ContactBoundary {
 public:
  explicit ContactBoundary(const NurbsCurve<2>& curve) requires(D == 2);
  explicit ContactBoundary(const NurbsSurface& surface) requires(D == 3);

  const nurbs::BezierPieces<D, D - 1>& facets() const { return facets_; }
  const std::vector<SurfaceEdge>& edges() const { return edges_; }
  const std::vector<BoundaryVertex<D>>& vertices() const { return vertices_; }
  double size() const { return facets_.size(); }  ///< radius of a ball around all [m]

 private:
  nurbs::BezierPieces<D, D - 1> facets_;
  std::vector<SurfaceEdge> edges_;
  std::vector<BoundaryVertex<D>> vertices_;
};

using Profile = ContactBoundary<2>;
using SurfaceBoundary = ContactBoundary<3>;

/// Whether d lies in the normal cone of an edge at its parameter t (theory 11.13).
bool admits(const SurfaceEdge& edge, const nurbs::BezierPieces<3, 2>& surface, double t,
            const Vec3& d);

}  // namespace backlash
