// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <variant>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/model/model.h"

namespace backlash {

/// All methods, as what is chosen of each.
using Method = std::variant<MoreauOptions, CompliantOptions>;

inline constexpr std::array method_names{"moreau", "compliant"};

/// What a model says of the method. Throws InputError for a method that does not exist. The name of
/// the solver is that of `simulation`, which must live as long.
Method method_of(const SimulationOptions& simulation, const SystemInfo& info);

/// The same for the method compliant. Absolute tolerances that are not given follow from the
/// relative one: a hundredth of it × the model's length for positions, a hundredth for angles, and
/// the whole per second for velocities.
CompliantOptions compliant_options(const SimulationOptions& simulation, const SystemInfo& info);

}  // namespace backlash
