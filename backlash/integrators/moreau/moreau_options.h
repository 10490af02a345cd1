// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/option_rows.h"

namespace backlash {

/// The options of the method moreau, in the order in which they are listed.
const OptionRows<MoreauOptions>& moreau_option_rows();

/// From what was chosen. Throws InputError for what makes no sense.
MoreauOptions moreau_options(const Options& chosen);

/// "midpoint", "theta"; "midpoint", "start".
std::string_view name(Scheme scheme);
std::string_view name(ContactScheme scheme);
std::string_view name(ForceVelocity velocity);

}  // namespace backlash
