// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/step_quadrature.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash {
namespace {

using Index = Eigen::Index;
constexpr std::size_t most = StepQuadrature::most_points;

/// 1/(k+1).
constexpr std::array<double, most> inverse = [] {
  std::array<double, most> result{};
  for (std::size_t k = 0; k < most; ++k) result[k] = 1.0 / static_cast<double>(k + 1);
  return result;
}();

/// ∫_a^b of Newton's polynomials ∏(x − x_j), j < i.
std::array<double, most> newton_integrals(const std::array<double, most>& x, std::size_t n,
                                          double a, double b) {
  std::array<double, most> result{}, polynomial{1};
  for (std::size_t i = 0; i < n; ++i) {
    double upper = 0, lower = 0;  // Horner's rule
    for (std::size_t k = i + 1; k-- > 0;) upper = (upper + polynomial[k] * inverse[k]) * b;
    for (std::size_t k = i + 1; a != 0 && k-- > 0;)
      lower = (lower + polynomial[k] * inverse[k]) * a;
    result[i] = upper - lower;
    if (i + 1 == n) break;
    for (std::size_t k = i + 1; k > 0; --k)
      polynomial[k] = polynomial[k - 1] - x[i] * polynomial[k];
    polynomial[0] *= -x[i];
  }
  return result;
}

}  // namespace

void StepQuadrature::add(double t, const Vector& values) {
  if (values_.rows() < values.size()) {
    const Index was = values_.rows();
    values_.conservativeResize(values.size(), most_points);
    values_.bottomRows(values.size() - was).setZero();
  }
  newest_ = (newest_ + 1) % most_points;
  t_[static_cast<std::size_t>(newest_)] = t;
  values_.col(newest_).head(values.size()) = values;
  points_ = std::min(points_ + 1, most_points);
}

void StepQuadrature::replace_last(const Vector& values, Index first, Index count) {
  values_.middleRows(first, std::clamp<Index>(values_.rows() - first, 0, count)).setZero();
  const double t = t_[static_cast<std::size_t>(newest_)];
  newest_ = (newest_ + most_points - 1) % most_points;
  --points_;
  add(t, values);
}

/// The divided difference f[x_0 … x_i] is Σ f_j / ∏(x_j − x_l) over l ≤ i, l ≠ j, and what it
/// weighs in the integral is that of Newton's polynomial. In x the last step is [0, 1].
void StepQuadrature::integrate(double from, double to, int points, Vector& result) const {
  const auto n = static_cast<std::size_t>(std::clamp(points, 1, points_));
  const double start = n > 1 ? time(1) : from, h = n > 1 ? time(0) - start : 1;
  std::array<double, most> x{};
  for (std::size_t j = 0; j < n; ++j) x[j] = (time(j) - start) / h;
  const auto weights = newton_integrals(x, n, (from - start) / h, (to - start) / h);
  result.setZero(values_.rows());
  for (std::size_t j = 0; j < n; ++j) {
    double product = 1;
    for (std::size_t l = 0; l < j; ++l) product *= x[j] - x[l];
    double weight = weights[j] / product;
    for (std::size_t i = j + 1; i < n; ++i) {
      product *= x[j] - x[i];
      weight += weights[i] / product;
    }
    result += weight * h * values_.col(static_cast<Index>(column(j)));
  }
}

double StepQuadrature::error(int points, Index count) const {
  const auto n = static_cast<std::size_t>(std::clamp(points, 1, points_));
  if (n < 2) return 0;
  const double start = time(1), h = time(0) - start;
  std::array<double, most> x{};
  for (std::size_t j = 0; j < n; ++j) x[j] = (time(j) - start) / h;
  std::array<double, most> share = {};  // of each value in the last divided difference
  for (std::size_t j = 0; j < n; ++j) {
    double product = 1;
    for (std::size_t l = 0; l < n; ++l)
      if (l != j) product *= x[j] - x[l];
    share[j] = 1 / product;
  }
  const double weight = std::abs(newton_integrals(x, n, 0, 1)[n - 1]);
  double change = 0;
  for (Index i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += share[j] * values_(i, static_cast<Index>(column(j)));
    change = std::max(change, std::abs(sum));
  }
  return weight * change;
}

void StepQuadrature::integrate_cut(double from, double to, int points, double t_end,
                                   const Vector& values, Vector& result) {
  double& t = t_[static_cast<std::size_t>(newest_)];
  const double t_behind = std::exchange(t, t_end);
  behind_ = values_.col(newest_);
  values_.col(newest_).head(values.size()) = values;
  integrate(from, to, points, result);
  values_.col(newest_) = behind_;
  t = t_behind;
}

}  // namespace backlash
