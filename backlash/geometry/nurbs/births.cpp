// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/births.h"

#include "backlash/geometry/nurbs/facing_pieces.h"
#include "backlash/geometry/nurbs/pair_conditions.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there

template <int K>
using IntervalJet = PatchJet<Interval, 2, K>;

double length(const Coords<Interval, 2>& v) {
  return std::hypot(v[0].magnitude(), v[1].magnitude());
}

void widen(Coords<Interval, 2>& v, double by) {
  for (Interval& x : v) x = {x.lower - by, x.upper + by};
}

/// Where a part may be after a motion: points move by `motion`, directions turn by `turn`.
template <int K>
IntervalJet<K> moved_anyhow(IntervalJet<K> part, double motion, double turn) {
  widen(part.p, motion);
  if constexpr (K == 1) {
    widen(part.d[0], turn * length(part.d[0]));
    widen(part.dd[0][0], turn * length(part.dd[0][0]));
  }
  return part;
}

/// The second derivative of a part at an end that it shares with the next piece is that of either.
void include_bend_beyond(const BezierPieces<2, 1>& pieces, int index, const Interval& range,
                         bool at_upper_end, const Pose2* X, IntervalJet<1>& part) {
  const int next = index + (at_upper_end ? 1 : -1), count = pieces.count();
  if ((next < 0 || next >= count) && !pieces.axis(0).closed) return;
  const auto own = pieces.at_piece(index, {at_upper_end ? 1.0 : 0.0});
  const auto beyond = pieces.at_piece((next + count) % count, {at_upper_end ? 0.0 : 1.0});
  const Vec2 tangent = vec<2>(own.d[0]), other = vec<2>(beyond.d[0]);
  if (!(tangent.normalized().dot(other.normalized()) > 1 - 1e-9)) return;  // a corner
  const double scale = range.width() * tangent.norm() / other.norm();
  const Vec2 bend = scale * scale * vec<2>(beyond.dd[0][0]);
  const Vec2 seen = X ? Vec2(X->direction(bend)) : bend;
  for (std::size_t c = 0; c < 2; ++c) part.dd[0][0][c].include(seen[static_cast<Eigen::Index>(c)]);
}

IntervalJet<1> part_of(const BezierPieces<2, 1>& pieces, int index, const Interval& range,
                       const Pose2* X) {
  IntervalJet<1> part = pieces.part(index, {range}, X).all;
  if (range.lower == 0) include_bend_beyond(pieces, index, range, false, X, part);
  if (range.upper == 1) include_bend_beyond(pieces, index, range, true, X, part);
  return part;
}

Interval determinant(const Coords<Coords<Interval, 1>, 1>& J) { return J[0][0]; }
Interval determinant(const Coords<Coords<Interval, 2>, 2>& J) {
  return J[0][0] * J[1][1] - J[0][1] * J[1][0];
}

/// Whether no root can be born or die: there is none, or each is regular (theory 11.27).
template <int N>
bool holds_no_birth(const Equations<Interval, N>& e) {
  for (const Interval& g : e.G)
    if (!g.contains_zero()) return true;
  return !determinant(e.J).contains_zero();
}

/// Cells are cleared or split until they are as small as the motion; then less motion is looked at.
template <int N>
class BirthSearch {
 public:
  explicit BirthSearch(double margin) : margin_(margin), motion_(margin) {}

  double motion() const { return motion_; }
  bool hopeless() const { return motion_ == 0; }

  /// `examine(cell, motion, extents)` says whether no birth is possible in a cell within the
  /// motion, and how long the cell is along each parameter [m].
  template <class Examine>
  void run(const Examine& examine) {
    std::array<Cell<N>, 48 * N + 8> stack;
    std::size_t top = 0;
    stack[top++].fill({0, 1});
    while (top > 0 && !hopeless()) {
      const Cell<N> cell = stack[--top];
      std::array<double, N> extents{};
      if (examine(cell, motion_, extents)) continue;
      const auto widest = static_cast<std::size_t>(
          std::max_element(extents.begin(), extents.end()) - extents.begin());
      if (extents[widest] < 0.5 * motion_ || top + 2 > stack.size()) {
        motion_ *= 0.25;
        if (motion_ < 1e-3 * margin_) motion_ = 0;
        stack[top++] = cell;
        continue;
      }
      Cell<N>& left = stack[top++] = cell;
      Cell<N>& right = stack[top++] = cell;
      left[widest].upper = right[widest].lower = cell[widest].middle();
    }
  }

