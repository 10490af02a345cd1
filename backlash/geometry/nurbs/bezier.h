// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "backlash/base/types.h"
#include "backlash/geometry/nurbs/interval.h"
#include "backlash/geometry/pose2.h"

/// Rational Bézier pieces of curves (K = 1) and surfaces (K = 2) in D-space: points with their
/// derivatives, parts of them, and what contains a part (theory 11.3 to 11.7).
///
/// The control points of a piece are numbers in a row: for each point (w x, w y, …, w), the second
/// parameter's index running faster. Every degree is at least 2, so that the formulas for second
/// derivatives need no exception.
namespace backlash::nurbs {

inline constexpr int max_degree = 15;

template <int D>
using VecD = Eigen::Matrix<double, D, 1>;

template <int D>
using PoseD = std::conditional_t<D == 2, Pose2, Pose3>;

/// A vector of numbers or of intervals.
template <class T, int D>
using Coords = std::array<T, static_cast<std::size_t>(D)>;

/// A point that depends on K parameters, with its first and second derivatives.
template <class T, int D, int K>
struct PatchJet {
  Coords<T, D> p{};
  Coords<Coords<T, D>, K> d{};
  Coords<Coords<Coords<T, D>, K>, K> dd{};
};

/// The control points of one piece, and its degrees.
template <int K>
struct PieceView {
  const double* h;
  Coords<int, K> degree;
};

/// The Bernstein polynomials of a degree at t.
inline void bernstein(int degree, double t, double* b) {
  b[0] = 1;
  for (int k = 1; k <= degree; ++k) {
    double carried = 0;
    for (int i = 0; i < k; ++i) {
      const double old = b[i];
      b[i] = carried + (1 - t) * old;
      carried = t * old;
    }
    b[k] = carried;
  }
}

/// The Bernstein polynomials of degree − 2 at t, from which value and two derivatives follow.
struct Blend {
  int degree;
  double t;
  double b[max_degree - 1];

  Blend(int p, double at) : degree(p), t(at) { bernstein(p - 2, at, b); }
};

/// Value, first and second derivative of one coordinate along a row of control points (theory
/// 11.3).
struct RowJet {
  double value, first, second;
};
inline RowJet row_jet(const Blend& blend, const double* h, int stride) {
  double h0 = 0, h1 = 0, h2 = 0;
  for (int i = 0; i <= blend.degree - 2; ++i, h += stride) {
    h0 += blend.b[i] * h[0];
    h1 += blend.b[i] * h[stride];
    h2 += blend.b[i] * h[2 * stride];
  }
  const double p = blend.degree, t = blend.t;
  const double a0 = h0 + t * (h1 - h0), a1 = h1 + t * (h2 - h1);
  return {a0 + t * (a1 - a0), p * (a1 - a0), p * (p - 1) * ((h2 - h1) - (h1 - h0))};
}

/// From homogeneous coordinates to the point itself, `p` being known (theory 11.4).
template <class T, int D, int K>
PatchJet<T, D, K> projected(const PatchJet<T, D + 1, K>& h, const Coords<T, D>& p) {
  PatchJet<T, D, K> out;
  out.p = p;
  const T& w = h.p[D];
  for (std::size_t c = 0; c < D; ++c) {
    for (std::size_t i = 0; i < K; ++i) out.d[i][c] = (h.d[i][c] - p[c] * h.d[i][D]) / w;
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = i; j < K; ++j) {
        out.dd[i][j][c] = (h.dd[i][j][c] - out.d[i][c] * h.d[j][D] - out.d[j][c] * h.d[i][D] -
                           p[c] * h.dd[i][j][D]) /
                          w;
        out.dd[j][i][c] = out.dd[i][j][c];
      }
  }
  return out;
}

template <int D>
PatchJet<double, D + 1, 1> homogeneous_jet(const PieceView<1>& piece, const Coords<double, 1>& t) {
  PatchJet<double, D + 1, 1> out;
  const Blend blend(piece.degree[0], t[0]);
  for (std::size_t c = 0; c <= D; ++c) {
    const RowJet r = row_jet(blend, piece.h + c, D + 1);
    out.p[c] = r.value;
    out.d[0][c] = r.first;
    out.dd[0][0][c] = r.second;
  }
  return out;
}

template <int D>
PatchJet<double, D + 1, 2> homogeneous_jet(const PieceView<2>& piece, const Coords<double, 2>& t) {
  PatchJet<double, D + 1, 2> out;
  const Blend first(piece.degree[0], t[0]), second(piece.degree[1], t[1]);
  const int columns = piece.degree[1] + 1, stride = columns * (D + 1);
  for (int c = 0; c <= D; ++c) {
    double value[max_degree + 1], d[max_degree + 1], dd[max_degree + 1];
    for (int j = 0; j < columns; ++j) {
      const RowJet r = row_jet(first, piece.h + j * (D + 1) + c, stride);
      value[j] = r.value;
      d[j] = r.first;
      dd[j] = r.second;
    }
    const RowJet v = row_jet(second, value, 1), u = row_jet(second, d, 1);
    const std::size_t k = static_cast<std::size_t>(c);
    out.p[k] = v.value;
    out.d[0][k] = u.value;
    out.d[1][k] = v.first;
    out.dd[0][0][k] = row_jet(second, dd, 1).value;
    out.dd[0][1][k] = out.dd[1][0][k] = u.first;
    out.dd[1][1][k] = v.second;
  }
  return out;
}

/// The point of a piece at t ∈ [0, 1]ᴷ with its derivatives.
template <int D, int K>
PatchJet<double, D, K> piece_jet(const PieceView<K>& piece, const Coords<double, K>& t) {
  const PatchJet<double, D + 1, K> h = homogeneous_jet<D>(piece, t);
  Coords<double, D> p;
  for (std::size_t c = 0; c < D; ++c) p[c] = h.p[c] / h.p[D];
  return projected<double, D, K>(h, p);
}

