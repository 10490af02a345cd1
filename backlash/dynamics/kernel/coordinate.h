// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "backlash/dynamics/kernel/tree.h"

namespace backlash::planar {

/// All that a moment of a tree's motion is asked for: positions, and where needed velocities and
/// the accelerations while u̇ = 0.
struct Motion {
  const Tree& tree;
  const Vector& cache;
  std::span<const Screw> velocities{};
  std::span<const Screw> accelerations{};

  Placement placement(int body) const { return tree.placement(cache, body); }
  double angle(int body) const { return tree.angle(cache, body); }
  double turning(int body) const {
    return body < 0 ? 0 : velocities[static_cast<std::size_t>(body)].turn;
  }
  Vec2 velocity(int body, const Vec2& p_W) const {
    return tree.velocity_at(cache, velocities, body, p_W);
  }
  Vec2 acceleration(int body, const Vec2& p_W) const {
    return tree.acceleration_at(cache, velocities, accelerations, body, p_W);
  }
};

/// How far body b has turned against body a, or moved along an axis of a, the coordinate of a joint
/// whether the joint is in the tree or closes a loop; or how far a point of b is from one of a.
struct Coordinate {
  enum class Kind { angle, way, distance };
  Kind kind = Kind::angle;
  int a = -1, b = -1;           ///< bodies of the tree; −1: the ground
  Vec2 p_AP = Vec2::Zero();     ///< of a way or distance: where it is counted from, on a [m]
  Vec2 p_BQ = Vec2::Zero();     ///< of a way or distance: the point that moves, on b [m]
  Vec2 axis_A = Vec2::UnitX();  ///< of a way: unit, on a
  double zero = 0;              ///< is subtracted [rad] or [m]
};

double value(const Coordinate& coordinate, const Motion& motion);      ///< [rad] or [m]
double rate(const Coordinate& coordinate, const Motion& motion);       ///< [rad/s] or [m/s]
double rate_bias(const Coordinate& coordinate, const Motion& motion);  ///< its rate while u̇ = 0

/// w += factor × direction of the rate.
void add_direction(const Coordinate& coordinate, const Motion& motion, double factor, VectorRef w);

/// second = ratio × first + constant: gears, rack and pinion.
struct CoupledCoordinates {
  Coordinate first{}, second{};
  double ratio = 1;
  double constant = 0;
};

/// second − ratio × first − constant, in the unit of the second.
double value(const CoupledCoordinates& coupling, const Motion& motion);
double rate(const CoupledCoordinates& coupling, const Motion& motion);
double rate_bias(const CoupledCoordinates& coupling, const Motion& motion);
void add_direction(const CoupledCoordinates& coupling, const Motion& motion, double factor,
                   VectorRef w);

/// A force on a body at a point, and a moment.
struct Load {
  int body = -1;
  Vec2 p_W = Vec2::Zero(), force = Vec2::Zero();  ///< [m], [N]
  double moment = 0;                              ///< [N m]
};

/// What a row does to the bodies: to each one that it pushes, and the opposite to others.
struct Loads {
  std::array<Load, 4> list{};
  std::size_t count = 0;

  void add(const Load& load) { list[count++] = load; }
  std::span<const Load> all() const { return {list.data(), count}; }
};

/// A force or moment along the coordinate, on b with the opposite on a.
void add_loads(const Coordinate& coordinate, const Motion& motion, double strength, Loads& loads);
void add_loads(const CoupledCoordinates& coupling, const Motion& motion, double strength,
               Loads& loads);

/// Adds a load to the forces about the bodies' reference points.
void add_force(const Load& load, const Motion& motion, std::span<Screw> forces);

/// Adds what acts along a coordinate likewise.
void add_force(const Coordinate& coordinate, const Motion& motion, double strength,
               std::span<Screw> forces);

}  // namespace backlash::planar
