// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <Eigen/LU>

#include "backlash/integrators/moreau/workspace.h"

/// The θ-scheme (theory 4.5): forces at the θ-point q_A ⊕ θΔt u_θ, u_θ = (1 − θ) u_A + θ u_E, found
/// by Newton's iteration with the contact problem solved in each of its steps.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// M (u − u_A) − Δt h at the θ-point that belongs to the iterate, and the matrix of its linear
/// part: M − θΔt ∂h/∂u − θ²Δt² ∂h/∂q N.
bool linearise(Moreau::Workspace& work, const State& state, double step) {
  const double theta = work.options.theta;
  work.u_theta = (1 - theta) * state.u + theta * work.u_iterate;
  work.end.t = state.t + theta * step;
  work.system.advance(state.q, work.u_theta, theta * step, work.end.q);
  if (work.states.size() > 0) {
    work.states.base = state.q.tail(work.states.size());
    if (!work.states.solve(work.u_theta, theta * step, work.end)) return false;
    work.states_theta = work.end.q.tail(work.states.size());
  } else {
    work.system.configure(work.end);
  }
  work.M_theta.setZero();
  work.system.mass(work.end, work.M_theta);
  work.system.force(work.end, work.u_theta, work.h);
  work.unbalance = work.M_theta * (work.u_iterate - state.u) - step * work.h;
  work.system.force_velocity_jacobian(work.end, work.u_theta, work.dh_du);
  work.system.force_position_jacobian(work.end, work.u_theta, work.dh_dq);
  work.iteration_matrix =
      work.M_theta - theta * step * work.dh_du - theta * theta * step * step * work.dh_dq;
  return true;
}

}  // namespace

bool step_theta(Moreau::Workspace& work, const State& state, double step) {
  const int most_iterations = work.has_varying_friction ? FrictionLoads::most_rounds : 50;
  constexpr double tolerance = 1e-13;
  // A velocity too small to move anything by round-off of the model's length.
  const double smallest = 1e-15 * work.system.info().length / step;
  if (!work.system.factor_mass(work.middle, work.M)) {
    work.result.status = StepStatus::mass_not_positive;
    return false;
  }
  work.u_iterate = state.u;
  begin_friction(work, state);
  work.bilateral_target.setZero();
  work.bilateral_start.setZero();
  const Index n = work.u_iterate.size();
  Eigen::PartialPivLU<Matrix> factors(n);
  for (int k = 0; k < most_iterations; ++k) {
    if (!linearise(work, state, step)) break;
    if (!accept_finite(work, work.h)) return false;
    if (work.options.theta == 0.5) {  // above, errors die out alone
      work.u_middle = work.u_theta;
      target_bilaterals(work, state, step);
    }
    factors.compute(work.iteration_matrix);
    work.u_free = work.u_iterate - factors.solve(work.unbalance);
    const MatrixMap W(work.set.W.data(), n, work.set.rows);
    MatrixMap effects(work.set.mass_inverse_W.data(), n, work.set.rows);
    if (work.set.rows > 0) effects = factors.solve(W);
    if (!resolve_contacts(work, state, step)) return false;
    work.u_end = work.u_free;
    if (work.set.rows > 0) work.u_end += effects * work.solution.impulse;
    const double change = (work.u_end - work.u_iterate).norm();
    const double size = work.u_end.norm() + state.u.norm();
    work.u_iterate = work.u_end;
    if (!std::isfinite(change)) return true;  // the caller names the element
    if (change > tolerance * size + smallest || friction_changes(work, state, step)) continue;
    work.u_theta = (1 - work.options.theta) * state.u + work.options.theta * work.u_end;
    return true;
  }
  work.result.status = StepStatus::iteration_not_converged;
  return false;
}

}  // namespace backlash
