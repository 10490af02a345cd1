// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/tree.h"

#include <cassert>
#include <cmath>

#include "backlash/dynamics/kernel/body_kinematics.h"

namespace backlash::planar {
namespace {

int dofs_of(TreeJointKind kind) {
  switch (kind) {
    case TreeJointKind::free:
      return 3;
    case TreeJointKind::fixed:
      return 0;
    default:
      return 1;
  }
}

/// Velocity that the joint itself adds.
Screw joint_velocity(const TreeBody& body, const Place& parent, const double* u) {
  switch (body.kind) {
    case TreeJointKind::revolute:
      return {body.sense * u[0], 0, 0};
    case TreeJointKind::prismatic: {
      const Screw axis = world_axis(body, parent);
      return {0, axis.x * u[0], axis.y * u[0]};
    }
    case TreeJointKind::free:
      return {u[2], parent.c * u[0] - parent.s * u[1], parent.s * u[0] + parent.c * u[1]};
    case TreeJointKind::fixed:
      break;
  }
  return {};
}

}  // namespace

Tree::Tree(std::vector<TreeBody> bodies)
    : bodies_(std::move(bodies)), size_(static_cast<int>(bodies_.size())), first_{0} {
  std::vector<int> last;  // dof that moves each body
  for (int i = 0; i < size(); ++i) {
    const TreeBody& b = body(i);
    assert(b.parent < i);
    int next = b.parent < 0 ? -1 : last[at(b.parent)];
    for (int k = 0; k < dofs_of(b.kind); ++k) {
      const double sense = b.kind == TreeJointKind::revolute ? b.sense : k == 2 ? 1 : 0;
      dofs_.push_back({i, k, next, sense});
      next = first_.back() + k;
    }
    last.push_back(next);
    first_.push_back(first_.back() + dofs_of(b.kind));
  }
}

void Tree::configure(const Vector& q, Vector& cache) const {
  auto* all = reinterpret_cast<Place*>(cache.data());
  for (int i = 0; i < size(); ++i) {
    const TreeBody& b = body(i);
    const Place& p = b.parent < 0 ? ground : all[b.parent];
    const double* own = q.data() + first_[at(i)];
    double along_x = b.p_PJ.x(), along_y = b.p_PJ.y(), turn = b.angle;
    if (b.kind == TreeJointKind::revolute) {
      turn += b.sense * own[0];
    } else if (b.kind == TreeJointKind::prismatic) {
      along_x += own[0] * b.axis_P.x();
      along_y += own[0] * b.axis_P.y();
    } else if (b.kind == TreeJointKind::free) {
      along_x += own[0];
      along_y += own[1];
      turn += own[2];
    }
    const double angle = p.angle + turn, s = std::sin(angle), c = std::cos(angle);
    Place& here = all[i];
    here.c = c;
    here.s = s;
    here.angle = angle;
    here.ref_x = p.x + p.c * along_x - p.s * along_y;
    here.ref_y = p.y + p.s * along_x + p.c * along_y;
    here.x = here.ref_x - (c * b.p_BJ.x() - s * b.p_BJ.y());
    here.y = here.ref_y - (s * b.p_BJ.x() + c * b.p_BJ.y());
    const double com_x = b.p_BC.x() - b.p_BJ.x(), com_y = b.p_BC.y() - b.p_BJ.y();
    here.com_x = c * com_x - s * com_y;
    here.com_y = s * com_x + c * com_y;
    here.arm_x = here.ref_x - p.ref_x;
    here.arm_y = here.ref_y - p.ref_y;
  }
}

double Tree::angle(const Vector& cache, int i) const { return i < 0 ? 0 : places(cache)[i].angle; }

Vec2 Tree::reference(const Vector& cache, int i) const {
  if (i < 0) return Vec2::Zero();
  return {places(cache)[i].ref_x, places(cache)[i].ref_y};
}

void Tree::write_velocities(const Vector& cache, const Vector& u,
                            std::span<Screw> velocities) const {
  for (int i = 0; i < size(); ++i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const Screw parent = b.parent < 0 ? Screw{} : velocities[at(b.parent)];
    const Screw carried = shifted_velocity(parent, here.arm_x, here.arm_y);
    const Screw own = joint_velocity(b, parent_place(cache, b), u.data() + first_[at(i)]);
    velocities[at(i)] = {carried.turn + own.turn, carried.x + own.x, carried.y + own.y};
  }
}

Vec2 Tree::velocity_at(const Vector& cache, std::span<const Screw> velocities, int i,
                       const Vec2& p_W) const {
  if (i < 0) return Vec2::Zero();
  const Place& here = places(cache)[i];
  const Screw v = shifted_velocity(velocities[at(i)], p_W.x() - here.ref_x, p_W.y() - here.ref_y);
  return {v.x, v.y};
}

void Tree::write_motion(const Vector& cache, const Vector& u, std::span<Screw> velocities,
                        std::span<Screw> accelerations) const {
  for (int i = 0; i < size(); ++i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const bool grounded = b.parent < 0;
    const Screw parent = grounded ? Screw{} : velocities[at(b.parent)];
    const Screw base = grounded ? Screw{} : accelerations[at(b.parent)];
    const Screw carried = shifted_velocity(parent, here.arm_x, here.arm_y);
    // Of the point of the parent.
    const double square = parent.turn * parent.turn;
    const Screw a = shifted_velocity(base, here.arm_x, here.arm_y);
    const Screw point{a.turn, a.x - square * here.arm_x, a.y - square * here.arm_y};
    if (b.kind == TreeJointKind::revolute) {
      velocities[at(i)] = {carried.turn + b.sense * u[first_[at(i)]], carried.x, carried.y};
      accelerations[at(i)] = point;
      continue;
    }
    const Screw own = joint_velocity(b, parent_place(cache, b), u.data() + first_[at(i)]);
    velocities[at(i)] = {carried.turn + own.turn, carried.x + own.x, carried.y + own.y};
    // Coriolis' for the way of the joint.
    accelerations[at(i)] = {point.turn, point.x - 2 * parent.turn * own.y,
                            point.y + 2 * parent.turn * own.x};
  }
}

Vec2 Tree::acceleration_at(const Vector& cache, std::span<const Screw> velocities,
                           std::span<const Screw> accelerations, int i, const Vec2& p_W) const {
  if (i < 0) return Vec2::Zero();
  const Place& here = places(cache)[i];
  const double x = p_W.x() - here.ref_x, y = p_W.y() - here.ref_y;
  const double square = velocities[at(i)].turn * velocities[at(i)].turn;
  const Screw a = shifted_velocity(accelerations[at(i)], x, y);
  return {a.x - square * x, a.y - square * y};
}

void Tree::write_weight_and_inertia(const Vector& cache, std::span<const Screw> velocities,
                                    std::span<const Screw> accelerations, const Vec2& gravity,
                                    std::span<Screw> forces) const {
  for (int i = 0; i < size(); ++i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const Screw& a = accelerations[at(i)];
    const double square = velocities[at(i)].turn * velocities[at(i)].turn;
    const double fx = b.mass * (gravity.x() - a.x + a.turn * here.com_y + square * here.com_x);
    const double fy = b.mass * (gravity.y() - a.y - a.turn * here.com_x + square * here.com_y);
    forces[at(i)] = {here.com_x * fy - here.com_y * fx - b.inertia * a.turn, fx, fy};
  }
}

void Tree::write_force(const Vector& cache, std::span<Screw> forces, VectorRef h) const {
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const Screw f = forces[at(i)];
    double* own = h.data() + first_[at(i)];
    if (b.kind == TreeJointKind::revolute) {
      own[0] = b.sense * f.turn;
    } else if (b.kind == TreeJointKind::prismatic) {
      own[0] = dot(world_axis(b, parent_place(cache, b)), f);
    } else if (b.kind == TreeJointKind::free) {
      const Place& p = parent_place(cache, b);
      own[0] = p.c * f.x + p.s * f.y;
      own[1] = -p.s * f.x + p.c * f.y;
      own[2] = f.turn;
    }
    if (b.parent >= 0) add_shifted_force(f, here.arm_x, here.arm_y, forces[at(b.parent)]);
  }
}

