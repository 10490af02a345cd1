// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace backlash {

/// How the impulse of an impact follows from the approach (theory 3.5, 3.6 and 3.10).
enum class ImpactLaw {
  newton,   ///< ξ_N = γ_N⁺ + ε γ_N⁻: a velocity is returned
  poisson,  ///< Λ_N = Λ_C + ε Λ_C: an impulse is returned
  stronge,  ///< ε² of the work of compression is returned: never more energy than there was
};

/// What a user says of a pair that may touch. Nothing combines silently: a pair has one law.
struct ContactLaw {
  double restitution = 0;             ///< ε_N in [0, 1]
  double tangential_restitution = 0;  ///< ε_T in [0, 1]; Newton's law alone
  double friction = 0;                ///< μ ≥ 0, of sliding
  ImpactLaw impact = ImpactLaw::newton;
  double static_friction = 0;  ///< μ while the contact sticks, if larger (theory 3.13)
};

/// μ of a contact that sticks.
inline double holding_friction(const ContactLaw& law) {
  return std::max(law.friction, law.static_friction);
}

/// Whether it holds by more than it rubs.
inline bool has_static_friction(const ContactLaw& law) {
  return law.static_friction > law.friction;
}

/// Throw InputError unless it is 0, none, or at least the friction of sliding.
void require_static_friction(double static_friction, double friction, std::string_view item);

/// Throw InputError unless the numbers make sense; `item` names the contact in the message.
void validate(const ContactLaw& law, std::string_view item);

}  // namespace backlash
