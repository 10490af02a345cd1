// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>

#include "backlash/geometry/nurbs/distance.h"
#include "unit/geometry/nurbs/uniform.h"

/// Thousands of random pairs of closed curves against a search that shares nothing with the library
/// but the control points: own basis functions, dense samples, and the definition of the gap itself
/// (the minima of the signed distance from one curve along the other).
namespace backlash::test {
namespace {

using std::numbers::pi;

struct Sampled {
  double x, y, tx, ty;  // point and derivative
};

/// A uniform periodic rational spline, by the recursion of its definition.
struct BruteCurve {
  int degree;
  std::vector<Vec2> points;
  std::vector<double> weights;
  std::vector<Sampled> samples{};
  bool concave = false;
  static constexpr int per_span = 24;

  double spans() const { return static_cast<double>(points.size()); }

  /// N and N′ of the degree + 1 points from `span` on.
  void basis(double t, std::array<double, 6>& N, std::array<double, 6>& dN) const {
    N.fill(0);
    N[0] = 1;
    std::array<double, 6> lower{};
    for (int p = 1; p <= degree; ++p) {
      lower = N;
      for (int i = 0; i <= p; ++i) {
        // N_i^p with the knots … −1, 0, 1 …: its support begins at i − p
        const double left = i > 0 ? lower[static_cast<std::size_t>(i - 1)] : 0.0;
        const double right = i < p ? lower[static_cast<std::size_t>(i)] : 0.0;
        N[static_cast<std::size_t>(i)] = (t - (i - p)) / p * left + (i + 1 - t) / p * right;
      }
    }
    for (int i = 0; i <= degree; ++i) {
      const double left = i > 0 ? lower[static_cast<std::size_t>(i - 1)] : 0.0;
      const double right = i < degree ? lower[static_cast<std::size_t>(i)] : 0.0;
      dN[static_cast<std::size_t>(i)] = left - right;
    }
  }

  Sampled at(double u) const {
    u -= spans() * std::floor(u / spans());
    const int span = std::min(static_cast<int>(u), static_cast<int>(points.size()) - 1);
    std::array<double, 6> N{}, dN{};
    basis(u - span, N, dN);
    double x = 0, y = 0, w = 0, dx = 0, dy = 0, dw = 0;
    for (int i = 0; i <= degree; ++i) {
      const std::size_t k = static_cast<std::size_t>(span + i) % points.size();
      const double f = N[static_cast<std::size_t>(i)] * weights[k];
      const double df = dN[static_cast<std::size_t>(i)] * weights[k];
      x += f * points[k].x();
      y += f * points[k].y();
      w += f;
      dx += df * points[k].x();
      dy += df * points[k].y();
      dw += df;
    }
    return {x / w, y / w, (dx - x / w * dw) / w, (dy - y / w * dw) / w};
  }

  void sample() {
    const int n = per_span * static_cast<int>(points.size());
    for (int i = 0; i < n; ++i) samples.push_back(at(i / static_cast<double>(per_span)));
    for (int i = 0; i < n; ++i) {
      const Sampled &a = samples[static_cast<std::size_t>(i)],
                    &b = samples[static_cast<std::size_t>((i + 1) % n)];
      concave = concave || a.tx * b.ty - a.ty * b.tx < 0;
    }
  }
};

BruteCurve random_curve(Uniform& random) {
  BruteCurve curve{3 + random.index(3), {}, {}};
  const int n = 6 + random.index(7);
  const double amplitude = random.index(3) == 0 ? 0.05 : random(0.25, 0.5);
  const double aspect = random(0.5, 1.5);
  const bool rational = random.index(2) == 0;
  for (int i = 0; i < n; ++i) {
    const double r = 1 + random(-amplitude, amplitude),
                 angle = 2 * pi * (i + random(-0.2, 0.2)) / n;
    curve.points.emplace_back(r * std::cos(angle), aspect * r * std::sin(angle));
    curve.weights.push_back(rational ? random(0.5, 2) : 1.0);
  }
  curve.sample();
  return curve;
}

/// A curve where it lies in the world.
struct Lying {
  const BruteCurve& curve;
  double angle, x, y;

