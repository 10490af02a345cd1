// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "backlash/geometry/nurbs/bezier_pieces.h"
#include "backlash/geometry/nurbs/distance.h"
#include "backlash/geometry/nurbs/facing.h"

/// What the searches for facing points share.
namespace backlash::nurbs {

/// X_AB of two poses in the world.
inline Pose2 relative_pose(const Pose2& X_WA, const Pose2& X_WB) {
  const Vec2 p = X_WA.local_point(Vec2(X_WB.x, X_WB.y));
  return {X_WA.c * X_WB.c + X_WA.s * X_WB.s, X_WA.c * X_WB.s - X_WA.s * X_WB.c, p.x(), p.y()};
}
inline Pose3 relative_pose(const Pose3& X_WA, const Pose3& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.local_point(X_WB.p)};
}

/// Cells of this part of the size of the bodies are not split any more.
inline constexpr double resolution = 1e-9;

/// The unit normal of a facet.
template <int D>
VecD<D> unit_normal(const PatchJet<double, D, D - 1>& f) {
  return vec<D>(normal_jet(f).n).normalized();
}

/// Unit vectors that span what is normal to n.
template <int D>
Eigen::Matrix<double, D, D - 1> tangent_basis(const VecD<D>& n) {
  Eigen::Matrix<double, D, D - 1> basis;
  if constexpr (D == 2) {
    basis << -n.y(), n.x();
  } else {
    const int axis = std::abs(n.x()) < 0.6 ? 0 : 1;
    basis.col(0) = n.cross(Vec3::Unit(axis)).normalized();
    basis.col(1) = n.cross(basis.col(0));
  }
  return basis;
}

template <int N>
bool positive_definite(const Eigen::Matrix<double, N, N>& m) {
  if constexpr (N == 1) return m(0, 0) > 0;
  if constexpr (N == 2) return m(0, 0) > 0 && m.determinant() > 0;
}

/// First derivatives as columns, in a basis; second derivatives along a direction.
template <int D, int K>
Eigen::Matrix<double, D - 1, K> first_derivatives(const PatchJet<double, D, K>& f,
                                                  const Eigen::Matrix<double, D, D - 1>& basis) {
  Eigen::Matrix<double, D - 1, K> out;
  for (int k = 0; k < K; ++k) out.col(k) = basis.transpose() * vec<D>(f.d[at(k)]);
  return out;
}
template <int D, int K>
Eigen::Matrix<double, K, K> second_derivatives(const PatchJet<double, D, K>& f,
                                               const VecD<D>& direction) {
  Eigen::Matrix<double, K, K> out;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) out(i, j) = direction.dot(vec<D>(f.dd[at(i)][at(j)]));
  return out;
}

/// The curvature of a facet in a basis of its tangent plane, > 0 where it bulges (theory 11.5).
template <int D>
Eigen::Matrix<double, D - 1, D - 1> curvature_matrix(const PatchJet<double, D, D - 1>& f,
                                                     const Eigen::Matrix<double, D, D - 1>& basis) {
  const Eigen::Matrix<double, D - 1, D - 1> J = first_derivatives<D, D - 1>(f, basis).inverse();
  return J.transpose() * second_derivatives<D, D - 1>(f, -unit_normal<D>(f)) * J;
}

/// Whether the distance from the facet F has a minimum along L where the two face each other
/// (theory 11.17): F moved out by the gap is still smooth, and L bends away from it.
template <int D, int K>
bool is_minimum(const PatchJet<double, D, K>& l, const PatchJet<double, D, D - 1>& f, double gap) {
  using Curvature = Eigen::Matrix<double, D - 1, D - 1>;
  const VecD<D> n_F = unit_normal<D>(f);
  const Eigen::Matrix<double, D, D - 1> basis = tangent_basis<D>(n_F);
  const Curvature K_F = curvature_matrix<D>(f, basis);
  const Curvature growth = Curvature::Identity() + gap * K_F;
  if (!positive_definite<D - 1>(growth)) return false;
  if constexpr (K > 0) {
    const Curvature K_moved = growth.inverse() * K_F;
    const Eigen::Matrix<double, D - 1, K> J = first_derivatives<D, K>(l, basis);
    return positive_definite<K>(J.transpose() * K_moved * J + second_derivatives<D, K>(l, n_F));
  }
  return true;
}

/// Whether what could not be resolved lies at a pole, where parameters lose their meaning; the
/// vertex there is looked at instead. All in the frame of the boundary.
template <int D>
bool at_pole(const ContactBoundary<D>& boundary, const VecD<D>& p) {
  for (const BoundaryVertex<D>& vertex : boundary.vertices())
    if (vertex.kind == BoundaryVertex<D>::Kind::pole &&
        (vertex.p - p).norm() <= 1e-6 * boundary.size())
      return true;
  return false;
}

/// The middle of a box.
template <int D>
VecD<D> middle_of(const Coords<Interval, D>& box) {
  VecD<D> p;
  for (int c = 0; c < D; ++c) p[c] = box[at(c)].middle();
  return p;
}

/// The point of a boundary that is closest to p, all in the frame of the boundary.
template <int D>
struct NearestPoint {
  DistanceStatus status = DistanceStatus::singular;
  BoundaryPoint at{};
  VecD<D> p = VecD<D>::Zero();
  VecD<D> n = VecD<D>::Zero();  ///< unit, out of the material; p is at foot + gap n
  double gap = INFINITY;        ///< < 0: inside; also where no single point is the closest
};
template <int D>
NearestPoint<D> nearest_point(const ContactBoundary<D>& boundary, const VecD<D>& p);

/// A point of a boundary by its parameters, moved by X; K as it is there.
template <int D>
PatchJet<double, D, D - 1> facet_jet(const Placed<D>& body, const BoundaryPoint& at) {
  Coords<double, D - 1> u;
  std::copy(at.parameters.begin(), at.parameters.begin() + (D - 1), u.begin());
  return moved<D, D - 1>(body.boundary.facets().at(u), &body.X);
}

}  // namespace backlash::nurbs
