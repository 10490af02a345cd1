// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/tree.h"

#include <cassert>

namespace backlash {
namespace {

template <class S>
const BodyKinematics<S> ground{};

/// Where the joint puts the body, its parent being at `parent`.
template <class S>
void place(const TreeBody<S>& b, const BodyKinematics<S>& parent, const double* q,
           BodyKinematics<S>& here) {
  const TreeJoint<S>& joint = b.joint;
  using Vec = typename S::Vec;
  here.rotation = S::composed(parent.rotation, S::composed(rotation(joint, q), b.rotation));
  here.X_WB = S::pose(here.rotation);
  here.reference = parent.X_WB.point(Vec(b.p_PJ + displacement(joint, q)));
  S::set_origin(here.reference - here.X_WB.direction(b.p_BJ), here.X_WB);
  here.com = here.X_WB.direction(Vec(b.p_BC - b.p_BJ));
  here.arm = here.reference - parent.reference;
  here.inertia = S::turned(here.X_WB, b.inertia);
  for (int k = 0; k < joint.translations; ++k)
    here.translations[at(k)] = parent.X_WB.direction(joint.axes_P[at(k)]);
  if (joint.rotation == JointRotation::axis) {
    here.rotations[0] = S::direction(parent.X_WB, joint.axis_P);
    if constexpr (S::rotations > 1) here.angle = q[joint.translations];
  }
  if (joint.rotation == JointRotation::ball)
    for (int k = 0; k < S::rotations; ++k)
      here.rotations[at(k)] = S::direction(parent.X_WB, S::axis(k));
}

}  // namespace

template <class S>
Tree<S>::Tree(std::vector<TreeBody<S>> bodies)
    : bodies_(std::move(bodies)),
      size_(static_cast<int>(bodies_.size())),
      first_position_{0},
      first_dof_{0} {
  std::vector<int> last;  // dof that moves each body
  for (int i = 0; i < size(); ++i) {
    const TreeBody<S>& b = body(i);
    assert(b.parent < i);
    const int translations = b.joint.translations, dofs = b.joint.dofs();
    int next = b.parent < 0 ? -1 : last[at(b.parent)];
    for (int k = 0; k < dofs; ++k) {
      const bool rotates = k >= translations;
      dofs_.push_back({i, rotates ? k - translations : k, next, rotates});
      next = first_dof_.back() + k;
    }
    last.push_back(next);
    first_position_.push_back(first_position_.back() + b.joint.positions());
    first_dof_.push_back(first_dof_.back() + dofs);
    if (b.joint.positions() != dofs) plain_ = false;
  }
}

template <class S>
Eigen::Index Tree<S>::cache_size() const {
  return kinematics_size<S> * size();
}

template <class S>
void Tree<S>::configure(const Vector& q, Vector& cache) const {
  auto* all = reinterpret_cast<BodyKinematics<S>*>(cache.data());
  for (int i = 0; i < size(); ++i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& parent = b.parent < 0 ? ground<S> : all[b.parent];
    place(b, parent, q.data() + first_position(i), all[i]);
  }
}

template <class S>
void Tree<S>::position_rate(const Vector& q, const Vector& u, VectorRef rate) const {
  for (int i = 0; i < size(); ++i)
    backlash::position_rate(body(i).joint, q.data() + first_position(i), u.data() + first_dof(i),
                            rate.data() + first_position(i));
}

template <class S>
void Tree<S>::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  if (plain_) {
    for (Eigen::Index i = 0; i < q.size(); ++i) end[i] = q[i] + dt * u[i];
    return;
  }
  for (int i = 0; i < size(); ++i)
    backlash::advance(body(i).joint, q.data() + first_position(i), u.data() + first_dof(i), dt,
                      end.data() + first_position(i));
}

template <class S>
void Tree<S>::write_velocities(const Vector& cache, const Vector& u,
                               std::span<Twist<S>> velocities) const {
  for (int i = 0; i < size(); ++i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    const Twist<S> own = joint_twist(b.joint, here, u.data() + first_dof(i));
    velocities[at(i)] = b.parent < 0 ? own : shifted(velocities[at(b.parent)], here.arm) + own;
  }
}

template <class S>
typename S::Vec Tree<S>::velocity_at(const Vector& cache, std::span<const Twist<S>> velocities,
                                     int i, const Vec& p_W) const {
  if (i < 0) return Vec::Zero();
  return shifted(velocities[at(i)], Vec(p_W - bodies_in<S>(cache)[i].reference)).linear;
}

