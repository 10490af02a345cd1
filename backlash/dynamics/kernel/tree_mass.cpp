// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/dynamics/kernel/tree.h"

/// M of a tree by composite inertias (theory 6.6), and M⁻¹ by articulated ones (theory 6.7).
namespace backlash {
namespace {

using Index = Eigen::Index;

/// What factor_mass keeps of each body: of a free joint the inverse of I, of others U = I S and D⁻¹
/// with D = SᵀIS.
template <class S>
struct ArticulatedBody {
  static constexpr int most = S::dof - 1;
  typename S::ArticulatedInertia I, inverse;
  std::array<Wrench<S>, most> U;
  std::array<double, most * most> D_inverse;  ///< one column after the other
};

template <class S>
constexpr Index articulated_size = sizeof(ArticulatedBody<S>) / sizeof(double);

/// Column k of the joint's subspace.
template <class S>
Twist<S> subspace(const TreeJoint<S>& joint, const BodyKinematics<S>& here, int k) {
  const int t = joint.translations;
  if (k < t) return {S::no_rotation(), here.translations[at(k)]};
  return {here.rotations[at(k - t)], S::Vec::Zero()};
}

/// The inverse of a symmetric n × n matrix in place, by Gauss and Jordan; false if it is not
/// positive definite: a pivot is below 1e-15 of `scale`.
bool invert(int n, const double* scale, double* A) {
  for (int p = 0; p < n; ++p) {
    const double pivot = A[p * n + p];
    if (!(pivot > 1e-15 * scale[p]) || !std::isfinite(pivot)) return false;
    A[p * n + p] = 1;
    for (int j = 0; j < n; ++j) A[j * n + p] /= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const double f = A[p * n + i];
      A[p * n + i] = 0;
      for (int j = 0; j < n; ++j) A[j * n + i] -= f * A[j * n + p];
    }
  }
  return true;
}

/// I −= U D⁻¹ Uᵀ.
template <class S>
void subtract_moved(const ArticulatedBody<S>& kept, int n, typename S::ArticulatedInertia& I) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      subtract_product(kept.D_inverse[at(j * n + i)], kept.U[at(i)], kept.U[at(j)], I);
}

/// U, D⁻¹, and what is left of I; false if the joint can move without inertia.
template <class S>
bool factor_joint(const TreeJoint<S>& joint, const BodyKinematics<S>& here,
                  typename S::ArticulatedInertia& I, ArticulatedBody<S>& kept) {
  const int n = joint.dofs();
  double scale[S::dof];
  for (int j = 0; j < n; ++j) {
    const Twist<S> column = subspace(joint, here, j);
    kept.U[at(j)] = I * column;
    for (int i = 0; i <= j; ++i)
      kept.D_inverse[at(j * n + i)] = kept.D_inverse[at(i * n + j)] =
          dot(i == j ? column : subspace(joint, here, i), kept.U[at(j)]);
    scale[j] = j < joint.translations ? I.linear_trace() : I.angular_trace();
  }
  if (!invert(n, scale, kept.D_inverse.data())) return false;
  if (n == 1)
    subtract_square(kept.D_inverse[0], kept.U[0], I);
  else
    subtract_moved(kept, n, I);
  return true;
}

/// Towards the ground, at a joint that holds something: p becomes p + U D⁻¹ (b − Sᵀp), and `own`
/// from b to D⁻¹ (b − Sᵀp).
template <class S>
void share(const TreeJoint<S>& joint, const BodyKinematics<S>& here, const ArticulatedBody<S>& kept,
           Wrench<S>& p, double* own) {
  const int n = joint.dofs();
  double beta[S::dof];
  for (int k = 0; k < n; ++k) beta[k] = own[k] - dot(subspace(joint, here, k), p);
  for (int i = 0; i < n; ++i) {
    own[i] = 0;
    for (int j = 0; j < n; ++j) own[i] += kept.D_inverse[at(j * n + i)] * beta[j];
    p.angular += own[i] * kept.U[at(i)].angular;
    p.linear += own[i] * kept.U[at(i)].linear;
  }
}

