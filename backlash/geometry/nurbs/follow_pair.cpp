// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/distance.h"
#include "backlash/geometry/nurbs/pair_checks.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there
using Part = BoundaryPoint::Part;

/// Solves the equations of a pair again from where it was.
template <class System, int D, int KL, int KF>
bool refined(const BezierPieces<D, KL>& l, const BezierPieces<D, KF>& f, const PoseD<D>& X_LF,
             BoundaryPoint& at_l, BoundaryPoint& at_f) {
  const System system{SearchLimits{INFINITY, INFINITY}};
  const PieceComparison<D, KL, KF, System> c{l, f, &X_LF, system, 0};
  Coords<double, KL> tl;
  Coords<double, KF> tf;
  std::copy(at_l.parameters.begin(), at_l.parameters.begin() + KL, tl.begin());
  std::copy(at_f.parameters.begin(), at_f.parameters.begin() + KF, tf.begin());
  if (!refine(c, tl, tf)) return false;
  std::copy(tl.begin(), tl.end(), at_l.parameters.begin());
  std::copy(tf.begin(), tf.end(), at_f.parameters.begin());
  return true;
}

/// The same for a part of l and a facet or edge of f, whichever they are.
template <int D>
bool refined_parts(const Placed<D>& l, const Placed<D>& f, BoundaryPoint& at_l,
                   BoundaryPoint& at_f) {
  const PoseD<D> X_LF = relative_pose(l.X, f.X);
  const auto with = [&](const auto& pieces) {
    constexpr int K = std::is_same_v<decltype(pieces), const BezierPieces<D, 0>&> ? 0 : 1;
    if (at_f.part == Part::facet)
      return refined<Facing<D, K>, D, K, D - 1>(pieces, f.boundary.facets(), X_LF, at_l, at_f);
    if constexpr (D == 3)
      return refined<Nearest<3, K, 1>, 3, K, 1>(pieces, f.boundary.edges()[at(at_f.index)].curve,
                                                X_LF, at_l, at_f);
    return false;
  };
  if (at_l.part == Part::facet)
    return refined<Facing<D, D - 1>, D, D - 1, D - 1>(l.boundary.facets(), f.boundary.facets(),
                                                      X_LF, at_l, at_f);
  if (at_l.part == Part::vertex)
    return with(BezierPieces<D, 0>(l.boundary.vertices()[at(at_l.index)].p));
  if constexpr (D == 3) return with(l.boundary.edges()[at(at_l.index)].curve);
  return false;
}

/// facet > edge > vertex: the second of a pair in the equations is the larger one.
int dimension(const BoundaryPoint& at) { return 2 - static_cast<int>(at.part); }

/// The pair where the bodies are now, whether it counts or not; false if it is lost.
template <int D>
bool solved_again(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  const VecD<D> was = pair_point<D>({A.boundary}, pair.A).p;
  if (pair.A.part != Part::vertex || pair.B.part != Part::vertex) {
    const bool swap = dimension(pair.A) > dimension(pair.B);
    const bool solved =
        swap ? refined_parts(B, A, pair.B, pair.A) : refined_parts(A, B, pair.A, pair.B);
    if (!solved) return false;
  }
  complete(A, B, pair);
  return (pair_point<D>({A.boundary}, pair.A).p - was).norm() <= 0.1 * A.boundary.size();
}

/// Whether the normals of two points of a boundary differ so much that they may be on two sides.
template <int D>
bool turned_over(const ContactBoundary<D>& boundary, const BoundaryPoint& was,
                 const BoundaryPoint& is) {
  if (was.part != Part::facet || is.part != Part::facet) return false;
  const Placed<D> body{boundary};
  return pair_point(body, was).n.dot(pair_point(body, is).n) < 0.5;
}

}  // namespace

template <int D>
bool follow(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  FacingPair<D> next = pair;
  if (!solved_again(A, B, next)) return false;
  const PairCheck<D> check = check_pair(A, B, next);
  if (!check.on_A && !check.on_B) return false;
  const bool newly = pair.gap > 0 || turned_over(A.boundary, pair.A, next.A) ||
                     turned_over(B.boundary, pair.B, next.B);
  if (next.gap < 0 && newly && !is_way_out(A, B, next, check)) return false;
  pair = next;
  return true;
}

template <int D>
bool still_waits(const Placed<D>& A, const Placed<D>& B, FacingPair<D>& pair) {
  FacingPair<D> next = pair;
  if (!solved_again(A, B, next) || counts(A, B, next) || !may_count_soon(A, B, next)) return false;
  pair = next;
  return true;
}

template bool still_waits(const Placed<2>&, const Placed<2>&, FacingPair<2>&);
template bool still_waits(const Placed<3>&, const Placed<3>&, FacingPair<3>&);
template bool follow(const Placed<2>&, const Placed<2>&, FacingPair<2>&);
template bool follow(const Placed<3>&, const Placed<3>&, FacingPair<3>&);

}  // namespace backlash
