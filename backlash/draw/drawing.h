// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/model/model.h"

namespace backlash {

/// A picture (SVG) of a mechanism at a state: shapes of the bodies, joints, springs and other
/// forces, where contacts would touch, points of the output, and axes with their unit. `system` was
/// assembled from `model`.
std::string mechanism_drawing(const Model& model, const System& system, const State& state);

}  // namespace backlash
