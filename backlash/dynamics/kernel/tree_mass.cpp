// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/dynamics/kernel/body_kinematics.h"

/// M of a tree by composite inertias, and M⁻¹ by articulated ones (theory 6.4).
namespace backlash::planar {
namespace {

using Index = Eigen::Index;

/// Symmetric 3 × 3 matrix over (turn, x, y): an inertia about a reference, or its inverse.
struct Symmetric {
  double tt, tx, ty, xx, xy, yy;
};

/// Of a rigid body about a reference (theory 6.4): all that a Symmetric has besides are zero.
struct RigidInertia {
  double tt, tx, ty, m;

  operator Symmetric() const { return {tt, tx, ty, m, 0, m}; }
};

/// About the body's own reference.
RigidInertia rigid_inertia(const TreeBody& body, const Place& place) {
  const double m = body.mass, x = place.com_x, y = place.com_y;
  return {body.inertia + m * (x * x + y * y), -m * y, m * x, m};
}

/// Adds an inertia about a reference that lies at (x, y) from the sum's.
void add_shifted_inertia(const RigidInertia& I, double x, double y, RigidInertia& sum) {
  const double tx = I.tx - y * I.m, ty = I.ty + x * I.m;
  sum.tt += I.tt + x * (ty + I.ty) - y * (tx + I.tx);
  sum.tx += tx;
  sum.ty += ty;
  sum.m += I.m;
}

Screw operator*(const RigidInertia& I, const Screw& v) {
  return {I.tt * v.turn + I.tx * v.x + I.ty * v.y, I.tx * v.turn + I.m * v.x,
          I.ty * v.turn + I.m * v.y};
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
  Screw U;         ///< I S of a joint with one dof
  double inverse;  ///< 1/(SᵀIS)
  Symmetric K;     ///< I⁻¹, for a free joint
  double unused[2];
};
constexpr Index articulated_size = sizeof(Articulated) / sizeof(double);
static_assert(articulated_size == 12);

}  // namespace

inline Screw Tree::direction(const Dof& dof, const Vector& cache) const {
  if (dof.sense != 0) return {dof.sense, 0, 0};
  const TreeBody& b = body(dof.body);
  return joint_direction(b, parent_place(cache, b), dof.number);
}

void Tree::write_mass(const Vector& cache, Arena& scratch, MatrixRef M) const {
  Arena::Frame frame(scratch);
  RigidInertia* composite = frame.list<RigidInertia>(size()).data();
  const Place* place = places(cache);
  for (int i = 0; i < size(); ++i) composite[i] = rigid_inertia(body(i), place[i]);
  for (int i = size() - 1; i > 0; --i)
    if (const int parent = body(i).parent; parent >= 0)
      add_shifted_inertia(composite[i], place[i].arm_x, place[i].arm_y, composite[parent]);
  const Dof* dof = dofs_.data();
  const int n = dofs();
  double* column = M.data();
  const Index stride = M.outerStride();
  for (int f = 0; f < n; ++f, column += stride) {
    const Dof& own = dof[f];
    const Place& here = place[own.body];
    const RigidInertia& I = composite[own.body];
    const Screw force = own.sense != 0 ? Screw{own.sense * I.tt, own.sense * I.tx, own.sense * I.ty}
                                       : I * direction(own, cache);
    for (int g = f, felt_by = f; g >= 0; --g) {  // those between it and the ground feel it
      double felt = 0;
      if (g == felt_by) {
        const Dof& other = dof[g];
        const Place& there = place[other.body];
        const double x = here.ref_x - there.ref_x, y = here.ref_y - there.ref_y;
        felt = other.sense != 0 ? other.sense * (force.turn + x * force.y - y * force.x)
                                : dot(direction(other, cache), {0, force.x, force.y});
        felt_by = other.next;
      }
      column[g] = M.data()[g * stride + f] = felt;
    }
  }
}

bool Tree::factor_mass(const Vector& cache, Matrix& factors) const {
  return factor(cache, factors) < 0;
}

int Tree::body_without_inertia(const Vector& cache) const {
  Matrix factors;
  return factor(cache, factors);
}

int Tree::factor(const Vector& cache, Matrix& factors) const {
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
      if (!invert(I, kept.K)) return i;
      continue;  // moves by itself: the parent does not feel its inertia
    }
    if (b.kind != TreeJointKind::fixed) {
      const Screw S = joint_direction(b, parent_place(cache, b));
      const Screw U = I * S;
      const double D = dot(S, U);
      const double alone = b.kind == TreeJointKind::revolute ? I.tt : I.xx + I.yy;
      if (!(D > 1e-15 * alone) || !std::isfinite(D)) return i;
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
  return -1;
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

}  // namespace backlash::planar
