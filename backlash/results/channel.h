// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// One column of the recorded motion.
struct Channel {
  std::string name;
  std::string unit;
};

/// The channels of a System's motion: `t`, positions and velocities, then each body's frame:
/// `.x .y .angle .vx .vy .omega` in the plane, and in space
/// `.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz`.
std::vector<Channel> state_channels(const SystemInfo& info);

/// Their values at a state, appended to `row`.
void append_state_row(const System& system, const Configuration& c, const State& state,
                      std::vector<double>& row);

}  // namespace backlash
