// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "backlash/base/table.h"
#include "backlash/dynamics/elements/formula.h"

/// Applied forces of a planar mechanism. Each adds to the forces on the bodies; conservative ones
/// have an energy, the others a power.
namespace backlash::planar {

/// preload − k x − c q̇ along a coordinate, x = q − rest less the dead band.
struct CoordinateSpring {
  Coordinate coordinate{};
  double stiffness = 0, rest = 0, preload = 0, damping = 0, dead_band = 0;  ///< SI
  bool damped_in_band = true;  ///< whether c acts inside of the dead band, too
};

/// A formula along a coordinate.
struct CoordinateForce {
  Coordinate coordinate{};
  Formula force{};
};

/// command · stall (1 − q̇/no-load speed) along a coordinate.
struct CoordinateMotor {
  Coordinate coordinate{};
  double stall = 0, no_load_speed = 1;
  Formula command{};
};

/// A table over one input, along a coordinate.
struct CoordinateTable {
  Coordinate coordinate{};
  Formula::Input over{};
  TableFunction table;
};

/// A force at a point of a body.
struct BodyForce {
  int body = -1;
  Vec2 p_B = Vec2::Zero();  ///< [m]
  Formula x{}, y{};         ///< [N]
  bool in_body_axes = false;
};

/// Springs and dampers along the axes of a frame F on a, and in angle.
struct BushingForce {
  int a = -1, b = -1;
  Vec2 p_AF = Vec2::Zero(), p_BG = Vec2::Zero();  ///< [m]
  double angle_AF = 0, angle_BG = 0;              ///< [rad]
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();
};

using ForceKind = std::variant<CoordinateSpring, CoordinateForce, CoordinateMotor, CoordinateTable,
                               BodyForce, BushingForce>;

/// Adds the force, on each body about its reference point.
void add(const ForceKind& force, const Motion& motion, double t, std::span<Screw> forces);

double energy(const ForceKind& force, const Motion& motion);           ///< elastic [J]
double power(const ForceKind& force, const Motion& motion, double t);  ///< of the rest [W]

}  // namespace backlash::planar
