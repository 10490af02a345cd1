// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/model/output_quantity.h"

namespace backlash {

/// One column of the recorded motion.
struct Channel {
  std::string name;
  std::string unit;
  bool may_be_undefined = false;  ///< in some rows, whose value is then NaN: of a formula
  bool unit_is_open = false;      ///< numbers without unit, which take part in it, may have any
};

/// A point of a body whose motion is recorded.
struct RecordedPoint {
  std::string name;
  int body = -1;            ///< index into SystemInfo::bodies; −1: the ground
  Vec3 p_B = Vec3::Zero();  ///< in the body's frame [m]
};

/// What to keep of a run.
struct RecorderOptions {
  double every = 0;     ///< time between two rows [s], in a step or at its end; 0: after every step
  bool steps = false;   ///< whether every step gets a row of its own
  bool energy = false;  ///< whether states have the energies of the ledger
  /// Points of bodies; their acceleration is the mean one of the last step [m/s²], zero at the
  /// start.
  std::vector<RecordedPoint> points{};
  std::vector<OutputQuantity> quantities{};  ///< formulas of the other channels
};

/// The channels of a System's motion: `t`, positions and velocities, then each body's frame:
/// `.x .y .angle .vx .vy .omega` in the plane, and in space
/// `.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz`; then of each point `.x .y`, `.vx .vy` and
/// `.ax .ay` (and `.z`, …); then the System's own outputs, the energies, and the quantities of the
/// model, whose names are checked.
std::vector<Channel> state_channels(const SystemInfo& info, const RecorderOptions& recorded = {});

/// Energies at a time, appended to `row`: where the energy is, and what was done on the mechanism
/// since `start` (theory 4.7).
void append_energies(const EnergyLedger& start, const EnergyLedger& now, std::vector<double>& row);

/// Position and velocity of a point, in the world.
struct PointMotion {
  Vec3 p_W = Vec3::Zero();  ///< [m]
  Vec3 v_W = Vec3::Zero();  ///< [m/s]
};
/// That of a point of one of these bodies, in 2 or 3 dimensions.
PointMotion point_motion(std::span<const BodyMotion> bodies, int dimensions,
                         const RecordedPoint& point);

/// Their values at a state but for the points and outputs, appended to `row`: coordinates, and how
/// the bodies move, in 2 or 3 dimensions.
void append_state_row(const State& state, std::span<const BodyMotion> bodies, int dimensions,
                      std::vector<double>& row);

}  // namespace backlash
