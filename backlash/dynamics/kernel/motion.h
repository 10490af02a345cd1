// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "backlash/dynamics/kernel/tree.h"

namespace backlash {

/// How a tree moves at a time: positions, and where needed velocities and the accelerations while
/// u̇ = 0.
template <class S>
struct Motion {
  using Vec = typename S::Vec;
  using Angular = typename S::Angular;

  const Tree<S>& tree;
  const Vector& cache;
  std::span<const Twist<S>> velocities{};
  std::span<const Twist<S>> accelerations{};

  typename S::Pose pose(int body) const { return tree.pose(cache, body); }
  typename S::Rotation rotation(int body) const { return tree.rotation(cache, body); }
  Angular angular_velocity(int body) const {
    return body < 0 ? S::no_rotation() : velocities[static_cast<std::size_t>(body)].angular;
  }
  Angular angular_acceleration(int body) const {
    return body < 0 ? S::no_rotation() : accelerations[static_cast<std::size_t>(body)].angular;
  }
  Vec velocity(int body, const Vec& p_W) const {
    return tree.velocity_at(cache, velocities, body, p_W);
  }
  Vec acceleration(int body, const Vec& p_W) const {
    return tree.acceleration_at(cache, velocities, accelerations, body, p_W);
  }
};

/// A force on a body at a point, and a moment.
template <class S>
struct Load {
  int body = -1;
  typename S::Vec p_W = S::Vec::Zero(), force = S::Vec::Zero();  ///< [m], [N]
  typename S::Angular moment = S::no_rotation();                 ///< [N m]
};

/// What a row does to the bodies: to each one that it pushes, and the opposite to others.
template <class S>
struct Loads {
  std::array<Load<S>, 4> list{};
  std::size_t count = 0;

  void add(const Load<S>& load) { list[count++] = load; }
  std::span<const Load<S>> all() const { return {list.data(), count}; }
};

/// Adds a load to the forces about the bodies' reference points.
template <class S>
void add_force(const Load<S>& load, const Motion<S>& motion, std::span<Wrench<S>> forces) {
  if (load.body < 0) return;
  const typename S::Vec arm = load.p_W - motion.tree.reference(motion.cache, load.body);
  add_shifted<S>({load.moment, load.force}, arm, forces[static_cast<std::size_t>(load.body)]);
}

}  // namespace backlash
