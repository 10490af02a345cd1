// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// The item of the model whose formula is not finite in a step of a length from a state, as far as
/// its velocity tells where the middle and the end of the step are.
std::optional<Origin> find_not_finite_in_step(const System& system, const Memory& memory,
                                              const State& state, double step);

}  // namespace backlash
