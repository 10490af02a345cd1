// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/model/model.h"

namespace backlash {

/// "start" or "midpoint"; else throws InputError naming `item`.
ForceVelocity parse_force_velocity(const std::string& text, const std::string& item);

/// What a model says of the method. Throws InputError for a method or scheme that does not exist.
/// The name of the solver is that of `simulation`, which must live as long.
MoreauOptions moreau_options(const SimulationOptions& simulation);

/// "midpoint", "theta"; "midpoint", "start".
std::string_view name(Scheme scheme);
std::string_view name(ForceVelocity velocity);

}  // namespace backlash
