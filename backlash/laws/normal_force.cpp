// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/normal_force.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

double margin(const HystereticForce& f, double, double rate, double entry_rate) {
  return 1 + f.hysteresis * rate / entry_rate;
}
template <class Force>
double margin(const Force& f, double depth, double rate, double entry_rate) {
  return raw_force(f, std::max(0.0, depth), rate, entry_rate);
}

/// K δⁿ⁺¹/(n+1).
double power_energy(double stiffness, double exponent, double depth) {
  return stiffness * depth_power(depth, exponent) * depth / (exponent + 1);
}

double energy(const HystereticForce& f, double depth) {
  return power_energy(f.stiffness, f.exponent, depth);
}
double energy(const KelvinVoigt& f, double depth) { return power_energy(f.stiffness, 1, depth); }
double energy(const AdamsImpact& f, double depth) {
  return power_energy(f.stiffness, f.exponent, depth);
}

/// Gauss' rule of seven points in s = √(x/δ), where powers of √x are polynomials.
double energy(const ForceFormula& f, double depth) {
  constexpr std::array<double, 4> nodes = {0, 0.405845151377397167, 0.741531185599394440,
                                           0.949107912342758525};
  constexpr std::array<double, 4> weights = {0.417959183673469388, 0.381830050505118945,
                                             0.279705391489276668, 0.129484966168869693};
  const auto integrand = [&](double node) {
    const double s = (1 + node) / 2;
    return raw_force(f, depth * s * s, 0, 1) * s * depth;  // half of F dx/ds
  };
  double sum = weights[0] * integrand(0);
  for (std::size_t i = 1; i < nodes.size(); ++i)
    sum += weights[i] * (integrand(nodes[i]) + integrand(-nodes[i]));
  return sum;
}

void require_exponent(double exponent, std::string_view item) {
  require_in_range(exponent, 1, 10, fmt::format("{}: exponent", item), "-");
}

void require_numbers(const HystereticForce& f, std::string_view item) {
  require_exponent(f.exponent, item);
  require_positive(f.stiffness, fmt::format("{}: stiffness", item),
                   fmt::format("N/m^{}", f.exponent));
  require_not_negative(f.hysteresis, fmt::format("{}: hysteresis", item), "-");
}
void require_numbers(const KelvinVoigt& f, std::string_view item) {
  require_positive(f.stiffness, fmt::format("{}: stiffness", item), "N/m");
  require_not_negative(f.damping, fmt::format("{}: damping", item), "N s/m");
}
void require_numbers(const AdamsImpact& f, std::string_view item) {
  require_exponent(f.exponent, item);
  require_positive(f.stiffness, fmt::format("{}: stiffness", item),
                   fmt::format("N/m^{}", f.exponent));
  require_not_negative(f.damping, fmt::format("{}: damping", item), "N s/m");
  require_positive(f.depth, fmt::format("{}: depth", item), "m");
}
void require_numbers(const ForceFormula& f, std::string_view item) {
  if (f.force.variables() > static_cast<int>(force_variables.size()))
    throw InputError(fmt::format("{}: force must be a formula of {}, {} and {}, is {}", item,
                                 force_variables[0], force_variables[1], force_variables[2],
                                 f.force.text()));
  if (!f.force.uses(0))
    throw InputError(fmt::format("{}: force must depend on {}, the depth [m], is {}", item,
                                 force_variables[0], f.force.text()));
}

}  // namespace

double clamp_margin(const NormalForce& force, double depth, double rate, double entry_rate) {
  return std::visit([&](const auto& f) { return margin(f, depth, rate, entry_rate); }, force);
}

std::optional<double> kink_depth(const NormalForce& force) {
  const auto* impact = std::get_if<AdamsImpact>(&force);
  return impact != nullptr && impact->damping > 0 ? std::optional(impact->depth) : std::nullopt;
}

double elastic_energy(const NormalForce& force, double depth) {
  if (!(depth > 0)) return 0;
  return std::visit([&](const auto& f) { return energy(f, depth); }, force);
}

void validate(const NormalForce& force, std::string_view item) {
  std::visit([&](const auto& f) { require_numbers(f, item); }, force);
}

}  // namespace backlash
