// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/kernel/motion.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// Velocities, and if asked accelerations, in scratch memory.
template <class S>
class MovingFrame {
 public:
  enum class Depth { velocities, accelerations };

  MovingFrame(const Tree<S>& tree, const Configuration& c, const Vector& u, Depth depth)
      : frame_(c.scratch), motion_{tree, c.cache} {
    const std::span<Twist<S>> velocities = frame_.room<Twist<S>>(tree.size());
    motion_.velocities = velocities;
    if (depth == Depth::velocities) {
      tree.write_velocities(c.cache, u, velocities);
      return;
    }
    const std::span<Twist<S>> accelerations = frame_.room<Twist<S>>(tree.size());
    tree.write_motion(c.cache, u, velocities, accelerations);
    motion_.accelerations = accelerations;
  }

  const Motion<S>& motion() const { return motion_; }

 private:
  Arena::Frame frame_;
  Motion<S> motion_;
};

}  // namespace backlash
