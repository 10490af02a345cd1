// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/hysteresis.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/bisection.h"
#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// (x − ln(1 + x))/x², also where x is small: 1/2 − x/3 + x²/4 − …
double psi(double x) {
  if (std::abs(x) > 0.1) return (x - std::log1p(x)) / (x * x);
  double sum = 0;
  for (int k = 20; k >= 2; --k) sum = 1.0 / k - x * sum;
  return sum;
}

void require_restitution(double e) {
  if (!(e > 0 && e <= 1))
    throw InputError(fmt::format("restitution must lie in (0, 1] -, is {}", e));
}

}  // namespace

double delivered_restitution(double a) {
  require_not_negative(a, "hysteresis", "-");
  if (a == 0) return 1;
  // G(−e) = G(1) in d = a e, which lies below both a and 1.
  const auto excess = [&](double d) { return d * d * psi(-d) - a * a * psi(a); };
  return bisect(excess, 0, std::min(a, 1.0)) / a;
}

double calibrated_hysteresis(double e) {
  require_restitution(e);
  if (e == 1) return 0;
  const auto shortfall = [&](double a) { return psi(a) - e * e * psi(-e * a); };
  return bisect(shortfall, 0, 1 / e);
}

const HysteresisRule* find_hysteresis_rule(std::string_view name) {
  for (const HysteresisRule& rule : hysteresis_rules)
    if (rule.name == name) return &rule;
  return nullptr;
}

double hysteresis_of(const HysteresisRule& rule, double e, std::string_view item) {
  const bool inside = rule.lowest <= e && e <= 1 && (rule.lowest_included || e > rule.lowest);
  const double a = inside ? rule.hysteresis(e) : 0;
  if (inside && std::isfinite(a)) return a;
  if (rule.lowest == 1)
    throw InputError(
        fmt::format("{}: restitution must be 1 with the law {}, which loses nothing, is {}", item,
                    rule.name, e));
  throw InputError(fmt::format("{}: restitution must lie in {}{}, 1] - with the law {}, is {}",
                               item, rule.lowest_included ? '[' : '(', rule.lowest, rule.name, e));
}

KelvinVoigt anagnostopoulos(double restitution, double stiffness, double mass) {
  require_restitution(restitution);
  require_positive(stiffness, "stiffness", "N/m");
  require_positive(mass, "mass", "kg");
  const double loss = -std::log(restitution);
  const double ratio = loss / std::hypot(std::numbers::pi, loss);  // ζ
  return {.stiffness = stiffness, .damping = 2 * ratio * std::sqrt(stiffness * mass)};
}

}  // namespace backlash
