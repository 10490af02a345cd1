// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  double friction = 0;                ///< μ ≥ 0
  ImpactLaw impact = ImpactLaw::newton;
};

/// Throw InputError unless the numbers make sense; `item` names the contact in the message.
void validate(const ContactLaw& law, std::string_view item);

}  // namespace backlash