/// And back: a' of the parent becomes a = a' + S x, `own` becomes x.
template <class S>
Twist<S> accelerate(const TreeJoint<S>& joint, const BodyKinematics<S>& here,
                    const ArticulatedBody<S>& kept, const Twist<S>& a, double* own) {
  const int n = joint.dofs();
  for (int j = 0; j < n; ++j) {
    const double along = dot(a, kept.U[at(j)]);
    for (int i = 0; i < n; ++i) own[i] -= kept.D_inverse[at(j * n + i)] * along;
  }
  return a + joint_twist(joint.size(), here, own);
}

/// The same at a free joint, whose S has an inverse, Sᵀ: the parent feels S b, whatever p is.
template <class S>
Wrench<S> release(const TreeJoint<S>& joint, const BodyKinematics<S>& here, const Wrench<S>& p,
                  double* own) {
  const Twist<S> b = joint_twist(joint.size(), here, own);
  add_joint_force(joint.size(), here, {-p.angular, -p.linear}, own);
  return {b.angular, b.linear};
}
template <class S>
Twist<S> accelerate_freely(const TreeJoint<S>& joint, const BodyKinematics<S>& here,
                           const ArticulatedBody<S>& kept, const Twist<S>& a, double* own) {
  const Twist<S> pushed = joint_twist(joint.size(), here, own);
  const Twist<S> reached = kept.inverse * Wrench<S>{pushed.angular, pushed.linear};
  for (int k = 0; k < S::dof; ++k) own[k] = 0;
  add_joint_force(joint.size(), here, {reached.angular - a.angular, reached.linear - a.linear},
                  own);
  return reached;
}

}  // namespace

template <class S>
void Tree<S>::write_mass(const Vector& cache, Arena& scratch, MatrixRef M) const {
  Arena::Frame frame(scratch);
  RigidInertia<S>* composite = frame.room<RigidInertia<S>>(size()).data();
  const BodyKinematics<S>* all = bodies_in<S>(cache);
  for (int i = 0; i < size(); ++i) composite[i] = all[i].inertia;
  if (!chain_) M.setZero();
  const Link* const links = links_.data();
  double* const entries = M.data();
  const Index stride = M.outerStride();
  // What goes with a unit acceleration of dof f of body i is felt by all between it and the ground.
  const auto write_row = [=](Index f, int i, Wrench<S> F) {
    for (; i >= 0; i = links[i].parent) {
      double* const row = entries + f + links[i].first_dof * stride;
      project_on_joint(links[i].joint, all[i], F,
                       [&](int k, double felt) { row[k * stride] = felt; });
      F.angular += S::cross(all[i].arm, F.linear);
    }
  };
  for (int i = size() - 1; i >= 0; --i) {
    const Link& own = links[i];
    const RigidInertia<S>& I = composite[i];
    int f = own.first_dof;
    for (int k = 0; k < S::dimension && k < own.joint.translations; ++k, ++f)
      write_row(f, i, translated(I, all[i].translations[at(k)]));
    for (int k = 0; k < S::rotations && k < own.joint.rotations; ++k, ++f)
      write_row(f, i, rotated(I, all[i].rotations[at(k)]));
    if (own.parent >= 0) add_shifted(I, all[i].arm, composite[own.parent]);
  }
}

template <class S>
bool Tree<S>::factor_mass(const Vector& cache, Matrix& factors) const {
  return factor(cache, factors) < 0;
}

template <class S>
int Tree<S>::body_without_inertia(const Vector& cache) const {
  Matrix factors;
  return factor(cache, factors);
}

