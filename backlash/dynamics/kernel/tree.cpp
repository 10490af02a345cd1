// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/tree.h"

#include <cassert>

namespace backlash {
namespace {

template <class S>
const BodyKinematics<S> ground{};

template <class S>
const Twist<S> at_rest{};

/// Where the joint puts the body with inertia I, its parent being at `parent`.
template <class S>
void place(const TreeBody<S>& b, const RigidInertia<S>& I, const BodyKinematics<S>& parent,
           const double* q, BodyKinematics<S>& here) {
  const TreeJoint<S>& joint = b.joint;
  using Vec = typename S::Vec;
  here.rotation = S::composed(parent.rotation, S::composed(rotation(joint, q), b.rotation));
  here.X_WB = S::pose(here.rotation);
  here.reference = parent.X_WB.point(Vec(b.p_PJ + displacement(joint, q)));
  S::set_origin(here.reference - here.X_WB.direction(b.p_BJ), here.X_WB);
  here.arm = here.reference - parent.reference;
  here.inertia = turned(here.X_WB, I);
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

/// Velocity, and acceleration while u̇ = 0, of a body whose parent has V and A (theory 6.4).
template <class S>
void carry(JointSize joint, const BodyKinematics<S>& here, const double* u, const Twist<S>& V,
           const Twist<S>& A, Twist<S>& velocity, Twist<S>& acceleration) {
  const Twist<S> own = joint_twist(joint, here, u);
  const typename S::Angular omega = V.angular;
  velocity.angular = omega + own.angular;
  velocity.linear = V.linear + S::cross(omega, here.arm) + own.linear;
  acceleration.angular = S::angular_bias(A.angular, omega, own.angular);
  acceleration.linear = acceleration_at(A, omega, here.arm);
  if (joint.translations > 0) acceleration.linear += S::cross(2 * omega, own.linear);  // Coriolis
}

}  // namespace

template <class S>
Tree<S>::Tree(std::vector<TreeBody<S>> bodies)
    : bodies_(std::move(bodies)),
      size_(static_cast<int>(bodies_.size())),
      first_position_{0},
      first_dof_{0} {
  for (int i = 0; i < size(); ++i) {
    const TreeBody<S>& b = body(i);
    assert(b.parent < i);
    links_.push_back({b.parent, first_dof_.back(), b.joint.size()});
    inertia_.push_back(rigid_inertia<S>(b.mass, b.inertia, b.p_BC - b.p_BJ));
    angular_.insert(angular_.end(), at(b.joint.translations), false);
    angular_.insert(angular_.end(), at(b.joint.rotations()), true);
    first_position_.push_back(first_position_.back() + b.joint.positions());
    first_dof_.push_back(first_dof_.back() + b.joint.dofs());
    if (b.parent != i - 1) chain_ = false;
    if (b.joint.positions() != b.joint.dofs()) plain_ = false;
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
    place(b, inertia_[at(i)], parent, q.data() + first_position(i), all[i]);
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
    for (Eigen::Index i = 0; i < u.size(); ++i) end[i] = q[i] + dt * u[i];
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
    const Link& own = link(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    const Twist<S>& V = own.parent < 0 ? at_rest<S> : velocities[at(own.parent)];
    velocities[at(i)] =
        shifted(V, here.arm) + joint_twist(own.joint, here, u.data() + own.first_dof);
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
    const Link& own = link(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    const Twist<S>& V = own.parent < 0 ? at_rest<S> : velocities[at(own.parent)];
    const Twist<S>& A = own.parent < 0 ? at_rest<S> : accelerations[at(own.parent)];
    carry(own.joint, here, u.data() + own.first_dof, V, A, velocities[at(i)], accelerations[at(i)]);
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
void Tree<S>::write_weight_and_inertia(const Vector& cache, const Vector& u, const Vec& gravity,
                                       const BodyRoom<S>& bodies) const {
  const auto [velocities, accelerations, forces] = bodies;
  const Twist<S> lifted{S::no_rotation(), -gravity};  // as if the ground accelerated upwards
  Twist<S> V, A = lifted;  // of body i − 1, the usual parent: not waited for in memory
  for (int i = 0; i < size(); ++i) {
    const Link& own = link(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    if (own.parent != i - 1) {
      V = own.parent < 0 ? at_rest<S> : velocities[at(own.parent)];
      A = own.parent < 0 ? lifted : accelerations[at(own.parent)];
    }
    Twist<S> velocity, acceleration;
    carry(own.joint, here, u.data() + own.first_dof, V, A, velocity, acceleration);
    forces[at(i)] = inertia_force(here.inertia, acceleration, velocity.angular);
    V = velocities[at(i)] = velocity;
    A = accelerations[at(i)] = acceleration;
  }
}

template <class S>
void Tree<S>::add_inertia(const Vector& cache, std::span<const Twist<S>> accelerations,
                          std::span<Wrench<S>> forces) const {
  for (int i = 0; i < size(); ++i) {
    const Wrench<S> F = bodies_in<S>(cache)[i].inertia * accelerations[at(i)];
    forces[at(i)].angular += -F.angular;
    forces[at(i)].linear += -F.linear;
  }
}

template <class S>
void Tree<S>::write_force(const Vector& cache, std::span<Wrench<S>> forces, double* h) const {
  Wrench<S> F;
  int sum_of = -1;  // whose force F is already, with that of the body it carries
  for (int i = size() - 1; i >= 0; --i) {
    const Link& own = link(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    if (sum_of != i) F = forces[at(i)];
    double* const own_h = h + own.first_dof;
    project_on_joint(own.joint, here, F, [&](int k, double value) { own_h[k] = value; });
    if (own.parent < 0) continue;
    Wrench<S> sum = forces[at(own.parent)];
    add_shifted(F, here.arm, sum);
    F = forces[at(own.parent)] = sum;
    sum_of = own.parent;
  }
}

template <class S>
double Tree<S>::weight_energy(const Vector& cache, const Vec& gravity) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    sum -= gravity.dot(Vec(here.inertia.mass * here.reference + here.inertia.first_moment));
  }
  return sum;
}

template <class S>
void Tree<S>::add_wrench(const Vector& cache, int i, const Vec& p_W, const Vec& d_W,
                         double* w) const {
  const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
  const Wrench<S> F{S::cross(Vec(p_W - here.reference), d_W), d_W};
  add_joint_force(link(i).joint, here, F, w + link(i).first_dof);
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
