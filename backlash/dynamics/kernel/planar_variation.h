// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/dynamics/kernel/coordinate.h"
#include "backlash/dynamics/kernel/motion.h"

/// Exact derivatives of what moves in the plane (theory 12.8): along a direction of the coordinates
/// all bodies move as with a velocity, and every quantity changes with them. What is computed here
/// is linear in that direction; a Jacobian is one direction after the other.
namespace backlash {

/// A direction: changes of the coordinates (one per dof), of the velocities, of time, and of one
/// state variable.
struct Direction {
  const Vector& q;  ///< δq, as velocities: N δ [m, rad]
  const Vector& u;  ///< δu [m/s, rad/s]
  double t = 0;     ///< δt [s]
  int state = -1;   ///< place in the cache of the state variable with δx = 1; −1: none changes
};

/// A motion and its change along a direction.
struct VariedMotion {
  using Vec = PlainVec2;

  Motion<Plane> motion;                         ///< with velocities
  std::span<const Twist<Plane>> shifts{};       ///< of the bodies: δ angle, δ reference point
  std::span<const Twist<Plane>> rate_shifts{};  ///< δ of the velocities about these points
  double time = 0;                              ///< δt
  int state = -1;                               ///< place in the cache of what has δx = 1

  /// δ of a body's angle, and of its point at p_W.
  double turn(int body) const { return body < 0 ? 0 : shifts[at(body)].angular; }
  Vec shift(int body, const Vec& p_W) const {
    return motion.tree.velocity_at(motion.cache, shifts, body, p_W);
  }
  /// δ of a direction that is fixed on a body.
  Vec turned(int body, const Vec& d_W) const { return Plane::cross(turn(body), d_W); }

  /// δ of a body's angular velocity, and of its velocity at p_W while that point moves by dp_W.
  double angular_rate(int body) const { return body < 0 ? 0 : rate_shifts[at(body)].angular; }
  Vec rate(int body, const Vec& p_W, const Vec& dp_W) const;
};

/// Forces on the bodies about their reference points, and their changes.
struct VariedForces {
  std::span<Wrench<Plane>> forces, changes;
};

/// A load with its change; that of the place where it acts included.
struct VariedLoad {
  Load<Plane> load{};
  Load<Plane> change{};  ///< its p_W is δp, its body is not used
};
void add(const VariedLoad& load, const VariedMotion& varied, const VariedForces& sum);

/// A number and its change.
struct Varied {
  double value = 0, change = 0;
};

/// A coordinate, and its rate.
struct VariedCoordinate {
  Varied value{}, rate{};
};
VariedCoordinate vary(const Coordinate<Plane>& coordinate, const VariedMotion& varied);

/// A force along a coordinate, on b with the opposite on a.
void add_force(const Coordinate<Plane>& coordinate, const VariedMotion& varied,
               const Varied& strength, const VariedForces& sum);
void add_force(const CoupledCoordinates<Plane>& coupling, const VariedMotion& varied,
               const Varied& strength, const VariedForces& sum);

/// What a tree at rest or in motion has, in scratch memory, and its change along a direction.
class VariedTree {
 public:
  VariedTree(const Tree<Plane>& tree, const Vector& cache, const Vector& u, Arena& scratch);

  /// Turns to another direction; forces become zero.
  const VariedMotion& turn_to(const Direction& direction);
  const VariedForces& forces() const { return forces_; }

  /// Adds weights and the forces of inertia that the bodies have with u̇ = a (theory 6.5).
  void add_inertia(const PlainVec2& gravity, const Vector& a, const Direction& direction);

  /// dh += change of the generalised forces that these forces amount to.
  void add_generalised_change(VectorRef dh);

 private:
  const BodyKinematics<Plane>& here(int i) const { return bodies_in<Plane>(cache_)[i]; }

  const Tree<Plane>& tree_;
  const Vector& cache_;
  const Vector& u_;
  Arena::Frame frame_;
  std::span<Twist<Plane>> velocities_, shifts_, rate_shifts_, accelerations_, acceleration_shifts_;
  VariedForces forces_;
  VariedMotion varied_;
};

}  // namespace backlash
