// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "backlash/laws/friction_force.h"
#include "backlash/laws/normal_force.h"

namespace backlash {

/// A contact that is a force: bodies overlap a little and push each other apart (theory 9). Its
/// members are listed in normal_force.h, hysteresis.h and friction_force.h.
struct CompliantLaw {
  NormalForce normal{};
  FrictionForce friction{};
  double slowest_entry = 1e-4;  ///< least δ̇⁻ [m/s]: slower contacts count as this fast
};

/// δ̇⁻ of a contact that begins at this rate (theory 9.4): what to store at its onset [m/s].
inline double entry_rate(const CompliantLaw& law, double rate_at_onset) {
  return std::max(rate_at_onset, law.slowest_entry);
}

/// Throw InputError unless the numbers make sense; `item` names the contact in the message.
void validate(const CompliantLaw& law, std::string_view item);

}  // namespace backlash
