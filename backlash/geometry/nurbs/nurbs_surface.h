// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "backlash/geometry/nurbs/nurbs_curve.h"

namespace backlash {

/// A rational B-spline surface as the user gives it: a grid of control points, the index along v
/// running faster.
struct NurbsSurfaceData {
  std::array<int, 2> degree{3, 3};             ///< along u and v, 1 … 15
  std::array<int, 2> size{};                   ///< how many control points along u and v
  std::vector<Vec3> points{};                  ///< [m]
  std::vector<double> weights{};               ///< > 0; none: all 1
  std::array<std::vector<double>, 2> knots{};  ///< none: uniform; see nurbs::spline_axis
  std::array<SplineEnds, 2> ends{};
};

/// A point of a surface with its derivatives.
struct SurfacePoint {
  Vec3 p;  ///< [m]
  Vec3 du, dv;
  Vec3 duu, duv, dvv;
};

/// A surface ready for evaluation. Const after construction; evaluation allocates nothing. It is
/// smooth inside: an edge is where two surfaces meet.
class NurbsSurface {
 public:
  /// Throws InputError naming `item` where the data make no surface.
  explicit NurbsSurface(NurbsSurfaceData data, std::string_view item = "surface");

  const NurbsSurfaceData& data() const { return data_; }
  double first(int k) const { return pieces_.axis(k).first(); }  ///< of u (0) and v (1)
  double last(int k) const { return pieces_.axis(k).last(); }
  bool closed(int k) const { return pieces_.axis(k).closed; }

  SurfacePoint at(double u, double v) const;

  const nurbs::BezierPieces<3, 2>& pieces() const { return pieces_; }

 private:
  NurbsSurfaceData data_;
  nurbs::BezierPieces<3, 2> pieces_;
};

/// The unit normal du × dv; of a pole, where one of them vanishes, none.
inline Vec3 normal(const SurfacePoint& at) { return at.du.cross(at.dv).normalized(); }

/// The principal curvatures [1/m], the smaller first; > 0 where the surface bulges towards its
/// normal (theory 11.5).
std::array<double, 2> principal_curvatures(const SurfacePoint& at);

/// The same surface with its material on the other side: u runs the other way.
NurbsSurfaceData reversed(NurbsSurfaceData data);

/// The surface with each point p at M p + shift: turned, moved, or stretched (a sphere becomes an
/// ellipsoid), exact. M must not mirror, or the material would change sides.
NurbsSurfaceData transformed(NurbsSurfaceData data, const Mat3& M, const Vec3& shift);

/// What a curve sweeps as it turns about the z axis by an angle up to 2π, `profile` being (r, z)
/// with r ≥ 0: exact. Its normal points outwards if the profile's does.
NurbsSurface surface_of_revolution(const NurbsCurve<2>& profile, double angle);

/// Exact spheres and tori about the origin (z is the axis), normals outwards.
NurbsSurface sphere_surface(double radius);
NurbsSurface torus_surface(double ring_radius, double tube_radius);

}  // namespace backlash