/// A part of a piece, again as control points.
template <int D, int K>
struct SubPiece {
  static constexpr int most = (K == 2 ? (max_degree + 1) * (max_degree + 1) : max_degree + 1);
  Coords<int, K> degree;
  double h[most * (D + 1)];  ///< only the first numbers() are used

  SubPiece() = default;
  SubPiece(const SubPiece& other) : degree(other.degree) {
    std::copy(other.h, other.h + other.numbers(), h);
  }
  SubPiece& operator=(const SubPiece&) = delete;

  int rows() const { return degree[0] + 1; }
  int columns() const {
    if constexpr (K == 2) return degree[1] + 1;
    return 1;
  }
  int numbers() const { return rows() * columns() * (D + 1); }
};

/// Of a row of control points, `stride` numbers apart and `width` numbers each, those of the part
/// over `range` ⊂ [0, 1], by de Casteljau's algorithm.
inline void restrict_row(const Interval& range, int degree, int stride, int width, double* h) {
  if (range.upper < 1)
    for (int r = 1; r <= degree; ++r)
      for (int i = degree; i >= r; --i)
        for (int c = 0; c < width; ++c) {
          double& x = h[i * stride + c];
          const double before = h[(i - 1) * stride + c];
          x = before + range.upper * (x - before);
        }
  const double from = range.lower / range.upper;
  if (range.lower > 0)
    for (int r = 1; r <= degree; ++r)
      for (int i = 0; i <= degree - r; ++i)
        for (int c = 0; c < width; ++c) {
          double& x = h[i * stride + c];
          x += from * (h[(i + 1) * stride + c] - x);
        }
}

/// The part of a piece over a box of its parameters, moved by X.
template <int D, int K>
SubPiece<D, K> restricted(const PieceView<K>& piece, const Coords<Interval, K>& box,
                          const PoseD<D>* X) {
  SubPiece<D, K> out;
  out.degree = piece.degree;
  std::copy(piece.h, piece.h + out.numbers(), out.h);
  const int columns = out.columns(), width = columns * (D + 1);
  restrict_row(box[0], out.degree[0], width, width, out.h);
  if constexpr (K == 2)
    for (int i = 0; i < out.rows(); ++i)
      restrict_row(box[1], out.degree[1], D + 1, D + 1, out.h + i * width);
  if (X) {
    const VecD<D> origin = X->point(VecD<D>(VecD<D>::Zero()));
    for (double* h = out.h; h < out.h + out.numbers(); h += D + 1) {
      Eigen::Map<VecD<D>> p(h);
      p = (X->direction(VecD<D>(p)) + h[D] * origin).eval();
    }
  }
  return out;
}

/// What contains the differences of the control points, so often along the first parameter and so
/// often along the second: what contains the derivatives, but for a factor.
template <int D, int K>
Coords<Interval, D + 1> hull_of_differences(const SubPiece<D, K>& piece, int first, int second) {
  const int columns = piece.columns(), rows = piece.rows();
  const int down = columns * (D + 1), right = D + 1;
  Coords<Interval, D + 1> hull;
  hull.fill({INFINITY, -INFINITY});
  for (int i = 0; i < rows - first; ++i)
    for (int j = 0; j < columns - second; ++j) {
      const double* h = piece.h + i * down + j * right;
      for (std::size_t c = 0; c <= D; ++c, ++h) {
        double x = h[0];
        if (first == 1 && second == 1) {
          x = (h[down + right] - h[down]) - (h[right] - h[0]);
        } else if (first + second > 0) {
          const int step = first > 0 ? down : right;
          x = first + second == 1 ? h[step] - h[0] : (h[2 * step] - h[step]) - (h[step] - h[0]);
        }
        hull[c].include(x);
      }
    }
  return hull;
}

/// What contains all points of a piece and their derivatives (theory 11.6, 11.7).
template <int D, int K>
PatchJet<Interval, D, K> enclosure(SubPiece<D, K> piece) {
  const double* middle = piece.h + (piece.numbers() / (D + 1) / 2) * (D + 1);
  Coords<double, D> origin;
  for (std::size_t c = 0; c < D; ++c) origin[c] = middle[c] / middle[D];
  Coords<Interval, D> p;
  p.fill({INFINITY, -INFINITY});
  for (double* h = piece.h; h < piece.h + piece.numbers(); h += D + 1)
    for (std::size_t c = 0; c < D; ++c) {
      h[c] -= origin[c] * h[D];
      p[c].include(h[c] / h[D]);
    }
  PatchJet<Interval, D + 1, K> h;
  h.p = hull_of_differences(piece, 0, 0);
  const auto derivative = [&](int first, int second, double factor) {
    Coords<Interval, D + 1> hull = hull_of_differences(piece, first, second);
    for (Interval& x : hull) x = factor * x;
    return hull;
  };
  const double m = piece.degree[0];
  h.d[0] = derivative(1, 0, m);
  h.dd[0][0] = derivative(2, 0, m * (m - 1));
  if constexpr (K == 2) {
    const double n = piece.degree[1];
    h.d[1] = derivative(0, 1, n);
    h.dd[1][1] = derivative(0, 2, n * (n - 1));
    h.dd[0][1] = h.dd[1][0] = derivative(1, 1, m * n);
  }
  PatchJet<Interval, D, K> out = projected<Interval, D, K>(h, p);
  for (std::size_t c = 0; c < D; ++c) out.p[c] = out.p[c] + origin[c];
  return out;
}

}  // namespace backlash::nurbs
