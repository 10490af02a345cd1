// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/dynamics/kernel/coordinate.h"

/// One bilateral row of a mechanism: an error that must be zero, its rate and its bias.
namespace backlash {

/// Points P of a and Q of b coincide along one of the world's axes.
template <class S>
struct CoincidentPoints {
  int a = -1, b = -1;
  typename S::Vec p_AP = S::Vec::Zero(), p_BQ = S::Vec::Zero();  ///< [m]
  typename S::Vec direction_W = S::Vec::UnitX();
};

/// A direction of a and one of b stay perpendicular. The error is their cosine, about the angle
/// that is missing [rad].
template <class S>
struct PerpendicularDirections {
  int a = -1, b = -1;
  typename S::Vec d_A = S::Vec::UnitX(), d_B = S::Vec::UnitY();  ///< unit
};

/// A coordinate keeps a value: B's angle against A, or no displacement across the axis of a guide.
template <class S>
struct KeptCoordinate {
  Coordinate<S> coordinate{};
};

/// A coordinate follows a function of time.
template <class S>
struct DrivenCoordinate {
  Coordinate<S> coordinate{};
  Expression position{};  ///< of t [s]
};

/// Whether the second derivative of a function of time changes all at once between two times, as
/// far as its values at the quarters tell.
bool acceleration_jumps(const Expression& position, double from, double to);

template <class S>
using ConstraintKind = std::variant<CoincidentPoints<S>, KeptCoordinate<S>, CoupledCoordinates<S>,
                                    DrivenCoordinate<S>, PerpendicularDirections<S>>;

template <class S>
struct Constraint {
  std::string name{};  ///< "pin.x"
  std::string joint{};
  double length = 1;  ///< [m] where the error is an angle, 1 else
  ConstraintKind<S> kind{};
  int owner = -1;     ///< the joint, as an index into Parts::joints
  bool idle = false;  ///< moves nothing in any configuration: the rest of the model fulfils it
  int item = -1;      ///< index into SystemInfo::switches; −1: it always holds

  /// Behind the switch of an item stands where it was turned on: its error is counted from there.
  bool holds(const Vector& switches) const { return !idle && (item < 0 || switches[item] != 0); }
  double origin(const Vector& switches) const { return item < 0 ? 0 : switches[item + 1]; }
};

template <class S>
double error(const Constraint<S>& constraint, const Motion<S>& motion, double t);  ///< [m] or [rad]

/// w += direction of the error's rate; returns the part of the rate that time alone makes.
template <class S>
double add_row(const Constraint<S>& constraint, const Motion<S>& motion, double t, VectorRef w);

/// What the row does to the bodies with the multiplier `force` [N] or [N m].
template <class S>
Loads<S> loads(const Constraint<S>& constraint, const Motion<S>& motion, double force);

/// Rate of the error's rate while u̇ = 0.
template <class S>
double bias(const Constraint<S>& constraint, const Motion<S>& motion, double t);

}  // namespace backlash
