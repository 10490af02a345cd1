// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/bezier_pieces.h"
#include "backlash/geometry/nurbs/spline_axis.h"

namespace backlash {

/// A rational B-spline curve in the plane (D = 2) or in space (D = 3), as the user gives it.
template <int D>
struct NurbsCurveData {
  int degree = 3;                        ///< 1 … 15
  std::vector<nurbs::VecD<D>> points{};  ///< control points [m]
  std::vector<double> weights{};         ///< > 0; none: all 1
  std::vector<double> knots{};           ///< none: uniform; see nurbs::spline_axis
  SplineEnds ends = SplineEnds::open;
};

/// A point of a curve with its derivatives along the parameter.
template <int D>
struct CurvePoint {
  nurbs::VecD<D> p;   ///< [m]
  nurbs::VecD<D> d;   ///< first derivative
  nurbs::VecD<D> dd;  ///< second derivative
};

/// A curve ready for evaluation (theory 11.1 to 11.4). Const after construction; evaluation
/// allocates nothing.
template <int D>
class NurbsCurve {
 public:
  /// Throws InputError naming `item` where the data make no curve.
  explicit NurbsCurve(NurbsCurveData<D> data, std::string_view item = "curve");

  const NurbsCurveData<D>& data() const { return data_; }
  double first() const { return pieces_.axis(0).first(); }  ///< where the parameter begins
  double last() const { return pieces_.axis(0).last(); }    ///< and ends
  bool closed() const { return pieces_.axis(0).closed; }
  int continuity() const { return continuity_; }  ///< derivatives continuous at every knot

  /// At u; beyond the ends a closed curve goes on and an open one stays.
  CurvePoint<D> at(double u) const;

  const nurbs::BezierPieces<D, 1>& pieces() const { return pieces_; }

 private:
  NurbsCurveData<D> data_;
  nurbs::BezierPieces<D, 1> pieces_;
  int continuity_ = 0;
};

extern template class NurbsCurve<2>;
extern template class NurbsCurve<3>;

/// The unit tangent; in the plane also the unit normal, to the right: out of what a curve that runs
/// counter-clockwise surrounds.
template <int D>
nurbs::VecD<D> tangent(const CurvePoint<D>& at) {
  return at.d / at.d.norm();
}
inline Vec2 normal(const CurvePoint<2>& at) { return right_of(at.d) / at.d.norm(); }

/// The curvature [1/m] (theory 11.5); in the plane > 0 where the curve turns left, so that what
/// runs counter-clockwise bulges.
double curvature(const CurvePoint<2>& at);
double curvature(const CurvePoint<3>& at);

/// The same curve, run through the other way.
template <int D>
NurbsCurveData<D> reversed(NurbsCurveData<D> data);

/// The area that a closed curve surrounds: > 0 if it runs counter-clockwise [m²].
double signed_area(const NurbsCurve<2>& curve);

/// Integrals over what a closed curve that runs counter-clockwise surrounds, about the origin.
struct AreaIntegrals {
  double area;    ///< ∫ dA [m²]
  Vec2 first;     ///< ∫ p dA [m³]
  double second;  ///< ∫ |p|² dA [m⁴]
};
AreaIntegrals area_integrals(const NurbsCurve<2>& curve);

/// The length between two parameters [m], to about 1e-10 of it.
template <int D>
double arc_length(const NurbsCurve<D>& curve, double from, double to);

}  // namespace backlash
