// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/dynamics/kernel/coordinate.h"

/// One bilateral row of a planar mechanism: an error that must be zero, its rate and its bias.
namespace backlash::planar {

/// Points P of a and Q of b coincide along one of the world's axes.
struct CoincidentPoints {
  int a = -1, b = -1;
  Vec2 p_AP = Vec2::Zero(), p_BQ = Vec2::Zero();  ///< [m]
  Vec2 direction_W = Vec2::UnitX();
};

/// A coordinate keeps a value: B's angle against A, or no way across the axis of a guide.
struct KeptCoordinate {
  Coordinate coordinate{};
};

/// A coordinate follows a function of time.
struct DrivenCoordinate {
  Coordinate coordinate{};
  Expression position{};  ///< of t [s]
};

using ConstraintKind =
    std::variant<CoincidentPoints, KeptCoordinate, CoupledCoordinates, DrivenCoordinate>;

struct Constraint {
  std::string name{};  ///< "pin.x"
  std::string joint{};
  double length = 1;  ///< [m] where the error is an angle, 1 else
  ConstraintKind kind{};
  int owner = -1;  ///< the joint, as an index into Parts::joints
};

double error(const Constraint& constraint, const Motion& motion, double t);  ///< [m] or [rad]

/// w += direction of the error's rate; returns the part of the rate that time alone makes.
double add_row(const Constraint& constraint, const Motion& motion, double t, VectorRef w);

/// What the row does to the bodies with the multiplier `force` [N] or [N m].
Loads loads(const Constraint& constraint, const Motion& motion, double force);

/// Rate of the error's rate while u̇ = 0.
double bias(const Constraint& constraint, const Motion& motion, double t);

}  // namespace backlash::planar
