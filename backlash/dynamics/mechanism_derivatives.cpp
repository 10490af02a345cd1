// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/planar_changes.h"
#include "backlash/dynamics/kernel/moving_frame.h"
#include "backlash/dynamics/mechanism.h"

/// Derivatives of a mechanism for implicit methods: in the plane exact (theory 12.8), in space by
/// the differences of System, but for those of the states' rates by the states.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// J.col(j) += change of the generalised forces that add(tree, direction) brings about, along the
/// coordinate or the velocity j.
enum class Along { positions, velocities };
template <class Add>
void add_changes(const Parts<Plane>& parts, const Configuration& c, const Vector& u, Along along,
                 MatrixRef J, Add add) {
  thread_local Vector unit, none;
  unit.setZero(u.size());
  none.setZero(u.size());
  VariedTree tree(parts.tree, c.cache, u, c.scratch);
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    unit[j] = 1;
    const Direction direction =
        along == Along::positions ? Direction{unit, none} : Direction{none, unit};
    add(tree, tree.turn_to(direction), direction);
    tree.add_generalised_change(J.col(j));
    unit[j] = 0;
  }
}

void add_forces(const Parts<Plane>& parts, const Configuration& c, const VariedMotion& varied,
                const VariedForces& sum) {
  for (const Element<ForceKind<Plane>>& force : parts.forces)
    if (force.on(c)) add(force.kind, varied, c.t, sum);
}

/// ∂h/∂q N or ∂h/∂u.
void write_force_jacobian(const Parts<Plane>& parts, const Configuration& c, const Vector& u,
                          Along along, MatrixRef J) {
  thread_local Vector no_acceleration;
  no_acceleration.setZero(u.size());
  J.setZero();
  add_changes(parts, c, u, along, J,
              [&](VariedTree& tree, const VariedMotion& varied, const Direction& direction) {
                tree.add_inertia(parts.gravity, no_acceleration, direction);
                add_forces(parts, c, varied, tree.forces());
              });
}

/// J += ∂(W λ)/∂q N of rows that add(varied, forces) adds.
template <class Add>
void add_row_changes(const Parts<Plane>& parts, const Configuration& c, MatrixRef J, Add add) {
  thread_local Vector at_rest;
  at_rest.setZero(J.rows());
  add_changes(parts, c, at_rest, Along::positions, J,
              [&](VariedTree& tree, const VariedMotion& varied, const Direction&) {
                add(varied, tree.forces());
              });
}

/// Where the first of the states is in the cache.
template <class S>
int first_state(const Parts<S>& parts, const Configuration& c) {
  return static_cast<int>(c.cache.size()) - static_cast<int>(parts.states.size());
}

/// Changes of the states' rates.
void write_rate_changes(const Parts<Plane>& parts, const VariedMotion& varied, double t,
                        VectorRef change) {
  for (std::size_t i = 0; i < parts.states.size(); ++i)
    change[static_cast<Index>(i)] = vary(parts.states[i], varied, t).change;
}

/// ∂f/∂q N or ∂f/∂u of the states' rates.
void write_rate_jacobian(const Parts<Plane>& parts, const Configuration& c, const Vector& u,
                         Along along, MatrixRef J) {
  thread_local Vector unit, none;
  unit.setZero(u.size());
  none.setZero(u.size());
  VariedTree tree(parts.tree, c.cache, u, c.scratch);
  for (Index j = 0; j < J.cols(); ++j) {
    unit[j] = 1;
    const VariedMotion& varied =
        tree.turn_to(along == Along::positions ? Direction{unit, none} : Direction{none, unit});
    write_rate_changes(parts, varied, c.t, J.col(j));
    unit[j] = 0;
  }
}

}  // namespace

template <class S>
void Mechanism<S>::state_rate_state_jacobian(const Configuration& c, const Vector& u,
                                             MatrixRef df_dx) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  const int first = first_state(parts_, c);
  for (Index i = 0; i < df_dx.rows(); ++i)
    for (Index j = 0; j < df_dx.cols(); ++j)
      df_dx(i, j) = state_derivative(parts_.states[static_cast<std::size_t>(i)], frame.motion(),
                                     c.t, first + static_cast<int>(j));
}