template <class S>
int Tree<S>::factor(const Vector& cache, Matrix& factors) const {
  if (factors.rows() != articulated_size<S> || factors.cols() != size())
    factors.setZero(articulated_size<S>, size());
  auto* all = reinterpret_cast<ArticulatedBody<S>*>(factors.data());
  for (int i = 0; i < size(); ++i) all[i].I = bodies_in<S>(cache)[i].inertia;
  for (int i = size() - 1; i >= 0; --i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    ArticulatedBody<S>& kept = all[i];
    if (joint_dofs(i) == S::dof) {
      if (!invert(kept.I, kept.inverse)) return i;
      continue;  // moves by itself: the parent does not feel its inertia
    }
    if (joint_dofs(i) > 0 && !factor_joint(b.joint, here, kept.I, kept)) return i;
    if (b.parent >= 0) add_shifted(kept.I, here.arm, all[b.parent].I);
  }
  return -1;
}

template <class S>
void Tree<S>::solve_mass(const Vector& cache, const Matrix& factors, const BodyRange& range,
                         Arena& scratch, VectorRef x) const {
  Arena::Frame frame(scratch);
  const auto [first, end] = range;
  const auto* all = reinterpret_cast<const ArticulatedBody<S>*>(factors.data());
  // Of body i at i − first.
  const std::span<Wrench<S>> force = frame.list<Wrench<S>>(end - first);
  const std::span<Twist<S>> acceleration = frame.room<Twist<S>>(end - first);
  std::fill(force.begin(), force.end(), Wrench<S>{});
  // Towards the ground: what each joint leaves to its parent; x becomes D⁻¹ (b − Sᵀp).
  for (int i = end - 1; i >= first; --i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    double* own = x.data() + first_dof(i);
    Wrench<S>& f = force[at(i - first)];
    if (joint_dofs(i) == S::dof)
      f = release(b.joint, here, f, own);
    else if (joint_dofs(i) > 0)
      share(b.joint, here, all[i], f, own);
    if (b.parent >= first) add_shifted(f, here.arm, force[at(b.parent - first)]);
  }
  // And back: accelerations.
  for (int i = first; i < end; ++i) {
    const TreeBody<S>& b = body(i);
    const BodyKinematics<S>& here = bodies_in<S>(cache)[i];
    double* own = x.data() + first_dof(i);
    Twist<S> a;
    if (b.parent >= first) a = shifted(acceleration[at(b.parent - first)], here.arm);
    if (joint_dofs(i) == S::dof)
      a = accelerate_freely(b.joint, here, all[i], a, own);
    else if (joint_dofs(i) > 0)
      a = accelerate(b.joint, here, all[i], a, own);
    acceleration[at(i - first)] = a;
  }
}

template <class S>
double Tree<S>::kinetic_energy(const Vector& cache, std::span<const Twist<S>> velocities) const {
  double twice = 0;
  for (int i = 0; i < size(); ++i) {
    const Twist<S>& V = velocities[at(i)];
    twice += dot(V, bodies_in<S>(cache)[i].inertia * V);
  }
  return 0.5 * twice;
}

template void Tree<Plane>::write_mass(const Vector&, Arena&, MatrixRef) const;
template bool Tree<Plane>::factor_mass(const Vector&, Matrix&) const;
template int Tree<Plane>::body_without_inertia(const Vector&) const;
template int Tree<Plane>::factor(const Vector&, Matrix&) const;
template void Tree<Plane>::solve_mass(const Vector&, const Matrix&, const BodyRange&, Arena&,
                                      VectorRef) const;
template double Tree<Plane>::kinetic_energy(const Vector&, std::span<const Twist<Plane>>) const;
template void Tree<Space>::write_mass(const Vector&, Arena&, MatrixRef) const;
template bool Tree<Space>::factor_mass(const Vector&, Matrix&) const;
template int Tree<Space>::body_without_inertia(const Vector&) const;
template int Tree<Space>::factor(const Vector&, Matrix&) const;
template void Tree<Space>::solve_mass(const Vector&, const Matrix&, const BodyRange&, Arena&,
                                      VectorRef) const;
template double Tree<Space>::kinetic_energy(const Vector&, std::span<const Twist<Space>>) const;

}  // namespace backlash
