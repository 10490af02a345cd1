// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace backlash {

/// A value with its first and second derivative along one parameter: the Taylor numbers of second
/// order. Functions of jets follow the chain rule, so what is computed with them is exact.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;

  constexpr Jet() = default;
  constexpr Jet(double constant) : value(constant) {}  // NOLINT: a number is a constant jet
  constexpr Jet(double v, double d1, double d2) : value(v), first(d1), second(d2) {}

  /// The parameter itself, at x.
  static constexpr Jet variable(double x) { return {x, 1, 0}; }
};

/// f(x) for a function whose value and derivatives at x.value are known.
constexpr Jet chain(const Jet& x, double f, double df, double ddf) {
  return {f, df * x.first, df * x.second + ddf * x.first * x.first};
}

constexpr Jet operator-(const Jet& a) { return {-a.value, -a.first, -a.second}; }
constexpr Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
constexpr Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
constexpr Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}
constexpr Jet operator/(const Jet& a, const Jet& b) {
  const double value = a.value / b.value;
  const double first = (a.first - value * b.first) / b.value;
  return {value, first, (a.second - 2 * first * b.first - value * b.second) / b.value};
}

inline Jet sqrt(const Jet& x) {
  const double root = std::sqrt(x.value);
  return chain(x, root, 0.5 / root, -0.25 / (root * x.value));
}
inline Jet exp(const Jet& x) {
  const double value = std::exp(x.value);
  return chain(x, value, value, value);
}
inline Jet log(const Jet& x) {
  return chain(x, std::log(x.value), 1 / x.value, -1 / (x.value * x.value));
}
inline Jet sin(const Jet& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return chain(x, s, c, -s);
}
inline Jet cos(const Jet& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return chain(x, c, -s, -c);
}
inline Jet tan(const Jet& x) {
  const double value = std::tan(x.value), slope = 1 + value * value;
  return chain(x, value, slope, 2 * value * slope);
}
inline Jet sinh(const Jet& x) {
  const double s = std::sinh(x.value), c = std::cosh(x.value);
  return chain(x, s, c, s);
}
inline Jet cosh(const Jet& x) {
  const double s = std::sinh(x.value), c = std::cosh(x.value);
  return chain(x, c, s, c);
}
inline Jet tanh(const Jet& x) {
  const double value = std::tanh(x.value), slope = 1 - value * value;
  return chain(x, value, slope, -2 * value * slope);
}
inline Jet asin(const Jet& x) {
  const double square = 1 - x.value * x.value, slope = 1 / std::sqrt(square);
  return chain(x, std::asin(x.value), slope, x.value * slope / square);
}
inline Jet acos(const Jet& x) {
  const double square = 1 - x.value * x.value, slope = -1 / std::sqrt(square);
  return chain(x, std::acos(x.value), slope, x.value * slope / square);
}
inline Jet atan(const Jet& x) {
  const double slope = 1 / (1 + x.value * x.value);
  return chain(x, std::atan(x.value), slope, -2 * x.value * slope * slope);
}

/// The angle of the point (x, y), in (−π, π].
inline Jet atan2(const Jet& y, const Jet& x) {
  const double square = x.value * x.value + y.value * y.value;
  const double swept = x.value * y.first - y.value * x.first;  // square × the first derivative
  const double growth = 2 * (x.value * x.first + y.value * y.first);
  const double first = swept / square;
  return {std::atan2(y.value, x.value), first,
          (x.value * y.second - y.value * x.second - first * growth) / square};
}

/// |x|; at the kink the derivative from the right.
inline Jet abs(const Jet& x) { return std::signbit(x.value) ? -x : x; }

/// x^p for a constant p; negative x only with an integer p.
inline Jet pow(const Jet& x, double p) {
  const double df = p == 0 ? 0 : p * std::pow(x.value, p - 1);
  const double ddf = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(x.value, p - 2);
  return chain(x, std::pow(x.value, p), df, ddf);
}

/// x^p; x > 0 unless p does not vary.
inline Jet pow(const Jet& x, const Jet& p) {
  if (p.first == 0 && p.second == 0) return pow(x, p.value);
  Jet power = exp(p * log(x));
  power.value = std::pow(x.value, p.value);
  return power;
}

}  // namespace backlash