template <class S>
void Mechanism<S>::state_rate_velocity_jacobian(const Configuration& c, const Vector& u,
                                                MatrixRef df_du) const {
  if constexpr (S::dimension == 2)
    write_rate_jacobian(parts_, c, u, Along::velocities, df_du);
  else
    System::state_rate_velocity_jacobian(c, u, df_du);
}

template <class S>
void Mechanism<S>::state_rate_position_jacobian(const Configuration& c, const Vector& u,
                                                MatrixRef df_dq) const {
  if constexpr (S::dimension == 2)
    write_rate_jacobian(parts_, c, u, Along::positions, df_dq);
  else
    System::state_rate_position_jacobian(c, u, df_dq);
}

template <class S>
void Mechanism<S>::state_rate_time_derivative(const Configuration& c, const Vector& u,
                                              VectorRef df_dt) const {
  if constexpr (S::dimension == 2) {
    const Vector none = Vector::Zero(u.size());
    VariedTree tree(parts_.tree, c.cache, u, c.scratch);
    write_rate_changes(parts_, tree.turn_to({none, none, 1}), c.t, df_dt);
  } else {
    System::state_rate_time_derivative(c, u, df_dt);
  }
}

template <class S>
void Mechanism<S>::force_state_jacobian(const Configuration& c, const Vector& u,
                                        MatrixRef dh_dx) const {
  if constexpr (S::dimension == 2) {
    const Vector none = Vector::Zero(u.size());
    VariedTree tree(parts_.tree, c.cache, u, c.scratch);
    dh_dx.setZero();
    for (Index j = 0; j < dh_dx.cols(); ++j) {
      const int state = first_state(parts_, c) + static_cast<int>(j);
      add_forces(parts_, c, tree.turn_to({none, none, 0, state}), tree.forces());
      tree.add_generalised_change(dh_dx.col(j));
    }
  } else {
    System::force_state_jacobian(c, u, dh_dx);
  }
}

template <class S>
void Mechanism<S>::force_velocity_jacobian(const Configuration& c, const Vector& u,
                                           MatrixRef dh_du) const {
  if constexpr (S::dimension == 2)
    write_force_jacobian(parts_, c, u, Along::velocities, dh_du);
  else
    System::force_velocity_jacobian(c, u, dh_du);
}

template <class S>
void Mechanism<S>::force_position_jacobian(const Configuration& c, const Vector& u,
                                           MatrixRef dh_dq) const {
  if constexpr (S::dimension == 2)
    write_force_jacobian(parts_, c, u, Along::positions, dh_dq);
  else
    System::force_position_jacobian(c, u, dh_dq);
}

template <class S>
void Mechanism<S>::force_time_derivative(const Configuration& c, const Vector& u,
                                         VectorRef dh_dt) const {
  if constexpr (S::dimension == 2) {
    const Vector none = Vector::Zero(u.size());
    VariedTree tree(parts_.tree, c.cache, u, c.scratch);
    add_forces(parts_, c, tree.turn_to({none, none, 1}), tree.forces());
    dh_dt.setZero();
    tree.add_generalised_change(dh_dt);
  } else {
    System::force_time_derivative(c, u, dh_dt);
  }
}

template <class S>
void Mechanism<S>::mass_position_jacobian(const Configuration& c, const Vector& a,
                                          MatrixRef dMa_dq) const {
  if constexpr (S::dimension == 2) {
    thread_local Vector minus_a, at_rest;
    minus_a = -a;  // forces of inertia are −M a
    at_rest.setZero(a.size());
    dMa_dq.setZero();
    add_changes(parts_, c, at_rest, Along::positions, dMa_dq,
                [&](VariedTree& tree, const VariedMotion&, const Direction& direction) {
                  tree.add_inertia(PlainVec2::Zero(), minus_a, direction);
                });
  } else {
    System::mass_position_jacobian(c, a, dMa_dq);
  }
}

template <class S>
void Mechanism<S>::add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                                        const ContactVelocity& lambda, MatrixRef J) const {
  if constexpr (S::dimension == 2)
    parts_.visit_contact(frame.key, [&](const ContactKind<Plane>& contact) {
      add_row_changes(parts_, c, J, [&](const VariedMotion& varied, const VariedForces& sum) {
        add_rows(contact, kinematics_of<Plane>(frame), varied, lambda, sum);
      });
    });
  else
    System::add_contact_jacobian(c, frame, lambda, J);
}

