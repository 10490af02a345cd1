// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/root_search.h"

/// When a point of one boundary faces a point of another: equations, and what rules them out.
namespace backlash::nurbs {

template <class T, std::size_t D>
T dot(const std::array<T, D>& a, const std::array<T, D>& b) {
  T sum = a[0] * b[0];
  for (std::size_t c = 1; c < D; ++c) sum = sum + a[c] * b[c];
  return sum;
}

template <class T, std::size_t D>
std::array<T, D> difference(const std::array<T, D>& a, const std::array<T, D>& b) {
  std::array<T, D> out;
  for (std::size_t c = 0; c < D; ++c) out[c] = a[c] - b[c];
  return out;
}

template <class T>
Coords<T, 3> cross(const Coords<T, 3>& a, const Coords<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The normal of a curve in the plane (to the right) or a surface in space, of any length, with its
/// derivatives.
template <class T>
struct NormalJet2 {
  Coords<T, 2> n;
  Coords<Coords<T, 2>, 1> d;
};
template <class T>
struct NormalJet3 {
  Coords<T, 3> n;
  Coords<Coords<T, 3>, 2> d;
};
template <class T>
NormalJet2<T> normal_jet(const PatchJet<T, 2, 1>& f) {
  return {{f.d[0][1], -f.d[0][0]}, {{{f.dd[0][0][1], -f.dd[0][0][0]}}}};
}
template <class T>
NormalJet3<T> normal_jet(const PatchJet<T, 3, 2>& f) {
  NormalJet3<T> out;
  out.n = cross<T>(f.d[0], f.d[1]);
  for (std::size_t k = 0; k < 2; ++k) {
    const Coords<T, 3> left = cross<T>(f.dd[0][k], f.d[1]), right = cross<T>(f.d[0], f.dd[1][k]);
    for (std::size_t c = 0; c < 3; ++c) out.d[k][c] = left[c] + right[c];
  }
  return out;
}

/// Pairs farther apart than `reach` are of no interest, nor those that overlap by more than `depth`
/// [m].
struct SearchLimits {
  double reach;
  double depth;
};

template <std::size_t D>
double least_square(const std::array<Interval, D>& d) {
  double sum = 0;
  for (const Interval& x : d) sum += square(x).lower;
  return sum;
}

/// ∂ᵢ · ∂ᵢ + sign d · ∂ᵢᵢ < 0 for some i: no minimum of the distance along this boundary.
template <int D, int K>
bool surely_no_minimum(const PatchJet<Interval, D, K>& f, const Coords<Interval, D>& d,
                       double sign) {
  for (std::size_t i = 0; i < K; ++i) {
    Interval length;
    for (const Interval& x : f.d[i]) length = length + square(x);
    if ((length + sign * dot(d, f.dd[i][i])).upper < 0) return true;
  }
  return false;
}

template <std::size_t D>
bool surely_not_zero(const std::array<Interval, D>& a, const std::array<Interval, D>& b) {
  const Interval x = dot(a, b);
  const double slack = 1e-12 * x.magnitude();
  return x.lower > slack || x.upper < -slack;
}

/// A point, edge or facet L (of dimension K) and a facet F: the line between them is normal to F,
/// and F's normal is normal to L (theory 11.10; for K = D − 1 these are the paper's equations 3–4
/// and 5–8).
template <int D, int K>
struct Facing {
  SearchLimits limits;

  template <class T>
  void operator()(const PatchJet<T, D, K>& l, const PatchJet<T, D, D - 1>& f,
                  Equations<T, K + D - 1>& e) const {
    const Coords<T, D> d = difference(f.p, l.p);
    for (std::size_t j = 0; j < D - 1; ++j) {
      e.G[K + j] = dot(d, f.d[j]);
      for (std::size_t k = 0; k < K; ++k) e.J[K + j][k] = -dot(l.d[k], f.d[j]);
      for (std::size_t m = 0; m < D - 1; ++m)
        e.J[K + j][K + m] = dot(f.d[m], f.d[j]) + dot(d, f.dd[j][m]);
    }
    if constexpr (K > 0) {
      const auto normal = normal_jet(f);
      for (std::size_t i = 0; i < K; ++i) {
        e.G[i] = dot(normal.n, l.d[i]);
        for (std::size_t k = 0; k < K; ++k) e.J[i][k] = dot(normal.n, l.dd[i][k]);
        for (std::size_t m = 0; m < D - 1; ++m) e.J[i][K + m] = dot(normal.d[m], l.d[i]);
      }
    }
  }

  bool impossible(const PatchJet<Interval, D, K>& l, const PatchJet<Interval, D, D - 1>& f) const {
    const Coords<Interval, D> d = difference(f.p, l.p);
    const double apart = least_square(d);
    if (apart > square(std::max(limits.reach, limits.depth))) return true;
    const bool no_minimum_F = surely_no_minimum<D, D - 1>(f, d, 1);
    if (K < D - 1 && no_minimum_F) return true;
    for (std::size_t i = 0; i < K; ++i)
      if (surely_not_zero(d, l.d[i])) return true;
    if constexpr (K == D - 1) {
      const auto n_L = normal_jet(l).n;
      const auto n_F = normal_jet(f).n;
      if (dot(n_L, n_F).lower > 0) return true;
      if (apart > square(limits.reach) && dot(d, n_L).lower > 0) return true;
      if (no_minimum_F && surely_no_minimum<D, K>(l, d, -1)) return true;
    }
    return false;
  }
};

/// Points, edges and facets that are closest, whatever their normals: the line between them is
/// normal to both (theory 11.11). Singular where facets touch; for points and edges.
template <int D, int KA, int KB>
struct Nearest {
  SearchLimits limits;

  template <class T>
  void operator()(const PatchJet<T, D, KA>& a, const PatchJet<T, D, KB>& b,
                  Equations<T, KA + KB>& e) const {
    const Coords<T, D> d = difference(b.p, a.p);
    for (std::size_t i = 0; i < KA; ++i) {
      e.G[i] = -dot(d, a.d[i]);
      for (std::size_t k = 0; k < KA; ++k) e.J[i][k] = dot(a.d[k], a.d[i]) - dot(d, a.dd[i][k]);
      for (std::size_t m = 0; m < KB; ++m) e.J[i][KA + m] = -dot(b.d[m], a.d[i]);
    }
    for (std::size_t j = 0; j < KB; ++j) {
      e.G[KA + j] = dot(d, b.d[j]);
      for (std::size_t k = 0; k < KA; ++k) e.J[KA + j][k] = -dot(a.d[k], b.d[j]);
      for (std::size_t m = 0; m < KB; ++m)
        e.J[KA + j][KA + m] = dot(b.d[m], b.d[j]) + dot(d, b.dd[j][m]);
    }
  }

  bool impossible(const PatchJet<Interval, D, KA>& a, const PatchJet<Interval, D, KB>& b) const {
    const Coords<Interval, D> d = difference(b.p, a.p);
    return least_square(d) > square(limits.reach) || surely_no_minimum<D, KA>(a, d, -1) ||
           surely_no_minimum<D, KB>(b, d, 1);
  }
};

/// Where an edge or facet L lies farthest against the direction m: what a half-space with the
/// normal m meets (theory 11.12). The second body is the point b of its boundary.
template <int D, int K>
struct Supporting {
  Coords<double, D> m;
  double reach;  ///< of m · (p − b) [m]

  template <class T>
  void operator()(const PatchJet<T, D, K>& l, const PatchJet<T, D, 0>&, Equations<T, K>& e) const {
    const Coords<T, D> n = direction<T>();
    for (std::size_t i = 0; i < K; ++i) {
      e.G[i] = dot(n, l.d[i]);
      for (std::size_t k = 0; k < K; ++k) e.J[i][k] = dot(n, l.dd[i][k]);
    }
  }

  bool impossible(const PatchJet<Interval, D, K>& l, const PatchJet<Interval, D, 0>& b) const {
    const Coords<Interval, D> n = direction<Interval>();
    if (dot(n, difference(l.p, b.p)).lower > reach) return true;
    for (std::size_t i = 0; i < K; ++i)
      if (dot(n, l.dd[i][i]).upper < 0) return true;
    if constexpr (K == D - 1) return dot(normal_jet(l).n, n).lower > 0;
    return false;
  }

  template <class T>
  Coords<T, D> direction() const {
    Coords<T, D> n;
    for (std::size_t c = 0; c < D; ++c) n[c] = m[c];
    return n;
  }
};

}  // namespace backlash::nurbs
