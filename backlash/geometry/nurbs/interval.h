// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace backlash::nurbs {

/// All numbers between two bounds; what is computed with intervals contains what is computed with
/// their numbers, up to rounding.
struct Interval {
  double lower = 0, upper = 0;

  constexpr Interval() = default;
  constexpr Interval(double x) : lower(x), upper(x) {}  // NOLINT: a number is an interval
  constexpr Interval(double l, double u) : lower(l), upper(u) {}

  double middle() const { return 0.5 * (lower + upper); }
  double width() const { return upper - lower; }
  double magnitude() const { return std::max(std::abs(lower), std::abs(upper)); }
  bool contains_zero() const { return lower <= 0 && upper >= 0; }
  void include(double x) {
    lower = std::min(lower, x);
    upper = std::max(upper, x);
  }
};

inline Interval operator-(const Interval& a) { return {-a.upper, -a.lower}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  return {a.lower + b.lower, a.upper + b.upper};
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return {a.lower - b.upper, a.upper - b.lower};
}
inline Interval operator*(double f, const Interval& a) {
  return f >= 0 ? Interval(f * a.lower, f * a.upper) : Interval(f * a.upper, f * a.lower);
}
inline Interval operator*(const Interval& a, const Interval& b) {
  const double ll = a.lower * b.lower, lu = a.lower * b.upper;
  const double ul = a.upper * b.lower, uu = a.upper * b.upper;
  return {std::min(std::min(ll, lu), std::min(ul, uu)),
          std::max(std::max(ll, lu), std::max(ul, uu))};
}

/// For a positive b.
inline Interval operator/(const Interval& a, const Interval& b) {
  return a * Interval(1 / b.upper, 1 / b.lower);
}

inline Interval square(const Interval& a) {
  const double l = a.lower * a.lower, u = a.upper * a.upper;
  return {a.contains_zero() ? 0.0 : std::min(l, u), std::max(l, u)};
}
inline double square(double a) { return a * a; }

}  // namespace backlash::nurbs