template <class S>
void Mechanism<S>::add_bilateral_jacobian(const Configuration& c, const VectorView& lambda,
                                          MatrixRef J) const {
  if constexpr (S::dimension == 2)
    add_row_changes(parts_, c, J, [&](const VariedMotion& varied, const VariedForces& sum) {
      for (std::size_t i = 0; i < parts_.constraints.size(); ++i)
        if (parts_.constraints[i].holds(c.switches))
          add_row(parts_.constraints[i], varied, lambda[static_cast<Eigen::Index>(i)], sum);
    });
  else
    System::add_bilateral_jacobian(c, lambda, J);
}

template <class S>
void Mechanism<S>::add_relay_jacobian(const Configuration& c, const VectorView& lambda,
                                      MatrixRef J) const {
  if constexpr (S::dimension == 2)
    add_row_changes(parts_, c, J, [&](const VariedMotion& varied, const VariedForces& sum) {
      for (std::size_t i = 0; i < parts_.relays.size(); ++i)
        add_row(parts_.relays[i].kind, varied, lambda[static_cast<Eigen::Index>(i)], sum);
    });
  else
    System::add_relay_jacobian(c, lambda, J);
}

template void Mechanism<Plane>::state_rate_state_jacobian(const Configuration&, const Vector&,
                                                          MatrixRef) const;
template void Mechanism<Plane>::state_rate_velocity_jacobian(const Configuration&, const Vector&,
                                                             MatrixRef) const;
template void Mechanism<Plane>::state_rate_position_jacobian(const Configuration&, const Vector&,
                                                             MatrixRef) const;
template void Mechanism<Plane>::state_rate_time_derivative(const Configuration&, const Vector&,
                                                           VectorRef) const;
template void Mechanism<Plane>::force_state_jacobian(const Configuration&, const Vector&,
                                                     MatrixRef) const;
template void Mechanism<Space>::state_rate_state_jacobian(const Configuration&, const Vector&,
                                                          MatrixRef) const;
template void Mechanism<Space>::state_rate_velocity_jacobian(const Configuration&, const Vector&,
                                                             MatrixRef) const;
template void Mechanism<Space>::state_rate_position_jacobian(const Configuration&, const Vector&,
                                                             MatrixRef) const;
template void Mechanism<Space>::state_rate_time_derivative(const Configuration&, const Vector&,
                                                           VectorRef) const;
template void Mechanism<Space>::force_state_jacobian(const Configuration&, const Vector&,
                                                     MatrixRef) const;
template void Mechanism<Plane>::force_velocity_jacobian(const Configuration&, const Vector&,
                                                        MatrixRef) const;
template void Mechanism<Plane>::force_position_jacobian(const Configuration&, const Vector&,
                                                        MatrixRef) const;
template void Mechanism<Plane>::force_time_derivative(const Configuration&, const Vector&,
                                                      VectorRef) const;
template void Mechanism<Plane>::mass_position_jacobian(const Configuration&, const Vector&,
                                                       MatrixRef) const;
template void Mechanism<Plane>::add_contact_jacobian(const Configuration&, const ContactFrame&,
                                                     const ContactVelocity&, MatrixRef) const;
template void Mechanism<Plane>::add_bilateral_jacobian(const Configuration&, const VectorView&,
                                                       MatrixRef) const;
template void Mechanism<Plane>::add_relay_jacobian(const Configuration&, const VectorView&,
                                                   MatrixRef) const;
template void Mechanism<Space>::force_velocity_jacobian(const Configuration&, const Vector&,
                                                        MatrixRef) const;
template void Mechanism<Space>::force_position_jacobian(const Configuration&, const Vector&,
                                                        MatrixRef) const;
template void Mechanism<Space>::force_time_derivative(const Configuration&, const Vector&,
                                                      VectorRef) const;
template void Mechanism<Space>::mass_position_jacobian(const Configuration&, const Vector&,
                                                       MatrixRef) const;
template void Mechanism<Space>::add_contact_jacobian(const Configuration&, const ContactFrame&,
                                                     const ContactVelocity&, MatrixRef) const;
template void Mechanism<Space>::add_bilateral_jacobian(const Configuration&, const VectorView&,
                                                       MatrixRef) const;
template void Mechanism<Space>::add_relay_jacobian(const Configuration&, const VectorView&,
                                                   MatrixRef) const;

}  // namespace backlash
