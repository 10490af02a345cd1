// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/lorentz_cone.h"

#include <algorithm>

namespace backlash {

/// The smallest positive zero of det(x + α dx) = c + 2 b α + a α².
double longest_step(const ConePoint& x, const ConePoint& dx) {
  const double a = dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
  const double b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
  const double c = determinant(x);
  const double discriminant = b * b - a * c;
  double step = 1;
  if (discriminant >= 0) {
    const double q = -b - std::copysign(std::sqrt(discriminant), b);  // the roots are q/a and c/q
    for (const double root : {q / a, c / q})
      if (root > 0) step = std::min(step, root);
  }
  if (dx[0] < 0) step = std::min(step, -x[0] / dx[0]);
  return step;
}

NesterovToddScaling::NesterovToddScaling(const ConePoint& x, const ConePoint& s) {
  const double size_x = std::sqrt(determinant(x)), size_s = std::sqrt(determinant(s));
  const double gamma = std::sqrt((1 + dot(x, s) / (size_x * size_s)) / 2);
  eta_ = std::sqrt(size_s / size_x);
  w_[0] = (s[0] / size_s + x[0] / size_x) / (2 * gamma);
  for (std::size_t i = 1; i < 3; ++i) w_[i] = (s[i] / size_s - x[i] / size_x) / (2 * gamma);
}

/// scale [w_0, w_Tᵀ; w_T, 1 + w_T w_Tᵀ/(1 + w_0)] x, with w_T times the sign.
ConePoint NesterovToddScaling::apply(double scale, double sign, const ConePoint& x) const {
  const double along = sign * (w_[1] * x[1] + w_[2] * x[2]);
  const double tangential = sign * (x[0] + along / (1 + w_[0]));
  return {scale * (w_[0] * x[0] + along), scale * (x[1] + tangential * w_[1]),
          scale * (x[2] + tangential * w_[2])};
}

/// Of scale (2 w wᵀ − J), with w_T times the sign.
double NesterovToddScaling::entry(double scale, double sign, int i, int j) const {
  const double signs = (i == 0) == (j == 0) ? 1 : sign;
  const double J = i != j ? 0 : i == 0 ? 1 : -1;
  return scale *
         (2 * signs * w_[static_cast<std::size_t>(i)] * w_[static_cast<std::size_t>(j)] - J);
}

}  // namespace backlash
