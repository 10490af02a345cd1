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

}  // namespace backlash
