// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"
#include "backlash/dynamics/kernel/body_kinematics.h"

/// A tree of rigid bodies in the coordinates of its joints (theory 6): positions, velocities,
/// forces and M⁻¹ in a time proportional to the number of bodies. S is Plane or Space.
namespace backlash {

/// A body and the joint that carries it.
template <class S>
struct TreeBody {
  int parent = -1;  ///< index of a body further up; −1: the ground
  TreeJoint<S> joint{};
  typename S::Vec p_PJ = S::Vec::Zero();  ///< where J is at q = 0, in the parent's frame [m]
  typename S::Vec p_BJ = S::Vec::Zero();  ///< joint's point on this body, in its frame [m]
  typename S::Rotation rotation{};        ///< of the body against its parent where q = 0
  double mass = 0;                        ///< [kg]
  typename S::Inertia inertia = S::no_inertia();  ///< about the centre of mass, in B [kg m²]
  typename S::Vec p_BC = S::Vec::Zero();          ///< centre of mass, in the body's frame [m]
};

/// Bodies that follow each other in a tree.
struct BodyRange {
  int first = 0, end = 0;  ///< without `end` itself
};

/// Room for what all bodies do, about their reference points.
template <class S>
struct BodyRoom {
  std::span<Twist<S>> velocities, accelerations;
  std::span<Wrench<S>> forces;

  BodyRoom(int bodies, Arena::Frame& frame)
      : velocities(frame.room<Twist<S>>(2 * bodies)),
        accelerations(velocities.data() + bodies, at(bodies)),
        forces(frame.room<Wrench<S>>(bodies)) {
    velocities = velocities.first(at(bodies));
  }
};

template <class S>
class Tree {
 public:
  using Vec = typename S::Vec;
  using Angular = typename S::Angular;
  using Pose = typename S::Pose;

  /// Parents must come before their children.
  explicit Tree(std::vector<TreeBody<S>> bodies);

  int size() const { return size_; }
  int positions() const { return first_position_.back(); }
  int dofs() const { return first_dof_.back(); }
  Eigen::Index cache_size() const;
  const TreeBody<S>& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  int first_position(int i) const { return first_position_[static_cast<std::size_t>(i)]; }
  int first_dof(int i) const { return first_dof_[static_cast<std::size_t>(i)]; }
  int joint_dofs(int i) const { return first_dof(i + 1) - first_dof(i); }
  /// Whether a velocity is angular.
  bool angular(int dof) const { return angular_[static_cast<std::size_t>(dof)]; }

  /// Positions of all bodies into the cache.
  void configure(const Vector& q, Vector& cache) const;
  void position_rate(const Vector& q, const Vector& u, VectorRef rate) const;
  void advance(const Vector& q, const Vector& u, double dt, Vector& end) const;

  Pose pose(const Vector& cache, int body) const {  ///< also of the ground, −1
    return body < 0 ? Pose{} : bodies_in<S>(cache)[body].X_WB;
  }
  typename S::Rotation rotation(const Vector& cache, int body) const {
    return body < 0 ? typename S::Rotation{} : bodies_in<S>(cache)[body].rotation;
  }
  Vec reference(const Vector& cache, int body) const {  ///< the joint's point on it, in the world
    return body < 0 ? Vec::Zero() : bodies_in<S>(cache)[body].reference;
  }

  /// Velocities about the bodies' reference points, one for each body.
  void write_velocities(const Vector& cache, const Vector& u, std::span<Twist<S>> velocities) const;

  /// Velocity of that point of a body (or the ground) which is at p_W.
  Vec velocity_at(const Vector& cache, std::span<const Twist<S>> velocities, int body,
                  const Vec& p_W) const;

  /// Velocities, and the accelerations that the bodies have at their reference points while u̇ = 0
  /// (theory 6.4).
  void write_motion(const Vector& cache, const Vector& u, std::span<Twist<S>> velocities,
                    std::span<Twist<S>> accelerations) const;

  /// Acceleration of that point of a body (or the ground) which is at p_W, while u̇ = 0.
  Vec acceleration_at(const Vector& cache, std::span<const Twist<S>> velocities,
                      std::span<const Twist<S>> accelerations, int body, const Vec& p_W) const;

  /// Velocities, and while u̇ = 0 the weights and forces of inertia (theory 6.5) with the
  /// accelerations that they come from: those of the motion, less gravity.
  void write_weight_and_inertia(const Vector& cache, const Vector& u, const Vec& gravity,
                                const BodyRoom<S>& bodies) const;
  /// The forces of inertia that accelerations by u̇ add, see write_velocities().
  void add_inertia(const Vector& cache, std::span<const Twist<S>> accelerations,
                   std::span<Wrench<S>> forces) const;
  /// h from the forces on the bodies. Each becomes the sum over all that its joint carries.
  void write_force(const Vector& cache, std::span<Wrench<S>> forces, double* h) const;
  double weight_energy(const Vector& cache, const Vec& gravity) const;  ///< [J]

  /// M on and below its diagonal, by composite inertias.
  void write_mass(const Vector& cache, Arena& scratch, MatrixRef M) const;

  /// Articulated inertias (theory 6.7). False where a degree of freedom has no inertia.
  bool factor_mass(const Vector& cache, Matrix& factors) const;
  /// A body that, with all that hangs on it, can move without inertia; −1: there is none.
  int body_without_inertia(const Vector& cache) const;
  /// x = M⁻¹ x for the dofs of these bodies: all, or a part that hangs together and of which
  /// nothing else moves along.
  void solve_mass(const Vector& cache, const Matrix& factors, const BodyRange& range,
                  Arena& scratch, VectorRef x) const;

  double kinetic_energy(const Vector& cache, std::span<const Twist<S>> velocities) const;

  /// w += what a force d_W at p_W on body b, and its reaction at p_W on body a, do along each
  /// dof: the direction of d · (velocity of b − velocity of a) there.
  void add_force(const Vector& cache, int a, int b, const Vec& p_W, const Vec& d_W,
                 VectorRef w) const;
  /// The same with only one body: force on `body`.
  void add_force(const Vector& cache, int body, const Vec& p_W, const Vec& d_W, VectorRef w) const;
  /// The same for a moment.
  void add_moment(const Vector& cache, int body, const Angular& moment, VectorRef w) const;

 private:
  /// As factor_mass(), with the answer of body_without_inertia().
  int factor(const Vector& cache, Matrix& factors) const;
  /// How a body hangs on the others, together for the inner loops.
  struct Link {
    int parent, first_dof;
    JointSize joint;
  };
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }

  /// Along the dofs of the body's own joint.
  void add_wrench(const Vector& cache, int body, const Vec& p_W, const Vec& d_W, double* w) const;

  std::vector<TreeBody<S>> bodies_;
  int size_ = 0;
  std::vector<int> first_position_, first_dof_;  ///< of each body, and of one after the last
  std::vector<Link> links_;
  std::vector<RigidInertia<S>> inertia_;  ///< about the joint's point, in the body's axes
  std::vector<bool> angular_;             ///< which dofs rotate their body
  bool chain_ = true;                     ///< each body carries the next: M is full
  bool plain_ = true;                     ///< q̇ = u
};

extern template class Tree<Plane>;
extern template class Tree<Space>;

}  // namespace backlash