template <class S>
void Tree<S>::write_motion(const Vector& cache, const Vector& u, std::span<Twist<S>> velocities,
                           std::span<Twist<S>> accelerations) const {
  for (int i = 0; i < size(); ++i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    const Twist<S> own = joint_twist(b.joint, here, u.data() + first_dof(i));
    if (b.parent < 0) {
      velocities[at(i)] = own;
      accelerations[at(i)] = {};
      continue;
    }
    const Twist<S>&V = velocities[at(b.parent)], &A = accelerations[at(b.parent)];
    velocities[at(i)] = shifted(V, here.arm) + own;
    Twist<S> a{S::angular_bias(A.angular, V.angular, own.angular),
               backlash::acceleration_at(A, V.angular, here.arm)};
    if (b.joint.translations > 0) a.linear += S::cross(2 * V.angular, own.linear);  // Coriolis
    accelerations[at(i)] = a;
  }
}

template <class S>
typename S::Vec Tree<S>::acceleration_at(const Vector& cache, std::span<const Twist<S>> velocities,
                                         std::span<const Twist<S>> accelerations, int i,
                                         const Vec& p_W) const {
  if (i < 0) return Vec::Zero();
  return backlash::acceleration_at(accelerations[at(i)], velocities[at(i)].angular,
                                   Vec(p_W - bodies_in<S>(cache)[i].reference));
}

template <class S>
void Tree<S>::write_weight_and_inertia(const Vector& cache, std::span<const Twist<S>> velocities,
                                       std::span<const Twist<S>> accelerations, const Vec& gravity,
                                       std::span<Wrench<S>> forces) const {
  for (int i = 0; i < size(); ++i) {
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    const Angular& omega = velocities[at(i)].angular;
    const Twist<S>& A = accelerations[at(i)];
    const Vec f = body(i).mass * (gravity - backlash::acceleration_at(A, omega, here.com));
    forces[at(i)] = {
        S::cross(here.com, f) - S::angular_inertia_force(here.inertia, A.angular, omega), f};
  }
}

template <class S>
void Tree<S>::write_force(const Vector& cache, std::span<Wrench<S>> forces, VectorRef h) const {
  for (int k = 0; k < dofs(); ++k) h[k] = 0;
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    add_joint_force(b.joint, here, forces[at(i)], h.data() + first_dof(i));
    if (b.parent >= 0) add_shifted(forces[at(i)], here.arm, forces[at(b.parent)]);
  }
}

template <class S>
double Tree<S>::weight_energy(const Vector& cache, const Vec& gravity) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    sum -= body(i).mass * gravity.dot(Vec(here.reference + here.com));
  }
  return sum;
}

template <class S>
void Tree<S>::add_wrench(const Vector& cache, int i, const Vec& p_W, const Vec& d_W,
                         double* w) const {
  const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
  const Wrench<S> F{S::cross(Vec(p_W - here.reference), d_W), d_W};
  add_joint_force(body(i).joint, here, F, w + first_dof(i));
}

template <class S>
void Tree<S>::add_force(const Vector& cache, int a, int b, const Vec& p_W, const Vec& d_W,
                        VectorRef w) const {
  while (a != b) {  // up to where the two branches meet: from there on force and reaction cancel
    int& later = b > a ? b : a;
    add_wrench(cache, later, p_W, b > a ? d_W : Vec(-d_W), w.data());
    later = body(later).parent;
  }
}

template <class S>
void Tree<S>::add_force(const Vector& cache, int i, const Vec& p_W, const Vec& d_W,
                        VectorRef w) const {
  for (; i >= 0; i = body(i).parent) add_wrench(cache, i, p_W, d_W, w.data());
}

template <class S>
void Tree<S>::add_moment(const Vector& cache, int i, const Angular& moment, VectorRef w) const {
  for (; i >= 0; i = body(i).parent) {
    const TreeJoint<S>& joint = body(i).joint;
    const int rotations = joint.rotations(), first = first_dof(i) + joint.translations;
    for (int k = 0; k < rotations; ++k)
      w[first + k] += S::dot(bodies_in<S>(cache)[i].rotations[at(k)], moment);
  }
}

template class Tree<Plane>;
template class Tree<Space>;

}  // namespace backlash
