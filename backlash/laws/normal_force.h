// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <variant>

#include "backlash/base/expression.h"

/// Normal forces of compliant contact: functions of the depth δ > 0 of the overlap, its rate δ̇
/// (> 0 while it deepens) and the rate δ̇⁻ > 0 at which the contact began (theory 9.1).
namespace backlash {

/// F = K δⁿ (1 + a δ̇/δ̇⁻): Hertz' force with hysteresis (theory 9.2).
struct HystereticForce {
  double stiffness = 0;   ///< K > 0 [N/mⁿ]
  double exponent = 1.5;  ///< n ≥ 1; 3/2 is Hertz'
  double hysteresis = 0;  ///< a ≥ 0
};

/// F = K δ + c δ̇: a spring beside a damper (theory 9.10). It jumps to c δ̇⁻ at entry.
struct KelvinVoigt {
  double stiffness = 0;  ///< K > 0 [N/m]
  double damping = 0;    ///< c ≥ 0 [N s/m]
};

/// F = K δᵉ + c δ̇ STEP(δ, 0, 0, d, 1): the function IMPACT of ADAMS (theory 9.13).
struct AdamsImpact {
  double stiffness = 0;   ///< K > 0 [N/mᵉ]
  double exponent = 1.5;  ///< e ≥ 1
  double damping = 0;     ///< c ≥ 0 [N s/m]: what it grows to
  double depth = 0;       ///< d > 0 [m]: where it is reached
};

/// F as the user's formula of δ, δ̇ and δ̇⁻ says.
struct ForceFormula {
  Expression force{};  ///< of force_variables, in this order [N]
};
inline constexpr std::array<std::string_view, 3> force_variables = {"delta", "ddelta", "ddelta0"};

/// All normal forces. A new one is added here and in the functions below.
using NormalForce = std::variant<HystereticForce, KelvinVoigt, AdamsImpact, ForceFormula>;

/// δⁿ for δ ≥ 0, quick for the exponents that matter.
inline double depth_power(double depth, double exponent) {
  if (exponent == 1.5) return depth * std::sqrt(depth);
  return exponent == 1 ? depth : std::pow(depth, exponent);
}

/// y0 up to x0, y1 from x1 on, and a cubic with level ends between (theory 9.14).
inline double cubic_step(double x, double x0, double y0, double x1, double y1) {
  const double s = std::clamp((x - x0) / (x1 - x0), 0.0, 1.0);
  return y0 + (y1 - y0) * s * s * (3 - 2 * s);
}

/// The force as the formula gives it, which may pull; for depth > 0.
inline double raw_force(const HystereticForce& f, double depth, double rate, double entry_rate) {
  return f.stiffness * depth_power(depth, f.exponent) * (1 + f.hysteresis * rate / entry_rate);
}
inline double raw_force(const KelvinVoigt& f, double depth, double rate, double) {
  return f.stiffness * depth + f.damping * rate;
}
inline double raw_force(const AdamsImpact& f, double depth, double rate, double) {
  return f.stiffness * depth_power(depth, f.exponent) +
         f.damping * rate * cubic_step(depth, 0, 0, f.depth, 1);
}
inline double raw_force(const ForceFormula& f, double depth, double rate, double entry_rate) {
  const std::array<double, 3> variables = {depth, rate, entry_rate};
  return f.force(variables);
}

/// F(δ, δ̇, δ̇⁻), which pulls where the formula does; 0 for δ ≤ 0 [N].
inline double unclamped_normal_force(const NormalForce& force, double depth, double rate,
                                     double entry_rate) {
  if (!(depth > 0)) return 0;
  if (const auto* f = std::get_if<HystereticForce>(&force))
    return raw_force(*f, depth, rate, entry_rate);
  return std::visit([&](const auto& f) { return raw_force(f, depth, rate, entry_rate); }, force);
}

/// The force that acts, max(0, F) (theory 9.1) [N].
inline double normal_force(const NormalForce& force, double depth, double rate, double entry_rate) {
  return std::max(0.0, unclamped_normal_force(force, depth, rate, entry_rate));
}

/// Positive where F pushes, negative where it would pull and is clamped, and smooth between: for a
/// root finder. Unlike F it does not vanish with the depth: 1 + a δ̇/δ̇⁻ for hysteretic forces [–],
/// F for all others [N].
double clamp_margin(const NormalForce& force, double depth, double rate, double entry_rate);

/// The depth inside of the contact where F is not smooth: the end of IMPACT's STEP [m].
std::optional<double> kink_depth(const NormalForce& force);

/// ∫F dδ at rest from 0 to the depth: what the elastic part stores [J]. Of a formula: of
/// F(δ, 0, 1), exactly for sums of powers of √δ up to δ⁶.
double elastic_energy(const NormalForce& force, double depth);

/// Throw InputError unless the numbers make sense; `item` names the contact in the message.
void validate(const NormalForce& force, std::string_view item);

}  // namespace backlash
