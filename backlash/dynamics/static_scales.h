// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// By how much each velocity coordinate may move more than others on the way to an equilibrium:
/// for lengths the model's length [m]; for angles 1 [rad], or what couplings make of the others'
/// scales (theory 6.23). Couplings are rows of joints and rigid contacts that do not change with
/// the positions.
Vector static_scales(const System& system, const State& start);

}  // namespace backlash
