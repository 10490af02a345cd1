// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/planar_variation.h"

#include <algorithm>

namespace backlash {
namespace {

using Vec = PlainVec2;
using Spin = Twist<Plane>;

const Spin motionless{};

/// Sum of x_k t_k over the translations of a joint.
Vec along_axes(JointSize joint, const BodyKinematics<Plane>& here, const double* x) {
  Vec sum = Vec::Zero();
  for (int k = 0; k < joint.translations; ++k) sum += x[k] * here.translations[at(k)];
  return sum;
}

/// Sum of x_k over its rotations.
double about_axes(JointSize joint, const BodyKinematics<Plane>& here, const double* x) {
  return joint.rotations > 0 ? x[joint.translations] * here.rotations[0] : 0;
}

/// A force s d at two points: on b, and the opposite on a.
struct VariedLine {
  int a = -1, b = -1;
  Vec d{}, d_change{};                           ///< direction
  Vec p_a{}, p_b{}, p_a_change{}, p_b_change{};  ///< where it acts
  Varied value{}, rate{};
};

VariedLine line_along_axis(const Coordinate<Plane>& c, const VariedMotion& v) {
  VariedLine line{.a = c.a, .b = c.b};
  const Motion<Plane>& m = v.motion;
  line.d = m.pose(c.a).direction(c.axis_A);
  line.d_change = v.turned(c.a, line.d);
  line.p_a = line.p_b = m.pose(c.b).point(c.p_BQ);
  line.p_a_change = line.p_b_change = v.shift(c.b, line.p_b);
  const Vec offset = line.p_b - m.pose(c.a).point(c.p_AP);
  const Vec relative = m.velocity(c.b, line.p_b) - m.velocity(c.a, line.p_b);
  const Vec shifted = line.p_b_change - v.shift(c.a, line.p_b);
  const Vec change =
      v.rate(c.b, line.p_b, line.p_b_change) - v.rate(c.a, line.p_b, line.p_b_change);
  line.value = {line.d.dot(offset) - c.zero, line.d.dot(shifted)};
  line.rate = {line.d.dot(relative), line.d_change.dot(relative) + line.d.dot(change)};
  return line;
}

VariedLine line_between_points(const Coordinate<Plane>& c, const VariedMotion& v) {
  VariedLine line{.a = c.a, .b = c.b};
  const Motion<Plane>& m = v.motion;
  line.p_a = m.pose(c.a).point(c.p_AP);
  line.p_b = m.pose(c.b).point(c.p_BQ);
  line.p_a_change = v.shift(c.a, line.p_a);
  line.p_b_change = v.shift(c.b, line.p_b);
  const Vec offset = line.p_b - line.p_a, spread = line.p_b_change - line.p_a_change;
  const double length = offset.norm();
  if (length > 0) {
    line.d = offset / length;
    line.d_change = (spread - line.d.dot(spread) * line.d) / length;
  }
  const Vec relative = m.velocity(c.b, line.p_b) - m.velocity(c.a, line.p_a);
  const Vec change =
      v.rate(c.b, line.p_b, line.p_b_change) - v.rate(c.a, line.p_a, line.p_a_change);
  line.value = {length - c.zero, line.d.dot(spread)};
  line.rate = {line.d.dot(relative), line.d_change.dot(relative) + line.d.dot(change)};
  return line;
}

VariedLine line_of(const Coordinate<Plane>& c, const VariedMotion& v) {
  return c.kind == Coordinate<Plane>::Kind::distance ? line_between_points(c, v)
                                                     : line_along_axis(c, v);
}

}  // namespace

PlainVec2 VariedMotion::rate(int body, const Vec& p_W, const Vec& dp_W) const {
  if (body < 0) return Vec::Zero();
  const Vec reference = motion.tree.reference(motion.cache, body);
  const Twist<Plane>& change = rate_shifts[at(body)];
  return change.linear + Plane::cross(change.angular, Vec(p_W - reference)) +
         Plane::cross(motion.angular_velocity(body), Vec(dp_W - shifts[at(body)].linear));
}

void add(const VariedLoad& l, const VariedMotion& varied, const VariedForces& sum) {
  const int body = l.load.body;
  if (body < 0) return;
  const Motion<Plane>& m = varied.motion;
  const Vec arm = l.load.p_W - m.tree.reference(m.cache, body);
  const Vec arm_change = l.change.p_W - varied.shifts[at(body)].linear;
  Wrench<Plane>&force = sum.forces[at(body)], &change = sum.changes[at(body)];
  add_shifted<Plane>({l.load.moment, l.load.force}, arm, force);
  add_shifted<Plane>({l.change.moment, l.change.force}, arm, change);
  change.angular += Plane::cross(arm_change, l.load.force);
}

VariedCoordinate vary(const Coordinate<Plane>& c, const VariedMotion& v) {
  if (c.kind != Coordinate<Plane>::Kind::angle) {
    const VariedLine line = line_of(c, v);
    return {line.value, line.rate};
  }
  const Motion<Plane>& m = v.motion;
  return {{value(c, m), v.turn(c.b) - v.turn(c.a)},
          {rate(c, m), v.angular_rate(c.b) - v.angular_rate(c.a)}};
}

void add_force(const Coordinate<Plane>& c, const VariedMotion& v, const Varied& strength,
               const VariedForces& sum) {
  const double s = strength.value, ds = strength.change;
  if (c.kind == Coordinate<Plane>::Kind::angle) {
    add({.load = {.body = c.b, .moment = s}, .change = {.moment = ds}}, v, sum);
    add({.load = {.body = c.a, .moment = -s}, .change = {.moment = -ds}}, v, sum);
    return;
  }
  const VariedLine line = line_of(c, v);
  const Vec force = s * line.d, change = ds * line.d + s * line.d_change;
  add({.load = {line.b, line.p_b, force}, .change = {line.b, line.p_b_change, change}}, v, sum);
  add({.load = {line.a, line.p_a, -force}, .change = {line.a, line.p_a_change, -change}}, v, sum);
}

void add_force(const CoupledCoordinates<Plane>& k, const VariedMotion& v, const Varied& strength,
               const VariedForces& sum) {
  add_force(k.second, v, strength, sum);
  add_force(k.first, v, {-k.ratio * strength.value, -k.ratio * strength.change}, sum);
}

VariedTree::VariedTree(const Tree<Plane>& tree, const Vector& cache, const Vector& u,
                       Arena& scratch)
    : tree_(tree),
      cache_(cache),
      u_(u),
      frame_(scratch),
      velocities_(frame_.room<Spin>(tree.size())),
      shifts_(frame_.room<Spin>(tree.size())),
      rate_shifts_(frame_.room<Spin>(tree.size())),
      accelerations_(frame_.room<Spin>(tree.size())),
      acceleration_shifts_(frame_.room<Spin>(tree.size())),
      forces_{frame_.room<Wrench<Plane>>(tree.size()), frame_.room<Wrench<Plane>>(tree.size())},
      varied_{{tree, cache, velocities_}, shifts_, rate_shifts_} {
  tree.write_velocities(cache, u, velocities_);
}

const VariedMotion& VariedTree::turn_to(const Direction& direction) {
  tree_.write_velocities(cache_, direction.q, shifts_);
  for (int i = 0; i < tree_.size(); ++i) {  // of theory 6.1, along the direction
    const int parent = tree_.body(i).parent;
    const JointSize joint = tree_.body(i).joint.size();
    const Spin& V = parent < 0 ? motionless : velocities_[at(parent)];
    const Spin& D = parent < 0 ? motionless : shifts_[at(parent)];
    const Spin& R = parent < 0 ? motionless : rate_shifts_[at(parent)];
    const double *du = direction.u.data() + tree_.first_dof(i), *u = u_.data() + tree_.first_dof(i);
    const Vec arm_change = shifts_[at(i)].linear - D.linear;
    rate_shifts_[at(i)].angular = R.angular + about_axes(joint, here(i), du);
    rate_shifts_[at(i)].linear =
        R.linear + Plane::cross(R.angular, here(i).arm) + Plane::cross(V.angular, arm_change) +
        along_axes(joint, here(i), du) + Plane::cross(D.angular, along_axes(joint, here(i), u));
  }
  varied_.time = direction.t;
  varied_.state = direction.state;
  std::ranges::fill(forces_.forces, Wrench<Plane>{});
  std::ranges::fill(forces_.changes, Wrench<Plane>{});
  return varied_;
}

void VariedTree::add_inertia(const PlainVec2& gravity, const Vector& a,
                             const Direction& direction) {
  const Spin lifted{0, -gravity};  // as if the ground accelerated upwards
  for (int i = 0; i < tree_.size(); ++i) {
    const int parent = tree_.body(i).parent, first = tree_.first_dof(i);
    const JointSize joint = tree_.body(i).joint.size();
    const Spin& A = parent < 0 ? lifted : accelerations_[at(parent)];
    const Spin& dA = parent < 0 ? motionless : acceleration_shifts_[at(parent)];
    const Spin& D = parent < 0 ? motionless : shifts_[at(parent)];
    const double w = parent < 0 ? 0 : velocities_[at(parent)].angular,
                 dw = parent < 0 ? 0 : rate_shifts_[at(parent)].angular;
    const Vec r = here(i).arm, dr = shifts_[at(i)].linear - D.linear;
    const Vec v = along_axes(joint, here(i), u_.data() + first);
    const Vec own = along_axes(joint, here(i), a.data() + first);
    const Vec dv =
        along_axes(joint, here(i), direction.u.data() + first) + Plane::cross(D.angular, v);
    // The acceleration of theory 6.4 with u̇ = a, and its change.
    Spin &acceleration = accelerations_[at(i)], &change = acceleration_shifts_[at(i)];
    acceleration.angular = A.angular + about_axes(joint, here(i), a.data() + first);
    acceleration.linear =
        A.linear + Plane::cross(A.angular, r) - w * w * r + Plane::cross(2 * w, v) + own;
    change.angular = 0;
    change.linear = dA.linear + Plane::cross(A.angular, dr) - w * w * dr - 2 * w * dw * r +
                    Plane::cross(2 * dw, v) + Plane::cross(2 * w, dv) +
                    Plane::cross(D.angular, own);

    const RigidInertia<Plane>& I = here(i).inertia;
    const double w_i = velocities_[at(i)].angular, dw_i = rate_shifts_[at(i)].angular;
    const Vec c = I.first_moment, dc = Plane::cross(shifts_[at(i)].angular, c);
    Wrench<Plane>&F = forces_.forces[at(i)], &dF = forces_.changes[at(i)];
    F.angular -= I.angular * acceleration.angular + Plane::cross(c, acceleration.linear);
    F.linear +=
        -(I.mass * acceleration.linear + Plane::cross(acceleration.angular, c)) + w_i * w_i * c;
    dF.angular -= Plane::cross(dc, acceleration.linear) + Plane::cross(c, change.linear);
    dF.linear += -(I.mass * change.linear + Plane::cross(acceleration.angular, dc)) +
                 w_i * w_i * dc + 2 * w_i * dw_i * c;
  }
}

void VariedTree::add_generalised_change(VectorRef dh) {
  for (int i = tree_.size() - 1; i >= 0; --i) {
    const int parent = tree_.body(i).parent;
    const JointSize joint = tree_.body(i).joint.size();
    const Wrench<Plane>&F = forces_.forces[at(i)], &dF = forces_.changes[at(i)];
    const Spin& D = parent < 0 ? motionless : shifts_[at(parent)];
    double* own = dh.data() + tree_.first_dof(i);
    add_joint_force(joint, here(i), dF, own);
    for (int k = 0; k < joint.translations; ++k)
      own[k] += Plane::cross(D.angular, here(i).translations[at(k)]).dot(F.linear);
    if (parent < 0) continue;
    add_shifted(F, here(i).arm, forces_.forces[at(parent)]);
    add_shifted(dF, here(i).arm, forces_.changes[at(parent)]);
    forces_.changes[at(parent)].angular +=
        Plane::cross(Vec(shifts_[at(i)].linear - D.linear), F.linear);
  }
}

}  // namespace backlash
