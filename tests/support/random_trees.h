// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include <Eigen/Geometry>

#include "backlash/dynamics/kernel/motion.h"

namespace backlash::test {

/// Positions, velocities and accelerations at u̇ = 0, with the memory that they are in.
template <class S>
struct TreeState {
  TreeState(const Tree<S>& tree_, const Vector& q, const Vector& u_)
      : tree(tree_),
        u(u_),
        cache(tree_.cache_size()),
        velocities(static_cast<std::size_t>(tree_.size())),
        accelerations(velocities.size()) {
    tree.configure(q, cache);
    tree.write_motion(cache, u, velocities, accelerations);
  }
  Motion<S> motion() const { return {tree, cache, velocities, accelerations}; }

  const Tree<S>& tree;
  Vector u, cache;
  std::vector<Twist<S>> velocities, accelerations;
};

/// A body of 1 kg on a joint.
template <class S>
Tree<S> single_body(const TreeJoint<S>& joint,
                    const typename S::Inertia& inertia = S::no_inertia()) {
  TreeBody<S> body;
  body.joint = joint;
  body.mass = 1;
  body.inertia = inertia;
  return Tree<S>({body});
}

inline PlainVec2 random_vec(Plane, std::mt19937& random) {
  std::uniform_real_distribution<double> in(-1, 1);
  const double x = in(random), y = in(random);
  return {x, y};
}
inline Vec3 random_vec(Space, std::mt19937& random) {
  std::uniform_real_distribution<double> in(-1, 1);
  const double x = in(random), y = in(random), z = in(random);
  return {x, y, z};
}
inline double random_rotation(Plane, std::mt19937& random) {
  return random_vec(Plane{}, random).x();
}
inline Quaternion random_rotation(Space, std::mt19937& random) {
  return quaternion(random_vec(Space{}, random));
}
inline double random_axis(Plane, std::mt19937& random) { return random() % 2 == 0 ? 1 : -1; }
inline Vec3 random_axis(Space, std::mt19937& random) {
  return random_vec(Space{}, random).normalized();
}
inline double random_inertia(Plane, std::mt19937& random) {
  return 0.3 + 0.2 * random_vec(Plane{}, random).x();
}
inline Mat3 random_inertia(Space, std::mt19937& random) {
  const Mat3 R = rotation_matrix(random_rotation(Space{}, random));
  const Vec3 principal = Vec3(0.3, 0.4, 0.5) + 0.1 * random_vec(Space{}, random);
  return R * principal.asDiagonal() * R.transpose();
}

/// A tree with branches and all kinds of joints, the first body free, and a state of it.
template <class S>
struct RandomTree {
  RandomTree(unsigned seed, int size) : engine(seed), tree(bodies(size)) {
    std::uniform_real_distribution<double> in(-1, 1);
    u = Vector::NullaryExpr(tree.dofs(), [&] { return in(engine); });
    Vector displacement = Vector::NullaryExpr(tree.dofs(), [&] { return in(engine); });
    Vector zero = Vector::Zero(tree.positions());
    for (int i = 0; i < tree.size(); ++i) {
      const TreeJoint<S>& joint = tree.body(i).joint;
      if (joint.rotation == JointRotation::ball)
        S::write_ball({}, zero.data() + tree.first_position(i) + joint.translations);
    }
    q = zero;
    tree.advance(zero, displacement, 1, q);
  }

  typename S::Vec vec() { return random_vec(S{}, engine); }
  int body() { return static_cast<int>(engine() % static_cast<unsigned>(tree.size() + 1)); }

  /// With the same velocity, dt later.
  TreeState<S> after(double dt) const {
    Vector later = q;
    tree.advance(q, u, dt, later);
    return {tree, later, u};
  }

  std::mt19937 engine;
  Tree<S> tree;
  Vector q, u;

 private:
  TreeJoint<S> joint() {
    switch (engine() % 6) {
      case 0:
        return revolute_joint<S>(random_axis(S{}, engine));
      case 1: {
        const typename S::Vec v = vec();
        return prismatic_joint<S>(v / v.norm());
      }
      case 2:
        return ball_joint<S>();
      case 3:
        return free_joint<S>();
      case 4: {  // cylindrical, or a point on a line
        TreeJoint<S> both = revolute_joint<S>(random_axis(S{}, engine));
        const typename S::Vec v = vec();
        both.translations = 1;
        both.axes_P[0] = v / v.norm();
        return both;
      }
      default:
        return {};
    }
  }

  std::vector<TreeBody<S>> bodies(int size) {
    std::uniform_real_distribution<double> in(-1, 1);
    std::vector<TreeBody<S>> all;
    for (int i = 0; i < size; ++i) {
      TreeBody<S> b;
      b.parent = i == 0 ? -1 : static_cast<int>(engine() % static_cast<unsigned>(i));
      b.joint = i == 0 ? free_joint<S>() : joint();
      b.p_PJ = vec();
      b.p_BJ = vec();
      b.rotation = random_rotation(S{}, engine);
      b.mass = 1.5 + in(engine);
      b.inertia = random_inertia(S{}, engine);
      b.p_BC = vec();
      all.push_back(b);
    }
    return all;
  }
};

}  // namespace backlash::test
