// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

/// Pairs of points x, s inside of the cone x_0 ≥ ‖(x_1, x_2)‖ of up to three dimensions, and what
/// an interior point method asks of them (theory 5.20, 5.21).
namespace backlash {

/// A point; what is beyond the cone's dimension is zero.
using ConePoint = std::array<double, 3>;

inline double dot(const ConePoint& a, const ConePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// x_0² − ‖(x_1, x_2)‖², as a product that keeps its digits near the boundary.
inline double determinant(const ConePoint& x) {
  const double tangential = std::hypot(x[1], x[2]);
  return (x[0] - tangential) * (x[0] + tangential);
}

/// a ∘ b of the cone's algebra.
inline ConePoint jordan_product(const ConePoint& a, const ConePoint& b) {
  return {dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

/// The x with a ∘ x = b, for a inside of the cone.
inline ConePoint jordan_quotient(const ConePoint& b, const ConePoint& a) {
  const double first = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / determinant(a);
  return {first, (b[1] - first * a[1]) / a[0], (b[2] - first * a[2]) / a[0]};
}

/// The longest step, at most 1, along dx that stays in the cone.
double longest_step(const ConePoint& x, const ConePoint& dx);

/// Nesterov and Todd's scaling W of two points inside of the cone: W x = W⁻¹ s.
class NesterovToddScaling {
 public:
  NesterovToddScaling() = default;
  NesterovToddScaling(const ConePoint& x, const ConePoint& s);

  ConePoint times(const ConePoint& x) const { return apply(eta_, 1, x); }               ///< W x
  ConePoint inverse_times(const ConePoint& x) const { return apply(1 / eta_, -1, x); }  ///< W⁻¹ x

  double square(int i, int j) const { return entry(eta_ * eta_, 1, i, j); }  ///< of W²
  double inverse_square(int i, int j) const { return entry(1 / (eta_ * eta_), -1, i, j); }

 private:
  ConePoint apply(double scale, double sign, const ConePoint& x) const;
  double entry(double scale, double sign, int i, int j) const;

  double eta_ = 1;
  ConePoint w_ = {1, 0, 0};  ///< determinant 1
};

}  // namespace backlash
