// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/dynamics/kernel/coordinate.h"

namespace backlash::planar {

/// A force of given strength along a coordinate; its law is in the SystemInfo.
struct CoordinateRelay {
  Coordinate coordinate{};
  double strength = 0;  ///< [N] or [N m]
  double sign = 1;      ///< of a clutch: +1 if the coordinate may grow
  double edge = 0;      ///< of a preload: the coordinate where it changes its direction
  double rest = 0;      ///< of a preload: the coordinate where its energy is zero
};

/// Beyond its edge, of a preload [m] or [rad].
inline double displacement(const CoordinateRelay& relay, const Motion& motion) {
  return value(relay.coordinate, motion) - relay.edge;
}

/// Of a preload [J] (theory 3.9).
inline double preload_energy(const CoordinateRelay& relay, const Motion& motion) {
  const double at_rest = std::abs(relay.rest - relay.edge);
  return relay.strength * (std::abs(displacement(relay, motion)) - at_rest);
}

}  // namespace backlash::planar
