// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <climits>
#include <utility>

#include "backlash/geometry/nurbs/bezier_pieces.h"

/// All roots of a few equations in as many parameters of two pieces: cells of the parameters are
/// split until each holds no root or exactly one, by enclosures of the equations and of their
/// derivatives (theory 11.14, 11.15). Nothing is sampled, so nothing is missed.
namespace backlash::nurbs {

/// G(x) = 0 with J = ∂G/∂x, in numbers or in intervals.
template <class T, int N>
struct Equations {
  Coords<T, N> G;
  Coords<Coords<T, N>, N> J;
};

/// m⁻¹ by Gauss' and Jordan's elimination; false if m is singular to rounding.
template <int N>
bool invert(Coords<Coords<double, N>, N> m, Coords<Coords<double, N>, N>& inverse) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) inverse[i][j] = i == j;
  for (std::size_t c = 0; c < N; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < N; ++r)
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    std::swap(m[c], m[pivot]);
    std::swap(inverse[c], inverse[pivot]);
    if (!(std::abs(m[c][c]) > 1e-300)) return false;
    const double f = 1 / m[c][c];
    for (std::size_t j = 0; j < N; ++j) {
      m[c][j] *= f;
      inverse[c][j] *= f;
    }
    for (std::size_t r = 0; r < N; ++r) {
      const double g = m[r][c];
      if (r == c || g == 0) continue;
      for (std::size_t j = 0; j < N; ++j) {
        m[r][j] -= g * m[c][j];
        inverse[r][j] -= g * inverse[c][j];
      }
    }
  }
  return true;
}

template <int N>
Coords<double, N> product(const Coords<Coords<double, N>, N>& m, const Coords<double, N>& x) {
  Coords<double, N> y{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) y[i] += m[i][j] * x[j];
  return y;
}

enum class CellVerdict {
  empty,     ///< no root
  isolated,  ///< one root at most, and Newton's method from x finds it if there is one
  undecided
};

/// What a unit cell holds, by Krawczyk's operator; x gets the first step of Newton's method.
template <int N>
CellVerdict examine(const Equations<Interval, N>& cell, const Equations<double, N>& middle,
                    Coords<double, N>& x) {
  constexpr double rounding = 1e-12;
  for (const Interval& g : cell.G) {
    const double slack = rounding * g.magnitude();
    if (g.lower > slack || g.upper < -slack) return CellVerdict::empty;
  }
  Coords<Coords<double, N>, N> Y;
  if (!invert<N>(middle.J, Y)) return CellVerdict::undecided;
  const Coords<double, N> step = product<N>(Y, middle.G);
  double contraction = 0;
  for (std::size_t i = 0; i < N; ++i) {
    double spread = 0;  // row i of |1 − Y J|
    for (std::size_t k = 0; k < N; ++k) {
      Interval entry = i == k ? 1.0 : 0.0;
      for (std::size_t j = 0; j < N; ++j) entry = entry - Y[i][j] * cell.J[j][k];
      spread += entry.magnitude();
    }
    if (std::abs(step[i]) > 0.5 * (1 + spread) + 1e-9) return CellVerdict::empty;
    contraction = std::max(contraction, spread);
    x[i] = std::clamp(0.5 - step[i], 0.0, 1.0);
  }
  return contraction < 0.5 ? CellVerdict::isolated : CellVerdict::undecided;
}

/// A box of the parameters of a piece of A and one of B, each in [0, 1].
template <int N>
using Cell = Coords<Interval, N>;

/// The part of a piece that belongs to a cell.
template <int D, int K>
CellPart<D, K> cell_part(const BezierPieces<D, K>& pieces, int index, const Interval* ranges,
                         const PoseD<D>* X) {
  if constexpr (K == 0) {
    return {pieces.template jet<double>(), pieces.template jet<Interval>()};
  } else {
    Coords<Interval, K> box;
    std::copy(ranges, ranges + K, box.begin());
    return pieces.part(index, box, X);
  }
}

/// The longest way across a part along each of its parameters [m].
template <int D, int K>
void extents(const PatchJet<Interval, D, K>& part, double* out) {
  for (std::size_t k = 0; k < K; ++k) {
    double sum = 0;
    for (const Interval& x : part.d[k]) sum += square(x.magnitude());
    out[k] = std::sqrt(sum);
  }
}

/// The pieces that are compared, B's moved by X_AB (none: B is in A's frame), and the equations.
/// `System` has the equations as a function of two jets, and `impossible(a, b)`, which says of two
/// enclosures that no root of interest is in them.
template <int D, int KA, int KB, class System>
struct PieceComparison {
  static constexpr int N = KA + KB;
  const BezierPieces<D, KA>& A;
  const BezierPieces<D, KB>& B;
  const PoseD<D>* X_AB;
  const System& system;
  double resolution;  ///< cells smaller than this [m] are not split
};

/// What a search meets: `root` gets the parameters in [0, 1] of A's piece and B's; `unresolved` a
/// cell that can neither be cleared nor split, and says whether to go on.
enum class AfterUnresolved { go_on, leave_pieces };