 private:
  double margin_, motion_;
};

bool far_apart(const Vec2& a, double radius_a, const Vec2& b, double radius_b,
               const BirthLimits& limits, double motion) {
  return (a - b).norm() > radius_a + radius_b + std::max(limits.reach, limits.depth) + motion;
}

/// What contains a piece, in its body's frame, and its normals.
struct PieceBound {
  Vec2 centre;
  double radius;
  NormalCone normals{};
};
PieceBound bound_of(const BezierPieces<2, 1>& pieces, int i, double turn = 0) {
  return {pieces.centre(i), pieces.radius(i), widened(pieces.normals(i), 2 * turn)};
}

/// Whether no point of L faces one of F, which lies at X, within the limits, wherever they are
/// after a motion.
bool cannot_face(const PieceBound& l, const PieceBound& f, const Pose2& X,
                 const BirthLimits& limits, double motion) {
  if (!may_oppose(l.normals, f.normals, X)) return true;
  const Vec2 d = X.point(f.centre) - l.centre;
  const PieceDistance apart{d, d.norm(), l.radius + f.radius + motion, limits.reach};
  return apart.distance > apart.radii + std::max(limits.reach, limits.depth) ||
         !may_face(apart, l.normals, f.normals, X);
}

/// The ends of pieces at hollow corners: pairs come into a piece there without having been
/// anywhere.
template <class Use>
void for_each_hollow_end(const ContactBoundary<2>& boundary, Use use) {
  const BezierPieces<2, 1>& pieces = boundary.facets();
  for (const BoundaryVertex<2>& vertex : boundary.vertices()) {
    if (vertex.kind != BoundaryVertex<2>::Kind::hollow) continue;
    const int after = pieces.axis(0).piece(vertex.parameter);
    use(after, pieces.at_piece(after, {0.0}));
    const int before = (after + pieces.count() - 1) % pieces.count();
    use(before, pieces.at_piece(before, {1.0}));
  }
}

double no_less_than_a_thousandth(double motion, double margin) {
  return motion < 1e-3 * margin ? 0 : std::min(motion, margin);
}

/// Until a point is over the end of a piece at a hollow corner.
double motion_over_hollow_ends(const ContactBoundary<2>& boundary, const Vec2& p,
                               const BirthLimits& limits, double margin) {
  double motion = margin;
  for_each_hollow_end(boundary, [&](int, const PatchJet<double, 2, 1>& end) {
    const Vec2 way = p - vec<2>(end.p), along = vec<2>(end.d[0]).normalized();
    if (way.norm() <= std::max(limits.reach, limits.depth) + margin)
      motion = std::min(motion, std::abs(way.dot(along)));
  });
  return no_less_than_a_thousandth(motion, margin);
}

