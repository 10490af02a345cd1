// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "backlash/dynamics/planar/coordinate.h"
#include "backlash/dynamics/system.h"

namespace backlash::planar {

/// Velocities, and if asked accelerations, in scratch memory.
class MovingFrame {
 public:
  enum class Depth { velocities, accelerations };

  MovingFrame(const Tree& tree, const Configuration& c, const Vector& u, Depth depth)
      : frame_(c.scratch), motion_{tree, c.cache} {
    const std::span<Screw> velocities = frame_.list<Screw>(tree.size());
    motion_.velocities = velocities;
    if (depth == Depth::velocities) {
      tree.write_velocities(c.cache, u, velocities);
      return;
    }
    const std::span<Screw> accelerations = frame_.list<Screw>(tree.size());
    tree.write_motion(c.cache, u, velocities, accelerations);
    motion_.accelerations = accelerations;
  }

  const Motion& motion() const { return motion_; }
  std::span<Screw> no_forces() {
    const std::span<Screw> forces = frame_.list<Screw>(motion_.tree.size());
    std::fill(forces.begin(), forces.end(), Screw{});
    return forces;
  }

 private:
  Arena::Frame frame_;
  Motion motion_;
};

}  // namespace backlash::planar
