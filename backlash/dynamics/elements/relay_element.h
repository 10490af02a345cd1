// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/dynamics/kernel/coordinate.h"

namespace backlash {

/// A force of given strength along a coordinate; its law is in the SystemInfo.
template <class S>
struct CoordinateRelay {
  Coordinate<S> coordinate{};
  double strength = 0;  ///< [N] or [N m]
  double sign = 1;      ///< of a clutch: +1 if the coordinate may grow
  double edge = 0;      ///< of a preload: the coordinate where it changes its direction
  double rest = 0;      ///< of a preload: the coordinate where its energy is zero
  double radius = 0;    ///< of a pin whose load makes friction [m]
  double length = 0;    ///< of such a guide; 0: a pin in a slot, which carries no moment [m]
};

/// Beyond its edge, of a preload [m] or [rad].
template <class S>
double displacement(const CoordinateRelay<S>& relay, const Motion<S>& motion) {
  return value(relay.coordinate, motion) - relay.edge;
}

/// Of a preload [J] (theory 3.9).
template <class S>
double preload_energy(const CoordinateRelay<S>& relay, const Motion<S>& motion) {
  const double at_rest = std::abs(relay.rest - relay.edge);
  return relay.strength * (std::abs(displacement(relay, motion)) - at_rest);
}

/// What presses the faces of its joint together, from the joint's reaction on B about Q: the force
/// across a pin, times its radius; those at both ends of a guide (theory 6.19) [N m] or [N].
template <class S>
double load(const CoordinateRelay<S>& relay, const Wrench<S>& reaction, const Motion<S>& motion) {
  using Vec = typename S::Vec;
  const Coordinate<S>& along = relay.coordinate;
  Vec across = reaction.linear;
  if (along.kind == Coordinate<S>::Kind::angle) {
    if constexpr (S::dimension == 3) {
      const Vec axis = motion.pose(along.a).direction(along.measure.axis_A);
      across = across - axis.dot(across) * axis;
    }
    return relay.radius * across.norm();
  }
  const Vec axis = motion.pose(along.a).direction(along.axis_A);
  across = across - axis.dot(across) * axis;
  if (relay.length == 0) return across.norm();
  const Vec half = 0.5 * across, couple = (1 / relay.length) * S::cross(reaction.angular, axis);
  return Vec(half + couple).norm() + Vec(half - couple).norm();
}

}  // namespace backlash
