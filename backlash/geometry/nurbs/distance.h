// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "backlash/base/archive.h"
#include "backlash/geometry/nurbs/contact_boundary.h"

/// Signed distances of curves in the plane and surfaces in space, found with certainty from nowhere
/// and followed from step to step (theory 11.9 to 11.17).
///
/// A gap is > 0 where the two are apart and < 0 where they overlap; the normal n points from A into
/// B, and p_B = p_A + gap n. Several pairs of points may face each other at once: each place where
/// the distance from one boundary has a minimum along the other is a pair of its own.
namespace backlash {

/// Where on a boundary: on a facet (its parameters), an edge (its number and parameter) or a vertex
/// (its number).
struct BoundaryPoint {
  enum class Part { facet, edge, vertex };
  Part part = Part::facet;
  int index = 0;
  std::array<double, 2> parameters{};

  void archive(Archive& a) { a(part, index, parameters); }
};

/// Two points that face each other.
template <int D>
struct FacingPair {
  BoundaryPoint A{}, B{};  ///< B is of no meaning for points, balls and half-spaces
  nurbs::VecD<D> p_WA = nurbs::VecD<D>::Zero();  ///< [m]
  nurbs::VecD<D> p_WB = nurbs::VecD<D>::Zero();  ///< [m]
  nurbs::VecD<D> n_W = nurbs::VecD<D>::Zero();   ///< unit, from A into B
  double gap = INFINITY;                         ///< n · (p_WB − p_WA) [m]

  void archive(Archive& a) {
    a(A, B, gap);
    for (nurbs::VecD<D>* v : {&p_WA, &p_WB, &n_W})
      for (int i = 0; i < D; ++i) a((*v)[i]);
  }
};

enum class DistanceStatus {
  found,
  /// No single pair is the closest: concentric circles, parallel walls, or one body so deep in the
  /// other that it has no way out; the pair then means nothing.
  singular
};

template <int D>
struct Distance {
  DistanceStatus status = DistanceStatus::singular;
  FacingPair<D> pair{};
};

/// A disk or ball.
template <int D>
struct SolidBall {
  nurbs::VecD<D> centre = nurbs::VecD<D>::Zero();  ///< in the world [m]
  double radius = 0;                               ///< [m]; 0: a point
};

/// Everything behind a line or plane.
template <int D>
struct HalfSpace {
  nurbs::VecD<D> point = nurbs::VecD<D>::Zero();    ///< on its boundary, in the world [m]
  nurbs::VecD<D> normal = nurbs::VecD<D>::UnitX();  ///< unit, out of the material
};

/// A body of the pair: a boundary and where its frame lies.
template <int D>
struct Placed {
  const ContactBoundary<D>& boundary;
  nurbs::PoseD<D> X{};
};

/// The pair with the smallest gap. Finds it wherever the two are; allocates nothing.
template <int D>
Distance<D> closest(const Placed<D>& A, const Placed<D>& B);
template <int D>
Distance<D> closest(const Placed<D>& A, const SolidBall<D>& B);
template <int D>
Distance<D> closest(const Placed<D>& A, const HalfSpace<D>& B);

/// All pairs with a gap of at most `reach`, ordered by their gaps. Status `singular` says that
/// there are places within reach where no single pair is closest; what is found elsewhere is in
/// `pairs`. To `waiting`, if given, go those that are as near but do not count now: corners that
/// the other is beside of. They may count as soon as the two have turned a little.
template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const Placed<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs,
                          std::vector<FacingPair<D>>* waiting = nullptr);
template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const SolidBall<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs,
                          std::vector<FacingPair<D>>* waiting = nullptr);
template <int D>
DistanceStatus find_pairs(const Placed<D>& A, const HalfSpace<D>& B, double reach,
                          std::vector<FacingPair<D>>& pairs,
                          std::vector<FacingPair<D>>* waiting = nullptr);

/// Follows a pair to where the bodies are now, by Newton's method from its parameters (theory
/// 11.16). False, and the pair unchanged, where it ceased to be a minimum, reached an end or jumped
/// to another place: then search again.
template <int D>
bool follow(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair);
template <int D>
bool follow(const Placed<D>& A, const SolidBall<D>& B, FacingPair<D>& pair);
template <int D>
bool follow(const Placed<D>& A, const HalfSpace<D>& B, FacingPair<D>& pair);

/// Follows a pair that does not count. False where it counts now, or is lost: then search again.
template <int D>
bool still_waits(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair);
template <int D>
bool still_waits(const Placed<D>& A, const SolidBall<D>& B, FacingPair<D>& pair);
template <int D>
bool still_waits(const Placed<D>& A, const HalfSpace<D>& B, FacingPair<D>& pair);

}  // namespace backlash
