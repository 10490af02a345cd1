// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "backlash/base/jet.h"

/// Motion laws of followers (theory 7.24): from 0 to 1 while x goes from 0 to 1, level before and
/// after. Of numbers and of jets, which give velocity and acceleration.
namespace backlash::motion_laws {

inline double value_of(double x) { return x; }
inline double value_of(const Jet& x) { return x.value; }

/// f(x) between 0 and 1.
template <class T, class Law>
T between_dwells(const T& x, Law law) {
  if (value_of(x) <= 0) return T(0);
  if (value_of(x) >= 1) return T(1);
  return law(x);
}

/// Half a turn of a cosine: its acceleration jumps at both ends.
template <class T>
T harmonic(const T& x) {
  using std::cos;
  return between_dwells(x,
                        [](const T& s) { return T(0.5) - T(0.5) * cos(T(std::numbers::pi) * s); });
}

/// The acceleration is a full turn of a sine.
template <class T>
T cycloidal(const T& x) {
  using std::sin;
  constexpr double turn = 2 * std::numbers::pi;
  return between_dwells(x, [](const T& s) { return s - sin(T(turn) * s) / T(turn); });
}

/// The acceleration is a sine, four times as fast in the first and last eighth as between.
template <class T>
T modified_sine(const T& x) {
  using std::sin;
  constexpr double pi = std::numbers::pi;
  return between_dwells(x, [](const T& s) {
    const T straight = T(pi) * s;
    if (value_of(s) < 0.125) return (straight - T(0.25) * sin(T(4 * pi) * s)) / T(4 + pi);
    if (value_of(s) > 0.875) return (T(4) + straight - T(0.25) * sin(T(4 * pi) * s)) / T(4 + pi);
    return (T(2) + straight - T(2.25) * sin(T(4 * pi / 3) * s + T(pi / 3))) / T(4 + pi);
  });
}

/// The polynomial whose first two derivatives vanish at the ends.
template <class T>
T polynomial_345(const T& x) {
  return between_dwells(x,
                        [](const T& s) { return s * s * s * (T(10) + s * (T(-15) + T(6) * s)); });
}

/// The one whose first three do.
template <class T>
T polynomial_4567(const T& x) {
  return between_dwells(x, [](const T& s) {
    return s * s * s * s * (T(35) + s * (T(-84) + s * (T(70) + T(-20) * s)));
  });
}

}  // namespace backlash::motion_laws