  Sampled moved(const Sampled& s) const {
    const double c = std::cos(angle), d = std::sin(angle);
    return {x + c * s.x - d * s.y, y + d * s.x + c * s.y, c * s.tx - d * s.ty, d * s.tx + c * s.ty};
  }
  Sampled at(double u) const { return moved(curve.at(u)); }
};

struct BrutePair {
  double gap;
  Vec2 p, q;  // on the one curve and the other
};

/// The signed distance of p from A, the foot being known to lie near u; u becomes the foot, to that
/// precision. The error of the distance is of second order in it.
double signed_distance(const Lying& A, const Vec2& p, double& u, double precision = 1e-13) {
  // the root of (A − p) · A′ by bisection, then by the secant
  double lower = u - 1.0 / BruteCurve::per_span, upper = u + 1.0 / BruteCurve::per_span;
  const auto slope = [&](double at) {
    const Sampled s = A.at(at);
    return (s.x - p.x()) * s.tx + (s.y - p.y()) * s.ty;
  };
  double f_lower = slope(lower), f_upper = slope(upper);
  for (int i = 0; i < 60 && upper - lower > precision; ++i) {
    double middle = lower - f_lower * (upper - lower) / (f_upper - f_lower);
    const double inset = 0.02 * (upper - lower);
    if (i % 3 == 2 || !(middle > lower && middle < upper)) middle = 0.5 * (lower + upper);
    middle = std::clamp(middle, lower + inset * 1e-6, upper - inset * 1e-6);
    const double f = slope(middle);
    if (f == 0) {
      lower = upper = middle;
      break;
    }
    (f < 0 ? lower : upper) = middle;
    (f < 0 ? f_lower : f_upper) = f;
  }
  u = 0.5 * (lower + upper);
  const Sampled s = A.at(u);
  const double speed = std::hypot(s.tx, s.ty);
  return (s.ty * (p.x() - s.x) - s.tx * (p.y() - s.y)) / speed;
}

double nearest_sample(const std::vector<Sampled>& samples, const Vec2& p) {
  double best = INFINITY;
  std::size_t at = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double dx = samples[i].x - p.x(), dy = samples[i].y - p.y(), d = dx * dx + dy * dy;
    if (d < best) {
      best = d;
      at = i;
    }
  }
  return static_cast<double>(at) / BruteCurve::per_span;
}

/// The smooth minima of the signed distance from A along B, with normals that oppose each other.
void minima_along(const Lying& A, const Lying& B, double reach, std::vector<BrutePair>& pairs) {
  std::vector<Sampled> a;
  for (const Sampled& s : A.curve.samples) a.push_back(A.moved(s));
  const std::size_t n = B.curve.samples.size();
  std::vector<double> distance(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Sampled s = B.moved(B.curve.samples[i]);
    double foot = nearest_sample(a, {s.x, s.y});
    distance[i] = signed_distance(A, {s.x, s.y}, foot, 1e-5);  // which of them are minima
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
    if (distance[i] > distance[before] || distance[i] > distance[after]) continue;
    if (distance[i] > reach + 0.05) continue;
    double u = 0;
    const auto phi = [&](double at) {
      const Sampled s = B.at(at);
      u = nearest_sample(a, {s.x, s.y});
      return signed_distance(A, {s.x, s.y}, u);
    };
    const double middle = static_cast<double>(i) / BruteCurve::per_span;
    double lower = middle - 1.0 / BruteCurve::per_span, upper = middle + 1.0 / BruteCurve::per_span;
    constexpr double golden = 0.38196601125010515;
    double x = lower + golden * (upper - lower), y = upper - golden * (upper - lower);
    double fx = phi(x), fy = phi(y);
    while (upper - lower > 1e-8) {
      if (fx < fy) {
        upper = y;
        y = x;
        fy = fx;
        x = lower + golden * (upper - lower);
        fx = phi(x);
      } else {
        lower = x;
        x = y;
        fx = fy;
        y = upper - golden * (upper - lower);
        fy = phi(y);
      }
    }
    const double at = 0.5 * (lower + upper), gap = phi(at);
    const Sampled s = B.at(at), f = A.at(u);
    const double opposed =
        (s.tx * f.tx + s.ty * f.ty) / (std::hypot(s.tx, s.ty) * std::hypot(f.tx, f.ty));
    if (opposed > -1 + 1e-6 || gap > reach) continue;
    pairs.push_back({gap, {f.x, f.y}, {s.x, s.y}});
  }
}

std::vector<BrutePair> brute_pairs(const Lying& A, const Lying& B, double reach) {
  std::vector<BrutePair> pairs, other;
  minima_along(A, B, reach, pairs);
  minima_along(B, A, reach, other);
  for (const BrutePair& p : other) pairs.push_back({p.gap, p.q, p.p});
  return pairs;
}

/// A place for B that makes a point of B face a point of A with a gap.
Lying facing(const BruteCurve& A, const BruteCurve& B, double gap, Uniform& random) {
  const Sampled a = A.at(random(0, A.spans())), b = B.at(random(0, B.spans()));
  const double angle = std::atan2(-a.ty, -a.tx) - std::atan2(b.ty, b.tx);
  const double speed = std::hypot(a.tx, a.ty);
  Lying lying{B, angle, 0, 0};
  const Sampled turned = lying.moved(b);
  lying.x = a.x + gap * a.ty / speed - turned.x;
  lying.y = a.y - gap * a.tx / speed - turned.y;
  return lying;
}

struct Counts {
  int pairs = 0, concave = 0, penetrating = 0, touching = 0, singular = 0, several = 0;
};

class RandomCurves : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomCurves, HaveTheGapsThatBruteForceFindsAndNoneIsMissed) {
  constexpr int curves = 40, wanted = 2500;
  constexpr double reach = 0.4;
  Uniform random{std::mt19937(GetParam())};
  std::vector<BruteCurve> brute;
  std::vector<Profile> profiles;
  for (int i = 0; i < curves; ++i) {
    brute.push_back(random_curve(random));
    NurbsCurveData<2> data{
        brute.back().degree, brute.back().points, brute.back().weights, {}, SplineEnds::periodic};
    profiles.emplace_back(NurbsCurve<2>(data));
  }
  Counts counts;
  std::vector<FacingPair<2>> found;
  for (int trial = 0; counts.pairs < wanted; ++trial) {
    ASSERT_LT(trial, 4 * wanted);
    const std::size_t i = static_cast<std::size_t>(random.index(curves));
    const std::size_t j = static_cast<std::size_t>(random.index(curves));
    const Lying A{brute[i], 0, 0, 0};
    const int kind = random.index(10);
    const double target = kind < 3 ? random(-0.2, 0) : kind < 6 ? 0.0 : random(0.01, 1.5);
    const Lying B = facing(brute[i], brute[j], target, random);
    const Placed<2> a{profiles[i], {}};
    const Placed<2> b{profiles[j], {std::cos(B.angle), std::sin(B.angle), B.x, B.y}};
    const std::vector<BrutePair> expected = brute_pairs(A, B, INFINITY);
    double gap = INFINITY;
    for (const BrutePair& p : expected) gap = std::min(gap, p.gap);
    const Distance<2> closest_pair = closest(a, b);
    SCOPED_TRACE(testing::Message() << "trial " << trial << " target " << target);
    if (expected.empty()) {  // one is too deep in the other
      EXPECT_EQ(closest_pair.status, DistanceStatus::singular);
      ++counts.singular;
      continue;
    }
    ASSERT_EQ(closest_pair.status, DistanceStatus::found) << gap;
    ASSERT_NEAR(closest_pair.pair.gap, gap, 1e-10);
    find_pairs(a, b, reach, found);
    int near = 0;
    for (const BrutePair& p : expected) {
      if (p.gap > reach - 1e-9) continue;
      bool known = false;
      for (const FacingPair<2>& f : found)
        known = known || (std::abs(f.gap - p.gap) < 1e-10 && (f.p_WA - p.p).norm() < 1e-5 &&
                          (f.p_WB - p.q).norm() < 1e-5);
      ASSERT_TRUE(known) << "missed " << p.gap;
      ++near;
    }
    for (const FacingPair<2>& f : found) {
      ASSERT_NEAR((f.p_WB - f.p_WA - f.gap * f.n_W).norm(), 0, 1e-12);
      FacingPair<2> again = f;
      ASSERT_TRUE(follow(a, b, again));
      ASSERT_NEAR(again.gap, f.gap, 1e-14);
    }
    ++counts.pairs;
    counts.several += found.size() > 1;
    counts.concave += brute[i].concave || brute[j].concave;
    counts.touching += std::abs(gap) < 1e-9;
    counts.penetrating += gap <= -1e-9;
  }
  EXPECT_GE(counts.concave, 0.3 * wanted);
  EXPECT_GE(counts.penetrating, 0.2 * wanted);
  EXPECT_GE(counts.touching, 0.1 * wanted);
  EXPECT_GT(counts.several, 0);
  EXPECT_LE(counts.singular, 0.3 * wanted);
  RecordProperty("concave", counts.concave);
  RecordProperty("penetrating", counts.penetrating);
  RecordProperty("touching", counts.touching);
  RecordProperty("several", counts.several);
  RecordProperty("singular", counts.singular);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCurves, ::testing::Values(1u, 2u, 3u, 4u));

}  // namespace
}  // namespace backlash::test