template <int D, int KA, int KB, class System, class OnRoot, class OnUnresolved>
void search_pieces(const PieceComparison<D, KA, KB, System>& c, int a, int b, OnRoot on_root,
                   OnUnresolved on_unresolved) {
  constexpr int N = KA + KB;
  constexpr long most = D == 2 ? 20000 : LONG_MAX;  // of arcs around each other no cell is cleared
  std::array<Cell<N>, 48 * N + 8> stack;
  std::size_t top = 0;
  stack[top++].fill({0, 1});
  for (long cells = 0; top > 0; ++cells) {
    const Cell<N> cell = stack[--top];
    const CellPart<D, KA> pa = cell_part(c.A, a, cell.data(), nullptr);
    const CellPart<D, KB> pb = cell_part(c.B, b, cell.data() + KA, c.X_AB);
    if (c.system.impossible(pa.all, pb.all)) continue;
    Equations<Interval, N> on_cell;
    Equations<double, N> at_middle;
    c.system(pa.all, pb.all, on_cell);
    c.system(pa.middle, pb.middle, at_middle);
    Coords<double, N> x;
    const CellVerdict verdict = examine<N>(on_cell, at_middle, x);
    if (verdict == CellVerdict::empty) continue;
    if (verdict == CellVerdict::isolated) {
      for (std::size_t k = 0; k < N; ++k) x[k] = cell[k].lower + x[k] * cell[k].width();
      on_root(x, cell);
      continue;
    }
    double extent[N];
    extents(pa.all, extent);
    extents(pb.all, extent + KA);
    const std::size_t widest =
        static_cast<std::size_t>(std::max_element(extent, extent + N) - extent);
    if (extent[widest] <= c.resolution || cell[widest].width() < 1e-13 || top + 2 > stack.size() ||
        cells >= most) {
      const AfterUnresolved next = on_unresolved(pa.all, pb.all);
      if (next == AfterUnresolved::leave_pieces || cells >= most) return;
      continue;
    }
    Cell<N>& left = stack[top++] = cell;
    Cell<N>& right = stack[top++] = cell;
    left[widest].upper = right[widest].lower = cell[widest].middle();
  }
}

/// A jet moved by X (none: as it is), and that of a piece.
template <int D, int K>
PatchJet<double, D, K> moved(PatchJet<double, D, K> jet, const PoseD<D>* X) {
  if (!X) return jet;
  const auto set = [](const VecD<D>& v, Coords<double, D>& x) {
    Eigen::Map<VecD<D>>(x.data()) = v;
  };
  set(X->point(vec<D>(jet.p)), jet.p);
  for (auto& d : jet.d) set(X->direction(vec<D>(d)), d);
  for (auto& row : jet.dd)
    for (auto& dd : row) set(X->direction(vec<D>(dd)), dd);
  return jet;
}

template <int D, int K>
PatchJet<double, D, K> jet_in_piece(const BezierPieces<D, K>& pieces, int index, const double* t,
                                    const PoseD<D>* X) {
  if constexpr (K == 0) {
    return pieces.at();
  } else {
    Coords<double, K> at;
    std::copy(t, t + K, at.begin());
    return moved<D, K>(pieces.at_piece(index, at), X);
  }
}

/// Newton's method inside a cell that holds one root at most; false if it holds none.
template <int D, int KA, int KB, class System>
bool root_of_cell(const PieceComparison<D, KA, KB, System>& c, int a, int b,
                  const Cell<KA + KB>& cell, Coords<double, KA + KB>& x) {
  constexpr int N = KA + KB;
  double outside = INFINITY;
  for (int i = 0; i < 30; ++i) {
    Equations<double, N> at;
    c.system(jet_in_piece(c.A, a, x.data(), nullptr), jet_in_piece(c.B, b, x.data() + KA, c.X_AB),
             at);
    Coords<Coords<double, N>, N> inverse;
    if (!invert<N>(at.J, inverse)) return false;
    const Coords<double, N> step = product<N>(inverse, at.G);
    double moved = 0;
    outside = 0;
    for (std::size_t k = 0; k < N; ++k) {
      const double next = std::clamp(x[k] - step[k], cell[k].lower, cell[k].upper);
      outside = std::max(outside, std::abs(x[k] - step[k] - next) / cell[k].width());
      moved = std::max(moved, std::abs(next - x[k]) / cell[k].width());
      x[k] = next;
    }
    if (moved < 1e-6) break;
  }
  return outside < 1e-6;
}

/// Newton's method on the parameters of the whole curves or surfaces, from x, to rounding. False
/// if it does not converge, or leaves an open end.
template <int D, int KA, int KB, class System>
bool refine(const PieceComparison<D, KA, KB, System>& c, Coords<double, KA>& xa,
            Coords<double, KB>& xb) {
  constexpr int N = KA + KB;
  const double size = std::max(c.A.size(), c.B.size());
  double last = INFINITY;
  for (int i = 0; i < 25; ++i) {
    const PatchJet<double, D, KA> a = c.A.at(xa);
    const PatchJet<double, D, KB> b = moved<D, KB>(c.B.at(xb), c.X_AB);
    Equations<double, N> at;
    c.system(a, b, at);
    Coords<Coords<double, N>, N> inverse;
    if (!invert<N>(at.J, inverse)) return false;
    const Coords<double, N> step = product<N>(inverse, at.G);
    double length = 0, outside = 0;
    const auto advance = [&](const auto& pieces, const auto& jet, std::size_t offset, auto& x) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto& axis = pieces.axis(static_cast<int>(k));
        const double limit = 0.2 * axis.period();
        const double next = x[k] - std::clamp(step[offset + k], -limit, limit);
        const double speed = vec<D>(jet.d[k]).norm();
        x[k] = axis.in_domain(next);
        length = std::max(length, speed * std::abs(step[offset + k]));
        if (!axis.closed) outside = std::max(outside, speed * std::abs(next - x[k]));
      }
    };
    if constexpr (KA > 0) advance(c.A, a, 0, xa);
    if constexpr (KB > 0) advance(c.B, b, KA, xb);
    if (!(length < INFINITY)) return false;
    const bool small = length <= 1e-9 * size;
    if (small && (length <= 1e-15 * size || length >= 0.5 * last)) return outside <= 1e-9 * size;
    last = length;
  }
  return last <= 1e-9 * size;
}

}  // namespace backlash::nurbs
