// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/convergence.h"

#include <algorithm>

namespace backlash {
namespace {

/// Orders that count as falling; methods here have 1 or 2, and a square root is the least seen.
constexpr double least_order = 0.4;
/// Rounding in thousands of steps, as a part of the scale.
constexpr double rounding = 1e-11;
constexpr double regular_safety = 1.25, irregular_safety = 3;  // Roache's factors

std::vector<double> differences(std::span<const double> values) {
  std::vector<double> d;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) d.push_back(values[k + 1] - values[k]);
  return d;
}

/// Order by which the last difference fell (theory 13.5).
double last_order(std::span<const double> d, double ratio) {
  const std::size_t n = d.size();
  return std::log(std::abs(d[n - 2] / d[n - 1])) / std::log(ratio);
}

/// Slope of log |d| over log h, by least squares, of the last few differences that are not rounding
/// (theory 13.6).
double fitted_order(std::span<const double> d, const ConvergenceOptions& options) {
  constexpr std::size_t most = 6;
  std::vector<double> x, y;
  for (std::size_t k = d.size() > most ? d.size() - most : 0; k < d.size(); ++k) {
    if (std::abs(d[k]) <= rounding * options.scale) continue;
    x.push_back(-static_cast<double>(k) * std::log(options.ratio));
    y.push_back(std::log(std::abs(d[k])));
  }
  if (x.size() < 2) return NAN;
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / xx;
}

/// The last three differences have one sign and fall by nearly one factor.
bool is_regular(std::span<const double> d, double ratio) {
  const std::size_t n = d.size();
  if (n < 3) return false;
  const double p = last_order(d, ratio), before = last_order(d.first(n - 1), ratio);
  const bool one_sign = d[n - 1] * d[n - 2] > 0 && d[n - 2] * d[n - 3] > 0;
  return one_sign && p > least_order && std::abs(p - before) < 0.25 * p;
}

/// By which factor of the last difference the limit is farther away (theory 13.7).
double remainder_factor(double order, double ratio) { return 1 / (std::pow(ratio, order) - 1); }

/// Theory 12.7 and 12.8: Richardson's extrapolation, whose own error is less than what it changed
/// by when the last value was added.
void extrapolate(std::span<const double> values, std::span<const double> d, double ratio,
                 ConvergenceEstimate& e) {
  const std::size_t n = d.size();
  e.order = last_order(d, ratio);
  const double factor = remainder_factor(e.order, ratio);
  const double factor_before = remainder_factor(last_order(d.first(n - 1), ratio), ratio);
  const double before = values[n - 1] + d[n - 2] * factor_before;
  e.limit = e.value + d[n - 1] * factor;
  e.error = regular_safety * std::abs(e.limit - e.value);
  e.limit_error = std::max(regular_safety * std::abs(e.limit - before) / std::pow(ratio, e.order),
                           1e-15 * std::abs(e.limit));
}

/// Bounds by the largest of the last three differences, each taken down to the last h by the order.
double irregular_error(std::span<const double> d, double order, double ratio) {
  const double p = std::clamp(order, 0.5, 1.0);
  double largest = 0;
  for (std::size_t k = d.size() > 3 ? d.size() - 3 : 0; k < d.size(); ++k)
    largest = std::max(
        largest, std::abs(d[k]) * std::pow(ratio, -p * static_cast<double>(d.size() - 1 - k)));
  return irregular_safety * largest * remainder_factor(p, ratio);
}

double largest_of(std::span<const double> d) {
  double largest = 0;
  for (const double value : d) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

std::string_view name(Convergence convergence) {
  switch (convergence) {
    case Convergence::exact:
      return "exact";
    case Convergence::regular:
      return "regular";
    case Convergence::irregular:
      return "irregular";
    case Convergence::settled:
      return "settled";
    case Convergence::undecided:
      return "undecided";
    default:
      return "none";
  }
}

ConvergenceEstimate estimate_limit(std::span<const double> values,
                                   const ConvergenceOptions& options) {
  ConvergenceEstimate e;
  if (values.empty()) return e;
  e.value = e.limit = values.back();
  const std::vector<double> d = differences(values);
  const std::size_t n = d.size();
  if (n < 2) return e;
  const std::span<const double> last = std::span(d).last(std::min<std::size_t>(n, 3));
  if (largest_of(last) <= rounding * options.scale) {
    e.verdict = Convergence::exact;
    e.error = e.limit_error = std::max(largest_of(last), 1e-15 * std::abs(e.value));
    return e;
  }
  if (is_regular(d, options.ratio)) {
    e.verdict = Convergence::regular;
    extrapolate(values, d, options.ratio, e);
    return e;
  }
  const double order = fitted_order(d, options);
  const bool fell = largest_of(last) < 0.7 * largest_of(d) || n <= 3;
  e.error = e.limit_error = irregular_error(d, order, options.ratio);
  if (n >= 4 && order >= least_order && fell) {
    e.verdict = Convergence::irregular;
    e.order = order;
    return e;
  }
  e.error = e.limit_error = irregular_safety * largest_of(last);
  if (n >= 3 && largest_of(last) <= options.tolerance * options.scale)
    e.verdict = Convergence::settled;
  else if (n >= 4)
    e.verdict = order >= least_order ? Convergence::undecided : Convergence::none;
  return e;
}

double suggested_step(const ConvergenceEstimate& estimate, double h, double allowed,
                      double largest) {
  if (estimate.verdict == Convergence::exact) return largest;
  if (!estimate.converges() || !(estimate.error > 0)) return NAN;
  const double order = std::isnan(estimate.order) ? 1 : std::clamp(estimate.order, 0.5, 4.0);
  return std::min(largest, h * std::pow(allowed / estimate.error, 1 / order));
}

double rounded_down(double step) {
  const double decade = std::pow(10, std::floor(std::log10(step) + 1e-9));
  const double share = step / decade * (1 + 1e-9);
  return decade * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

}  // namespace backlash