double Tree::weight_energy(const Vector& cache, const Vec2& gravity) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const Place& here = places(cache)[i];
    sum -= body(i).mass *
           (gravity.x() * (here.ref_x + here.com_x) + gravity.y() * (here.ref_y + here.com_y));
  }
  return sum;
}

void Tree::add_wrench(const Vector& cache, int i, const Vec2& p_W, const Vec2& d_W, double sign,
                      VectorRef w) const {
  const TreeBody& b = body(i);
  const Place &here = places(cache)[i], &p = parent_place(cache, b);
  double* own = w.data() + first_[at(i)];
  const double fx = sign * d_W.x(), fy = sign * d_W.y();
  const double moment = (p_W.x() - here.ref_x) * fy - (p_W.y() - here.ref_y) * fx;
  if (b.kind == TreeJointKind::free) {
    own[0] += p.c * fx + p.s * fy;
    own[1] += -p.s * fx + p.c * fy;
    own[2] += moment;
  } else if (b.kind != TreeJointKind::fixed) {
    own[0] += dot(joint_direction(b, p), {moment, fx, fy});
  }
}

void Tree::add_force(const Vector& cache, int a, int b, const Vec2& p_W, const Vec2& d_W,
                     VectorRef w) const {
  while (a != b) {  // up to where the two branches meet: from there on force and reaction cancel
    int& later = b > a ? b : a;
    add_wrench(cache, later, p_W, d_W, b > a ? 1 : -1, w);
    later = body(later).parent;
  }
}

void Tree::add_force(const Vector& cache, int i, const Vec2& p_W, const Vec2& d_W,
                     VectorRef w) const {
  for (; i >= 0; i = body(i).parent) add_wrench(cache, i, p_W, d_W, 1, w);
}

void Tree::add_moment(int i, double factor, VectorRef w) const {
  for (; i >= 0; i = body(i).parent) {
    const TreeBody& b = body(i);
    if (b.kind == TreeJointKind::revolute) w[first_[at(i)]] += b.sense * factor;
    if (b.kind == TreeJointKind::free) w[first_[at(i)] + 2] += factor;
  }
}

}  // namespace backlash::planar