/// Until a point of a curve faces the end of a piece at a hollow corner of the other; the one that
/// moves, with its pose X, turns by `turn` per motion.
enum class MovingOne { end, curve };
double motion_over_hollow_ends(const ContactBoundary<2>& boundary, const BezierPieces<2, 1>& curve,
                               MovingOne moving, const Pose2& X, double turn,
                               const BirthLimits& limits, double margin) {
  BirthSearch<1> search(margin);
  const BezierPieces<2, 1>& pieces = boundary.facets();
  const Pose2 *X_end = moving == MovingOne::end ? &X : nullptr,
              *X_curve = moving == MovingOne::curve ? &X : nullptr;
  for_each_hollow_end(boundary, [&](int piece, const PatchJet<double, 2, 1>& own) {
    const PatchJet<double, 2, 1> end = moved<2, 1>(own, X_end);
    IntervalJet<1> at;
    for (std::size_t c = 0; c < 2; ++c) {
      at.p[c] = end.p[c];
      at.d[0][c] = end.d[0][c];
    }
    for (int j = 0; j < curve.count() && !search.hopeless(); ++j) {
      if (pieces.straight(piece) && curve.straight(j)) continue;
      const Vec2 centre = X_curve ? Vec2(X_curve->point(curve.centre(j))) : curve.centre(j);
      if (far_apart(vec<2>(end.p), 0, centre, curve.radius(j), limits, search.motion())) continue;
      search.run([&](const Cell<1>& cell, double motion, std::array<double, 1>& extents) {
        const IntervalJet<1> part = curve.part(j, {cell[0]}, X_curve).all;
        extents = {length(part.d[0])};
        const auto moved_if = [&](bool moves, const IntervalJet<1>& jet) {
          return moves ? moved_anyhow<1>(jet, motion, motion * turn) : jet;
        };
        const IntervalJet<1> l = moved_if(moving == MovingOne::end, at);
        const IntervalJet<1> f = moved_if(moving == MovingOne::curve, part);
        const Coords<Interval, 2> way = difference(f.p, l.p);
        if (least_square(way) > square(std::max(limits.reach, limits.depth))) return true;
        return !dot(way, f.d[0]).contains_zero() || !dot(normal_jet(f).n, l.d[0]).contains_zero();
      });
    }
  });
  return search.motion();
}

/// A point, which moves by the motion, and the pieces of a curve at rest.
double motion_of_point(const BezierPieces<2, 1>& pieces, const Vec2& p, const BirthLimits& limits,
                       double margin) {
  BirthSearch<1> search(margin);
  const BezierPieces<2, 0> point(p);
  const Facing<2, 0> system{{limits.reach, limits.depth}};
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.straight(i)) continue;
    if (cannot_face({p, 0}, bound_of(pieces, i), {}, limits, search.motion())) continue;
    search.run([&](const Cell<1>& cell, double motion, std::array<double, 1>& extents) {
      const IntervalJet<1> f = part_of(pieces, i, cell[0], nullptr);
      extents = {length(f.d[0])};
      const IntervalJet<0> at = moved_anyhow<0>(point.jet<Interval>(), motion, 0);
      if (system.impossible(at, f)) return true;
      Equations<Interval, 1> e;
      system(at, f, e);
      return holds_no_birth<1>(e);
    });
  }
  return search.motion();
}

/// A curve that moves and turns, against points at rest: its corners' partners.
double motion_of_curve(const BezierPieces<2, 1>& pieces, const Pose2& X, const Vec2& p,
                       const BirthLimits& limits, double margin) {
  BirthSearch<1> search(margin);
  const BezierPieces<2, 0> point(p);
  const Facing<2, 0> system{{limits.reach, limits.depth}};
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.straight(i)) continue;
    const double turn = search.motion() / pieces.size();
    if (cannot_face({p, 0}, bound_of(pieces, i, turn), X, limits, search.motion())) continue;
    search.run([&](const Cell<1>& cell, double motion, std::array<double, 1>& extents) {
      IntervalJet<1> f = part_of(pieces, i, cell[0], &X);
      extents = {length(f.d[0])};
      f = moved_anyhow<1>(f, motion, motion / pieces.size());
      const IntervalJet<0> at = point.jet<Interval>();
      if (system.impossible(at, f)) return true;
      Equations<Interval, 1> e;
      system(at, f, e);
      return holds_no_birth<1>(e);
    });
  }
  return search.motion();
}

