// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/results/run_results.h"

namespace backlash {

enum class MotionKind { positions, positions_and_velocities };

/// Channels that show how the bodies move: `.x .y .angle`, and `.vx .vy .omega`; in space without
/// orientations.
std::vector<std::string> body_channels(const Results& results, MotionKind kind);

/// Those of them that move at all.
std::vector<std::string> motion_channels(const Results& results, MotionKind kind);

}  // namespace backlash
