// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/geometry/nurbs/bezier.h"
#include "backlash/geometry/nurbs/normal_cone.h"

namespace backlash::nurbs {

/// A part of a piece: in numbers at its middle, and all of it in intervals.
template <int D, int K>
struct CellPart {
  PatchJet<double, D, K> middle;
  PatchJet<Interval, D, K> all;
};

/// The pieces of a curve (K = 1) or surface (K = 2) between its knots, all of the same degrees.
/// Const after construction, evaluated without allocation.
template <int D, int K>
class BezierPieces {
 public:
  /// One parameter: where its pieces begin and end, and whether the last meets the first.
  struct Axis {
    std::vector<double> breaks;  ///< increasing; one more than pieces
    int degree = 2;              ///< ≥ 2
    bool closed = false;

    int pieces() const { return static_cast<int>(breaks.size()) - 1; }
    double first() const { return breaks.front(); }
    double last() const { return breaks.back(); }
    double period() const { return last() - first(); }
    /// A parameter in the domain: wrapped around where the axis is closed, else cut off.
    double in_domain(double u) const;
    /// The piece that u belongs to.
    int piece(double u) const;
  };

  BezierPieces() = default;

  /// `control` has the control points of all pieces as bezier.h says, the second parameter's pieces
  /// running faster.
  BezierPieces(Coords<Axis, K> axes, std::vector<double> control);

  const Axis& axis(int k) const { return axes_[static_cast<std::size_t>(k)]; }
  int count() const { return static_cast<int>(straight_.size()); }
  PieceView<K> piece(int index) const;

  /// Where a piece lies among those of each axis, and the parameters at t ∈ [0, 1]ᴷ of a piece.
  Coords<int, K> place(int index) const;
  Coords<double, K> parameters(int index, const Coords<double, K>& t) const;

  /// The point at these parameters of the domain, with its derivatives; and at t of a piece.
  PatchJet<double, D, K> at(const Coords<double, K>& u) const;
  PatchJet<double, D, K> at_piece(int index, const Coords<double, K>& t) const;

  /// The part of a piece over a box of t, moved by X (none: as it is), as functions of [0, 1]ᴷ.
  CellPart<D, K> part(int index, const Coords<Interval, K>& box, const PoseD<D>* X) const;

  /// Points in the middle of each piece, and a ball around each piece with its centre there.
  const VecD<D>& centre(int index) const { return centres_[static_cast<std::size_t>(index)]; }
  double radius(int index) const { return radii_[static_cast<std::size_t>(index)]; }
  bool straight(int index) const { return straight_[static_cast<std::size_t>(index)]; }

  /// Of a curve in the plane: what contains the normals of a piece.
  const NormalCone& normals(int index) const { return cones_[static_cast<std::size_t>(index)]; }

  VecD<D> middle() const { return middle_; }  ///< of a ball around all [m]
  double size() const { return size_; }       ///< its radius [m]

 private:
  void bound();

  Coords<Axis, K> axes_;
  std::vector<double> control_;
  int numbers_ = 0;  ///< for each piece
  std::vector<VecD<D>> centres_;
  std::vector<double> radii_;
  std::vector<NormalCone> cones_;  ///< in the plane alone
  std::vector<bool> straight_;     ///< all control points on a line, those of a surface in a plane
  VecD<D> middle_ = VecD<D>::Zero();
  double size_ = 0;
};

/// A point, as what two pieces are compared with.
template <int D>
class BezierPieces<D, 0> {
 public:
  explicit BezierPieces(const VecD<D>& p) : p_(p) {}

  int count() const { return 1; }
  PatchJet<double, D, 0> at(const Coords<double, 0>& = {}) const { return jet<double>(); }
  template <class T>
  PatchJet<T, D, 0> jet() const {
    PatchJet<T, D, 0> out;
    for (std::size_t c = 0; c < D; ++c) out.p[c] = p_[static_cast<Eigen::Index>(c)];
    return out;
  }
  const VecD<D>& centre(int = 0) const { return p_; }
  double radius(int = 0) const { return 0; }
  bool straight(int = 0) const { return false; }
  NormalCone normals(int = 0) const { return {}; }
  double size() const { return 0; }

 private:
  VecD<D> p_;
};

extern template class BezierPieces<2, 1>;
extern template class BezierPieces<3, 1>;
extern template class BezierPieces<3, 2>;

/// Coordinates as a vector.
template <int D>
VecD<D> vec(const Coords<double, D>& x) {
  return Eigen::Map<const VecD<D>>(x.data());
}

}  // namespace backlash::nurbs
