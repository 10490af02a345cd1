// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/contact_law.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

void require_static_friction(double static_friction, double friction, std::string_view item) {
  require_not_negative(static_friction, fmt::format("{}: static", item), "-");
  if (static_friction != 0 && static_friction < friction)
    throw InputError(fmt::format("{}: static must not be below kinetic, {}, is {}", item, friction,
                                 static_friction));
}

void validate(const ContactLaw& law, std::string_view item) {
  require_in_range(law.restitution, 0, 1, fmt::format("{}: restitution", item), "-");
  require_in_range(law.tangential_restitution, 0, 1,
                   fmt::format("{}: tangential restitution", item), "-");
  require_not_negative(law.friction, fmt::format("{}: friction", item), "-");
  require_static_friction(law.static_friction, law.friction, fmt::format("{}: friction", item));
  if (law.impact != ImpactLaw::newton && law.tangential_restitution != 0)
    throw InputError(fmt::format(
        "{}: tangential restitution must be 0 with {} law, is {}; use Newton's law", item,
        law.impact == ImpactLaw::poisson ? "Poisson's" : "Stronge's", law.tangential_restitution));
}

}  // namespace backlash
