// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"
#include "backlash/geometry/placement.h"

/// A tree of rigid bodies in the plane, in the coordinates of its joints (theory 6): positions,
/// velocities, forces and M⁻¹ in a time proportional to the number of bodies.
namespace backlash::planar {

enum class TreeJointKind {
  revolute,   ///< q: angle of the body relative to its parent [rad]
  prismatic,  ///< q: way of the joint's point along the axis of the parent [m]
  free,  ///< q: x, y of the joint's point in the parent's axes [m], and the relative angle [rad]
  fixed  ///< no coordinate
};

/// A body and the joint that carries it.
struct TreeBody {
  int parent = -1;  ///< index of a body further up; −1: the ground
  TreeJointKind kind = TreeJointKind::free;
  Vec2 p_PJ = Vec2::Zero();     ///< joint's point on the parent, in the parent's frame [m]
  Vec2 p_BJ = Vec2::Zero();     ///< joint's point on this body, in its frame [m]
  Vec2 axis_P = Vec2::UnitX();  ///< unit axis of a prismatic joint, in the parent's frame
  double angle = 0;             ///< of the body relative to its parent where q = 0 [rad]
  double sense = 1;             ///< of a revolute joint: −1 if q counts clockwise
  double mass = 0;              ///< [kg]
  double inertia = 0;           ///< about the centre of mass [kg m²]
  Vec2 p_BC = Vec2::Zero();     ///< centre of mass, in the body's frame [m]
};

/// A vector of plane mechanics: of velocities (turning, and moving at a reference point) or of
/// forces (moment about that point, and force).
struct Screw {
  double turn = 0;      ///< [rad/s] or [N m]
  double x = 0, y = 0;  ///< [m/s] or [N]
};

/// Bodies that follow each other in a tree.
struct BodyRange {
  int first = 0, end = 0;  ///< without `end` itself
};

class Tree {
 public:
  /// Parents must come before their children.
  explicit Tree(std::vector<TreeBody> bodies);

  int size() const { return size_; }
  int dofs() const { return first_.back(); }
  Eigen::Index cache_size() const { return stride_ * size(); }
  const TreeBody& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  int first_dof(int i) const { return first_[static_cast<std::size_t>(i)]; }
  int joint_dofs(int i) const { return first_dof(i + 1) - first_dof(i); }
  /// Whether the coordinate is an angle.
  bool turns(int dof) const { return dofs_[static_cast<std::size_t>(dof)].sense != 0; }

  /// Positions of all bodies into the cache.
  void configure(const Vector& q, Vector& cache) const;

  Placement placement(const Vector& cache, int body) const {  ///< also of the ground, −1
    if (body < 0) return {};
    const double* place = cache.data() + stride_ * body;
    return {place[0], place[1], place[2], place[3]};
  }
  double angle(const Vector& cache, int body) const;    ///< [rad]
  Vec2 reference(const Vector& cache, int body) const;  ///< the joint's point on it, in the world

  /// Velocities about the bodies' reference points, one a body.
  void write_velocities(const Vector& cache, const Vector& u, std::span<Screw> velocities) const;

  /// Velocity of that point of a body (or the ground) which is at p_W.
  Vec2 velocity_at(const Vector& cache, std::span<const Screw> velocities, int body,
                   const Vec2& p_W) const;

  /// Velocities, and the accelerations that the bodies have at their reference points while u̇ = 0
  /// (theory 6.2).
  void write_motion(const Vector& cache, const Vector& u, std::span<Screw> velocities,
                    std::span<Screw> accelerations) const;

  /// Acceleration of that point of a body (or the ground) which is at p_W, while u̇ = 0.
  Vec2 acceleration_at(const Vector& cache, std::span<const Screw> velocities,
                       std::span<const Screw> accelerations, int body, const Vec2& p_W) const;

  /// Weights and forces of inertia, about the bodies' reference points (theory 6.3).
  void write_weight_and_inertia(const Vector& cache, std::span<const Screw> velocities,
                                std::span<const Screw> accelerations, const Vec2& gravity,
                                std::span<Screw> forces) const;
  /// h from the forces on the bodies. Each becomes the sum over all that its joint carries.
  void write_force(const Vector& cache, std::span<Screw> forces, VectorRef h) const;
  double weight_energy(const Vector& cache, const Vec2& gravity) const;  ///< [J]

  /// M, by composite inertias.
  void write_mass(const Vector& cache, Arena& scratch, MatrixRef M) const;

  /// Articulated inertias (theory 6.4). False where something can move without inertia.
  bool factor_mass(const Vector& cache, Matrix& factors) const;
  /// A body that, with all that hangs on it, can move without inertia; −1: there is none.
  int body_without_inertia(const Vector& cache) const;
  /// x = M⁻¹ x for the dofs of these bodies: all, or a part that hangs together and of which
  /// nothing else moves along.
  void solve_mass(const Vector& cache, const Matrix& factors, const BodyRange& range,
                  Arena& scratch, VectorRef x) const;

  double kinetic_energy(const Vector& cache, std::span<const Screw> velocities) const;

  /// w += what a force d_W at p_W on body b, and its reaction at p_W on body a, do along each
  /// dof: the direction of d · (velocity of b − velocity of a) there.
  void add_force(const Vector& cache, int a, int b, const Vec2& p_W, const Vec2& d_W,
                 VectorRef w) const;
  /// The same with only one body: force on `body`.
  void add_force(const Vector& cache, int body, const Vec2& p_W, const Vec2& d_W,
                 VectorRef w) const;
  /// The same for a unit moment times `factor`.
  void add_moment(int body, double factor, VectorRef w) const;

 private:
  /// As factor_mass(), with the answer of body_without_inertia().
  int factor(const Vector& cache, Matrix& factors) const;

  static constexpr Eigen::Index stride_ = 12;
  void add_wrench(const Vector& cache, int body, const Vec2& p_W, const Vec2& d_W, double sign,
                  VectorRef w) const;

  struct Dof {
    int body;
    int number;  ///< among those of its joint
    int next;    ///< that moves this body too: before it, or further down to the ground; −1: none
    double sense;  ///< in which it turns the body; 0: it moves it without turning
  };

  Screw direction(const Dof& dof, const Vector& cache) const;

  std::vector<TreeBody> bodies_;
  int size_ = 0;
  std::vector<int> first_;  ///< dof of each body, and of one after the last
  std::vector<Dof> dofs_;
};

}  // namespace backlash::planar
