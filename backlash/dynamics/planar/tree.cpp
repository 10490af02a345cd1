// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/tree.h"

#include <cassert>
#include <cmath>

namespace backlash::planar {
namespace {

using Index = Eigen::Index;

/// What the cache holds of each body, in the world's axes.
struct Place {
  double c, s;          ///< cosine and sine of the body's angle; these four: Tree::placement()
  double x, y;          ///< its origin [m]
  double angle;         ///< [rad]
  double ref_x, ref_y;  ///< reference: the joint's point on the body [m]
  double com_x, com_y;  ///< from the reference to the centre of mass [m]
  double arm_x, arm_y;  ///< from the parent's reference to this one [m]
  double unused;
};

constexpr Place ground{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

const Place* places(const Vector& cache) { return reinterpret_cast<const Place*>(cache.data()); }

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Moves a velocity to a reference that lies at (x, y) from the old one.
Screw shifted_velocity(const Screw& v, double x, double y) {
  return {v.turn, v.x - v.turn * y, v.y + v.turn * x};
}

/// Adds a force about a reference that lies at (x, y) from the sum's.
void add_shifted_force(const Screw& f, double x, double y, Screw& sum) {
  sum.turn += f.turn + x * f.y - y * f.x;
  sum.x += f.x;
  sum.y += f.y;
}

/// Symmetric 3 × 3 matrix over (turn, x, y): an inertia about a reference, or its inverse.
struct Symmetric {
  double tt, tx, ty, xx, xy, yy;
};

/// Of a rigid body about its reference (theory 6.4).
Symmetric rigid_inertia(const TreeBody& body, const Place& place) {
  const double m = body.mass, x = place.com_x, y = place.com_y;
  return {body.inertia + m * (x * x + y * y), -m * y, m * x, m, 0, m};
}

/// Adds an inertia about a reference that lies at (x, y) from the sum's.
void add_shifted_inertia(const Symmetric& I, double x, double y, Symmetric& sum) {
  const double tx = I.tx + x * I.xy - y * I.xx, ty = I.ty + x * I.yy - y * I.xy;
  sum.tt += I.tt + x * (ty + I.ty) - y * (tx + I.tx);
  sum.tx += tx;
  sum.ty += ty;
  sum.xx += I.xx;
  sum.xy += I.xy;
  sum.yy += I.yy;
}

Screw operator*(const Symmetric& I, const Screw& v) {
  return {I.tt * v.turn + I.tx * v.x + I.ty * v.y, I.tx * v.turn + I.xx * v.x + I.xy * v.y,
          I.ty * v.turn + I.xy * v.x + I.yy * v.y};
}

double dot(const Screw& a, const Screw& b) { return a.turn * b.turn + a.x * b.x + a.y * b.y; }

/// The inverse, false if the matrix is not positive definite.
bool invert(const Symmetric& A, Symmetric& K) {
  const double a = A.xx * A.yy - A.xy * A.xy, b = A.ty * A.xy - A.tx * A.yy,
               c = A.tx * A.xy - A.ty * A.xx;
  const double det = A.tt * a + A.tx * b + A.ty * c;
  if (!(A.xx > 0) || !(a > 0) || !(det > 1e-15 * A.tt * a)) return false;
  const double f = 1 / det;
  K = {a * f,
       b * f,
       c * f,
       (A.tt * A.yy - A.ty * A.ty) * f,
       (A.tx * A.ty - A.tt * A.xy) * f,
       (A.tt * A.xx - A.tx * A.tx) * f};
  return true;
}

/// What factor_mass keeps of each body.
struct Articulated {
  Screw U;         ///< I S of a joint with one freedom
  double inverse;  ///< 1/(SᵀIS)
  Symmetric K;     ///< I⁻¹, for a free joint
  double unused[2];
};
constexpr Index articulated_size = sizeof(Articulated) / sizeof(double);
static_assert(articulated_size == 12);

const Place& parent_place(const Vector& cache, const TreeBody& body) {
  return body.parent < 0 ? ground : places(cache)[body.parent];
}

/// Axis of a prismatic joint in the world.
Screw world_axis(const TreeBody& body, const Place& parent) {
  const double x = body.axis_P.x(), y = body.axis_P.y();
  return {0, parent.c * x - parent.s * y, parent.s * x + parent.c * y};
}

/// Direction of the joint's freedom number k.
Screw joint_direction(const TreeBody& body, const Place& parent, int k = 0) {
  if (body.kind == TreeJointKind::free) {
    if (k == 0) return {0, parent.c, parent.s};
    if (k == 1) return {0, -parent.s, parent.c};
    return {1, 0, 0};
  }
  return body.kind == TreeJointKind::revolute ? Screw{body.sense, 0, 0} : world_axis(body, parent);
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

static_assert(sizeof(Place) == 12 * sizeof(double));

Tree::Tree(std::vector<TreeBody> bodies) : bodies_(std::move(bodies)) {
  for (int i = 0; i < size(); ++i) {
    assert(body(i).parent < i);
    first_.push_back(freedoms_);
    freedoms_ += joint_freedoms(i);
  }
}

int Tree::joint_freedoms(int i) const {
  switch (body(i).kind) {
    case TreeJointKind::free:
      return 3;
    case TreeJointKind::fixed:
      return 0;
    default:
      return 1;
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
    const Screw own = joint_velocity(b, parent_place(cache, b), u.data() + first_[at(i)]);
    velocities[at(i)] = {carried.turn + own.turn, carried.x + own.x, carried.y + own.y};
    // Of the point of the parent, and Coriolis' for the way of the joint.
    const Screw a = shifted_velocity(base, here.arm_x, here.arm_y);
    const double square = parent.turn * parent.turn;
    accelerations[at(i)] = {a.turn, a.x - square * here.arm_x - 2 * parent.turn * own.y,
                            a.y - square * here.arm_y + 2 * parent.turn * own.x};
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

void Tree::write_force(const Vector& cache, std::span<const Screw> velocities,
                       std::span<const Screw> accelerations, const Vec2& gravity,
                       std::span<Screw> forces, VectorRef h) const {
  for (int i = 0; i < size(); ++i) {  // weight and force of inertia, at the centre of mass
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const Screw& a = accelerations[at(i)];
    const double square = velocities[at(i)].turn * velocities[at(i)].turn;
    const double fx = b.mass * (gravity.x() - a.x + a.turn * here.com_y + square * here.com_x);
    const double fy = b.mass * (gravity.y() - a.y - a.turn * here.com_x + square * here.com_y);
    forces[at(i)].turn += here.com_x * fy - here.com_y * fx - b.inertia * a.turn;
    forces[at(i)].x += fx;
    forces[at(i)].y += fy;
  }
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    const Screw& f = forces[at(i)];
    double* own = h.data() + first_[at(i)];
    const Place& p = parent_place(cache, b);
    if (b.kind == TreeJointKind::free) {
      own[0] = p.c * f.x + p.s * f.y;
      own[1] = -p.s * f.x + p.c * f.y;
      own[2] = f.turn;
    } else if (b.kind != TreeJointKind::fixed) {
      own[0] = dot(joint_direction(b, p), f);
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

void Tree::write_mass(const Vector& cache, Arena& scratch, MatrixRef M) const {
  Arena::Frame frame(scratch);
  const std::span<Symmetric> composite = frame.list<Symmetric>(size());
  M.setZero();
  for (int i = 0; i < size(); ++i) composite[at(i)] = rigid_inertia(body(i), places(cache)[i]);
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody& b = body(i);
    const Place& p = parent_place(cache, b);
    for (int k = 0; k < joint_freedoms(i); ++k) {
      const Screw S = joint_direction(b, p, k);
      const int row = first_[at(i)] + k;
      Screw force = composite[at(i)] * S;
      for (int j = i; j >= 0;) {  // what the other joints up to the ground feel of it
        const TreeBody& up = body(j);
        const int own = j == i ? k + 1 : joint_freedoms(j);
        for (int n = 0; n < own; ++n)
          M(row, first_[at(j)] + n) = M(first_[at(j)] + n, row) =
              dot(joint_direction(up, parent_place(cache, up), n), force);
        Screw shifted;
        add_shifted_force(force, places(cache)[j].arm_x, places(cache)[j].arm_y, shifted);
        force = shifted;
        j = up.parent;
      }
    }
    if (b.parent >= 0)
      add_shifted_inertia(composite[at(i)], places(cache)[i].arm_x, places(cache)[i].arm_y,
                          composite[at(b.parent)]);
  }
}

bool Tree::factor_mass(const Vector& cache, Matrix& factors) const {
  // Inertias, then what is kept: the first columns become Articulated from the last body on.
  const Index n = size();
  if (factors.rows() != articulated_size + 6 || factors.cols() != n)
    factors.setZero(articulated_size + 6, n);
  const auto inertia = [&](int i) -> Symmetric& {
    return *reinterpret_cast<Symmetric*>(factors.col(i).data() + articulated_size);
  };
  for (int i = 0; i < size(); ++i) inertia(i) = rigid_inertia(body(i), places(cache)[i]);
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody& b = body(i);
    const Place& here = places(cache)[i];
    auto& kept = *reinterpret_cast<Articulated*>(factors.col(i).data());
    Symmetric I = inertia(i);
    if (b.kind == TreeJointKind::free) {
      if (!invert(I, kept.K)) return false;
      continue;  // moves by itself: the parent does not feel its inertia
    }
    if (b.kind != TreeJointKind::fixed) {
      const Screw S = joint_direction(b, parent_place(cache, b));
      const Screw U = I * S;
      const double D = dot(S, U);
      const double alone = b.kind == TreeJointKind::revolute ? I.tt : I.xx + I.yy;
      if (!(D > 1e-15 * alone) || !std::isfinite(D)) return false;
      kept.U = U;
      kept.inverse = 1 / D;
      const double f = kept.inverse;
      I.tt -= f * U.turn * U.turn;
      I.tx -= f * U.turn * U.x;
      I.ty -= f * U.turn * U.y;
      I.xx -= f * U.x * U.x;
      I.xy -= f * U.x * U.y;
      I.yy -= f * U.y * U.y;
    }
    if (b.parent >= 0) add_shifted_inertia(I, here.arm_x, here.arm_y, inertia(b.parent));
  }
  return true;
}

void Tree::solve_mass(const Vector& cache, const Matrix& factors, const BodyRange& range,
                      Arena& scratch, VectorRef x) const {
  Arena::Frame frame(scratch);
  const auto [first, end] = range;
  // Of body i at i − first.
  std::span<Screw> force = frame.list<Screw>(end - first);
  std::span<Screw> acceleration = frame.list<Screw>(end - first);
  for (Screw& f : force) f = {};
  // Towards the ground: what each joint leaves to its parent; x becomes b − Sᵀp.
  for (int i = end - 1; i >= first; --i) {
    const TreeBody& b = body(i);
    const Place &here = places(cache)[i], &p = parent_place(cache, b);
    const auto& kept = *reinterpret_cast<const Articulated*>(factors.col(i).data());
    double* own = x.data() + first_[at(i)];
    Screw f = force[at(i - first)];
    if (b.kind == TreeJointKind::free) {
      const Screw given{own[2], p.c * own[0] - p.s * own[1], p.s * own[0] + p.c * own[1]};
      own[0] = given.x - f.x;  // kept in the world's axes until the way back
      own[1] = given.y - f.y;
      own[2] = given.turn - f.turn;
      f = given;
    } else if (b.kind != TreeJointKind::fixed) {
      own[0] -= dot(joint_direction(b, p), f);
      const double share = kept.inverse * own[0];
      f = {f.turn + share * kept.U.turn, f.x + share * kept.U.x, f.y + share * kept.U.y};
    }
    if (b.parent >= first)
      add_shifted_force(f, here.arm_x, here.arm_y, force[at(b.parent - first)]);
  }
  // And back: accelerations.
  for (int i = first; i < end; ++i) {
    const TreeBody& b = body(i);
    const Place &here = places(cache)[i], &p = parent_place(cache, b);
    const auto& kept = *reinterpret_cast<const Articulated*>(factors.col(i).data());
    double* own = x.data() + first_[at(i)];
    const Screw base = b.parent < first ? Screw{} : acceleration[at(b.parent - first)];
    Screw a = shifted_velocity(base, here.arm_x, here.arm_y);
    if (b.kind == TreeJointKind::free) {
      const Screw reached = kept.K * Screw{own[2], own[0], own[1]};
      const double dx = reached.x - a.x, dy = reached.y - a.y;
      own[2] = reached.turn - a.turn;
      own[0] = p.c * dx + p.s * dy;
      own[1] = -p.s * dx + p.c * dy;
      a = reached;
    } else if (b.kind != TreeJointKind::fixed) {
      own[0] = kept.inverse * (own[0] - dot(kept.U, a));
      const Screw S = joint_direction(b, p);
      a = {a.turn + S.turn * own[0], a.x + S.x * own[0], a.y + S.y * own[0]};
    }
    acceleration[at(i - first)] = a;
  }
}

double Tree::kinetic_energy(const Vector& cache, std::span<const Screw> velocities) const {
  double twice = 0;
  for (int i = 0; i < size(); ++i) {
    const Screw& v = velocities[at(i)];
    twice += dot(v, rigid_inertia(body(i), places(cache)[i]) * v);
  }
  return 0.5 * twice;
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
