// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "backlash/dynamics/kernel/coordinate.h"
#include "backlash/dynamics/system.h"

namespace backlash::planar {

/// Velocities, and if asked accelerations, in scratch memory.
class MovingFrame {
 public:
  enum class Depth { velocities, accelerations };

  MovingFrame(const Tree& tree, const Configuration& c, const Vector& u, Depth depth)
      : frame_(c.scratch), motion_{tree, c.cache} {
    const auto n = static_cast<std::size_t>(tree.size());
    if (depth == Depth::velocities) {
      const std::span<Screw> velocities = frame_.room<Screw>(tree.size());
      tree.write_velocities(c.cache, u, velocities);
      motion_.velocities = velocities;
      return;
    }
    const std::span<Screw> all = frame_.room<Screw>(3 * tree.size());
    tree.write_motion(c.cache, u, all.first(n), all.subspan(n, n));
    motion_.velocities = all.first(n);
    motion_.accelerations = all.subspan(n, n);
    forces_ = all.last(n);
  }

  const Motion& motion() const { return motion_; }
  /// Room for the forces on the bodies; only if accelerations were asked for.
  std::span<Screw> forces() { return forces_; }

 private:
  Arena::Frame frame_;
  Motion motion_;
  std::span<Screw> forces_{};
};

}  // namespace backlash::planar
