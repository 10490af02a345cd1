// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/normal_feet.h"

#include "backlash/geometry/nurbs/facing.h"

namespace backlash::nurbs {
namespace {

constexpr int most_coefficients = 3 * max_degree + 1;

/// Coefficients of the Bernstein polynomials of a degree; or these times the binomials, whose
/// products are those of power series.
struct Polynomial {
  int degree;
  std::array<double, most_coefficients> c;  ///< only the first degree + 1 are used

  Polynomial() = default;
  Polynomial(const Polynomial& other) { *this = other; }
  Polynomial& operator=(const Polynomial& other) {
    degree = other.degree;
    std::copy_n(other.c.begin(), degree + 1, c.begin());
    return *this;
  }
};

/// n over k, for all that occur.
const auto& binomials() {
  static const auto table = [] {
    std::array<std::array<double, most_coefficients>, most_coefficients> b{};
    for (std::size_t n = 0; n < b.size(); ++n)
      for (std::size_t k = 0; k <= n; ++k)
        b[n][k] = k == 0 || k == n ? 1 : b[n - 1][k - 1] + b[n - 1][k];
    return b;
  }();
  return table;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  out.degree = a.degree + b.degree;
  std::fill_n(out.c.begin(), out.degree + 1, 0.0);
  for (int i = 0; i <= a.degree; ++i)
    for (int k = 0; k <= b.degree; ++k) out.c[at(i + k)] += a.c[at(i)] * b.c[at(k)];
  return out;
}

Polynomial sum(Polynomial a, const Polynomial& b, double factor) {
  for (int i = 0; i <= a.degree; ++i) a.c[at(i)] += factor * b.c[at(i)];
  return a;
}

/// Homogeneous coordinates of a piece about p, with their derivatives, all times the binomials.
struct AboutPoint {
  std::array<Polynomial, 3> h, d;          ///< w (x − p), w
  double size = 0, speed = 0, weight = 0;  ///< the largest of the first two, and of w
  double rounding = 0;                     ///< of the derivatives, from that of the points
  bool rational = false;

  AboutPoint(const PieceView<1>& piece, const Vec2& p) {
    const int n = piece.degree[0];
    const auto &of_h = binomials()[at(n)], &of_d = binomials()[at(n - 1)];
    for (std::size_t c = 0; c < 3; ++c) {
      h[c].degree = n;
      d[c].degree = n - 1;
    }
    const double far = std::abs(p.x()) + std::abs(p.y());
    std::array<double, 3> before{};
    for (int i = 0; i <= n; ++i) {
      const double* q = piece.h + 3 * i;
      const std::array<double, 3> now{q[0] - p.x() * q[2], q[1] - p.y() * q[2], q[2]};
      for (std::size_t c = 0; c < 3; ++c) h[c].c[at(i)] = of_h[at(i)] * now[c];
      size = std::max(size, std::abs(q[0]) + std::abs(q[1]) + far * q[2]);
      weight = std::max(weight, q[2]);
      rounding = std::max(rounding, 1e-15 * n * (std::abs(q[0]) + std::abs(q[1])));
      rational = rational || q[2] != piece.h[2];
      if (i > 0) {
        const std::array<double, 3> step{now[0] - before[0], now[1] - before[1],
                                         now[2] - before[2]};
        for (std::size_t c = 0; c < 3; ++c) d[c].c[at(i - 1)] = n * of_d[at(i - 1)] * step[c];
        speed = std::max(speed, n * (std::abs(step[0]) + std::abs(step[1])));
      }
      before = now;
    }
  }
};

/// w (h · h') − w' (h · h) (theory 11.30), and what of it is rounding.
struct FootPolynomial {
  Polynomial g;
  double noise;