/// Two curves, the second of which moves.
double motion_of_curves(const BezierPieces<2, 1>& A, const BezierPieces<2, 1>& B, const Pose2& X_AB,
                        const BirthLimits& limits, double margin) {
  BirthSearch<2> search(margin);
  const Facing<2, 1> system{{limits.reach, limits.depth}};
  for (int i = 0; i < A.count(); ++i)
    for (int j = 0; j < B.count(); ++j) {
      if (search.hopeless()) return 0;
      if (A.straight(i) && B.straight(j)) continue;
      const double turn = search.motion() / B.size();
      if (cannot_face(bound_of(A, i), bound_of(B, j, turn), X_AB, limits, search.motion()))
        continue;
      search.run([&](const Cell<2>& cell, double motion, std::array<double, 2>& extents) {
        const IntervalJet<1> l = part_of(A, i, cell[0], nullptr);
        IntervalJet<1> f = part_of(B, j, cell[1], &X_AB);
        extents = {length(l.d[0]), length(f.d[0])};
        f = moved_anyhow<1>(f, motion, motion / B.size());
        if (system.impossible(l, f)) return true;
        Equations<Interval, 2> e;
        system(l, f, e);
        return holds_no_birth<2>(e);
      });
    }
  return search.motion();
}

}  // namespace

double motion_without_birth(const Placed<2>& A, const Placed<2>& B, const BirthLimits& limits,
                            double margin) {
  const Pose2 X_AB = relative_pose(A.X, B.X);
  const auto &a = A.boundary.facets(), &b = B.boundary.facets();
  double motion = motion_of_curves(a, b, X_AB, limits, margin);
  for (const BoundaryVertex<2>& vertex : A.boundary.vertices())
    if (vertex.kind == BoundaryVertex<2>::Kind::corner && motion > 0)
      motion = motion_of_curve(b, X_AB, vertex.p, limits, motion);
  for (const BoundaryVertex<2>& vertex : B.boundary.vertices())
    if (vertex.kind == BoundaryVertex<2>::Kind::corner && motion > 0)
      motion = motion_of_point(a, X_AB.point(vertex.p), limits, motion);
  if (motion > 0)
    motion = motion_over_hollow_ends(A.boundary, b, MovingOne::curve, X_AB, 1 / b.size(), limits,
                                     motion);
  if (motion > 0)
    motion =
        motion_over_hollow_ends(B.boundary, a, MovingOne::end, X_AB, 1 / b.size(), limits, motion);
  return motion;
}

double motion_without_birth(const Placed<2>& A, const SolidBall<2>& B, const BirthLimits& limits,
                            double margin) {
  // Distances of the centre: at least none, for a ball that overlaps by less than its radius.
  const BirthLimits of_centre{limits.reach + B.radius, std::max(0.0, limits.depth - B.radius)};
  const Vec2 centre = A.X.local_point(B.centre);
  const double motion = motion_over_hollow_ends(A.boundary, centre, of_centre, margin);
  return motion > 0 ? motion_of_point(A.boundary.facets(), centre, of_centre, motion) : 0;
}

double motion_without_birth(const Placed<2>& A, const HalfSpace<2>& B, const BirthLimits& limits,
                            double margin) {
  const BezierPieces<2, 1>& pieces = A.boundary.facets();
  const Vec2 normal = A.X.local_direction(B.normal), point = A.X.local_point(B.point);
  double first = margin;
  for_each_hollow_end(A.boundary, [&](int, const PatchJet<double, 2, 1>& end) {
    if (normal.dot(vec<2>(end.p) - point) <= limits.reach + margin)
      first = std::min(first, pieces.size() * std::abs(normal.dot(vec<2>(end.d[0]).normalized())));
  });
  first = no_less_than_a_thousandth(first, margin);
  if (first == 0) return 0;
  BirthSearch<1> search(first);
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.straight(i)) continue;
    search.run([&](const Cell<1>& cell, double motion, std::array<double, 1>& extents) {
      const IntervalJet<1> l = part_of(pieces, i, cell[0], nullptr);
      extents = {length(l.d[0])};
      Coords<Interval, 2> n{normal.x(), normal.y()};
      if (dot(n, difference(l.p, {point.x(), point.y()})).lower > limits.reach + motion)
        return true;
      widen(n, motion / pieces.size());
      if (dot(normal_jet(l).n, n).lower > 0) return true;
      Equations<Interval, 1> e;
      e.G[0] = dot(n, l.d[0]);
      e.J[0][0] = dot(n, l.dd[0][0]);
      return holds_no_birth<1>(e);
    });
  }
  return search.motion();
}

}  // namespace backlash