  FootPolynomial(const PieceView<1>& piece, const Vec2& p) {
    const AboutPoint a(piece, p);
    g = sum(product(a.h[0], a.d[0]), product(a.h[1], a.d[1]), 1);
    noise = a.size * (1e-15 * a.speed + a.rounding);
    if (a.rational) {
      const Polynomial square = sum(product(a.h[0], a.h[0]), product(a.h[1], a.h[1]), 1);
      g = sum(product(a.h[2], g), product(a.d[2], square), -1);
      noise *= 2 * a.weight;
    }
    const auto& of_g = binomials()[at(g.degree)];
    for (int i = 0; i <= g.degree; ++i) g.c[at(i)] /= of_g[at(i)];
  }
};

/// De Casteljau's algorithm: the parts left and right of t; the value there is the last of the
/// left.
void split(const Polynomial& g, double t, Polynomial& left, Polynomial& right) {
  right = g;
  left.degree = g.degree;
  for (int r = 0; r <= g.degree; ++r) {
    left.c[at(r)] = right.c[0];
    for (int i = 0; i < g.degree - r; ++i)
      right.c[at(i)] += t * (right.c[at(i + 1)] - right.c[at(i)]);
  }
}

double value(Polynomial g, double t) {
  for (int r = g.degree; r > 0; --r)
    for (int i = 0; i < r; ++i) g.c[at(i)] += t * (g.c[at(i + 1)] - g.c[at(i)]);
  return g.c[0];
}

struct Signs {
  int changes = 0;
  double first = 0, last = 0;  ///< 0: all is noise
};
Signs signs_of(const Polynomial& g, double noise) {
  Signs out;
  for (int i = 0; i <= g.degree; ++i) {
    const double c = g.c[at(i)];
    if (std::abs(c) <= noise) continue;
    const double sign = c > 0 ? 1 : -1;
    if (out.first == 0) out.first = sign;
    if (out.last == -sign) ++out.changes;
    out.last = sign;
  }
  return out;
}

/// The root between 0 and 1 of a polynomial that changes its sign once: halving, and the rule of
/// false position (Illinois) as soon as the values at both ends are those of their sides. At an end
/// of the range there may be another root.
double only_root(const Polynomial& g, double sign_at_0) {
  double a = 0, b = 1;
  double at_a = std::max(0.0, sign_at_0 * g.c[0]);
  double at_b = std::min(0.0, sign_at_0 * g.c[at(g.degree)]);
  for (int i = 0; i < 100; ++i) {
    const bool halve = at_a == 0 || at_b == 0 || i % 4 == 3;
    const double t = halve ? 0.5 * (a + b) : (a * at_b - b * at_a) / (at_b - at_a);
    if (!(t > a && t < b)) break;
    const double at_t = sign_at_0 * value(g, t);
    if (at_t == 0) return t;
    (at_t > 0 ? a : b) = t;
    (at_t > 0 ? at_a : at_b) = at_t;
    if (!halve) (at_t > 0 ? at_b : at_a) *= 0.5;
  }
  return at_a < -at_b ? a : b;
}

/// As many roots as there are changes of sign, or an even number fewer: none and one are certain.
void find_roots(const Polynomial& g, const Interval& range, double noise, PieceFeet& feet) {
  const Signs signs = signs_of(g, noise);
  if (signs.first == 0) return feet.add(range);
  if (std::abs(g.c[0]) <= noise) feet.add(range.lower);
  if (signs.changes > 1) {
    if (range.width() < 1e-12) return feet.add(range);
    Polynomial left, right;
    split(g, 0.5, left, right);
    find_roots(left, {range.lower, range.middle()}, noise, feet);
    return find_roots(right, {range.middle(), range.upper}, noise, feet);
  }
  if (signs.changes == 1) feet.add(range.lower + range.width() * only_root(g, signs.first));
  if (std::abs(g.c[at(g.degree)]) <= noise) feet.add(range.upper);
}

}  // namespace

void PieceFeet::add(const Interval& range) {
  if (count > 0 && range.lower <= ranges[count - 1].upper + 1e-12)
    ranges[count - 1].include(range.upper);
  else if (count < most)
    ranges[count++] = range;
}

PieceFeet normal_feet(const PieceView<1>& piece, const Vec2& p) {
  const FootPolynomial polynomial(piece, p);
  PieceFeet feet;
  feet.at_start = polynomial.g.c[0];
  feet.at_end = polynomial.g.c[at(polynomial.g.degree)];
  find_roots(polynomial.g, {0, 1}, polynomial.noise, feet);
  return feet;
}

bool is_single(const BezierPieces<2, 1>& pieces, const CurveFoot& foot) {
  return foot.last - foot.first <= 1e-9 * pieces.axis(0).period();
}

double settled(const BezierPieces<2, 1>& pieces, const CurveFoot& foot, const Vec2& p) {
  const double middle = pieces.axis(0).in_domain(foot.middle());
  if (!is_single(pieces, foot)) return middle;
  const BezierPieces<2, 0> point(p);
  const Facing<2, 0> system{{INFINITY, INFINITY}};
  const PieceComparison<2, 0, 1, Facing<2, 0>> comparison{point, pieces, nullptr, system, 0};
  Coords<double, 0> none{};
  Coords<double, 1> u{middle};
  const bool found = refine(comparison, none, u);
  const double moved = std::abs(u[0] - middle), period = pieces.axis(0).period();
  return found && std::min(moved, std::abs(period - moved)) <= 1e-6 * period ? u[0] : middle;
}

bool is_foot(const BezierPieces<2, 1>& pieces, double u, const Vec2& p) {
  const PatchJet<double, 2, 1> f = pieces.at({u});
  const Vec2 d = p - vec<2>(f.p);
  const double along = std::abs(d.dot(vec<2>(f.d[0]).normalized()));
  return along <= 1e-6 * d.norm() + 1e-12 * pieces.size();
}

bool is_stretch(const BezierPieces<2, 1>& pieces, const CurveFoot& foot) {
  if (foot.first == foot.last) return false;
  const auto& axis = pieces.axis(0);
  const auto point = [&](double u) { return vec<2>(pieces.at({axis.in_domain(u)}).p); };
  const Vec2 middle = point(foot.middle());
  return (point(foot.first) - middle).norm() + (point(foot.last) - middle).norm() >
         0.01 * pieces.size();
}

bool is_whole(const BezierPieces<2, 1>& pieces, const CurveFoot& foot) {
  const auto& axis = pieces.axis(0);
  return axis.closed && foot.last - foot.first >= (1 - 1e-9) * axis.period();
}

bool is_lowest_around(const BezierPieces<2, 1>& pieces, const CurveFoot& foot, const Vec2& p) {
  const auto& axis = pieces.axis(0);
  const auto distance = [&](double u) {
    return (vec<2>(pieces.at({axis.in_domain(u)}).p) - p).norm();
  };
  const double least = distance(foot.middle()), beside = 1e-3 * axis.period();
  return distance(foot.first - beside) >= least && distance(foot.last + beside) >= least;
}

}  // namespace backlash::nurbs
