// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/integrators/optimisation/workspace.h"

/// Impacts that bounce (theory 12.10).
namespace backlash {
namespace {

using Index = Eigen::Index;
using Work = Optimisation::Workspace;

bool bounces(const Work& work, const State& state) {
  if (work.options.impacts == Impacts::plastic) return false;
  for (Index i = 0; i < work.equations.contacts(); ++i) {
    const ContactLaw& law = work.equations.candidates()[at(i)].info->law;
    if ((law.restitution > 0 || law.tangential_restitution > 0) && closes_now(work, state, i))
      return true;
  }
  return false;
}

void append_row(ContactProblem& problem, std::vector<Index>& rows, const Law& law, Index row) {
  problem.blocks.push_back({static_cast<Index>(rows.size()), law});
  rows.push_back(row);
}

/// The laws of all rows that act, and which rows they are.
void arrange_impact(Work& work, std::vector<Index>& rows) {
  const StepEquations& equations = work.equations;
  ContactProblem& problem = work.impact;
  problem.blocks.clear();
  rows.clear();
  for (Index r = equations.first_bilateral(); r < equations.first_box(); ++r)
    append_row(problem, rows, Bilateral{}, r);
  for (Index i = 0; i < equations.contacts(); ++i) {
    if (!work.active.closed[at(i)]) continue;
    const Candidate& candidate = equations.candidates()[at(i)];
    if (candidate.box < 0) {
      append_row(problem, rows, Unilateral{}, i);
    } else {
      append_row(problem, rows, Coulomb{.friction = candidate.info->law.friction}, i);
      rows.push_back(equations.first_box() + candidate.box);
    }
  }
  for (Index k = 0; k < equations.boxes(); ++k) {
    const BoxRow& row = equations.box_rows()[at(k)];
    if (row.relay < 0 || row.by_displacement) continue;
    append_row(problem, rows, Relay{.limit = equations.length() * row.upper},
               equations.first_box() + k);
  }
}

/// What ξ has besides γ at the end: ε γ at the start where bodies meet now; elsewhere the velocity
/// that the step has without the law stays the least.
double shift_of(const Work& work, const State& state, Index row) {
  const StepEquations& equations = work.equations;
  const bool is_box = row >= equations.first_box();
  const Index k = row - equations.first_box();
  const int candidate = is_box ? equations.box_rows()[at(k)].candidate : static_cast<int>(row);
  const bool is_contact = is_box ? candidate >= 0 : row < equations.contacts();
  if (is_contact && closes_now(work, state, candidate)) {
    const ContactLaw& law = equations.candidates()[at(candidate)].info->law;
    return is_box ? law.tangential_restitution * work.gamma_before[row]
                  : law.restitution * work.approach[row];
  }
  return is_box ? 0 : -equations.rates()[row];
}

/// The velocity with which a contact begins the step counts as none below this [m/s]: round-off of
/// the velocities, of what the loads change, and of positions (theory 12.13) over the step.
double least_approach(const Work& work, const State& state, Index i) {
  constexpr double slow = 1e-9;
  const auto& W = work.equations.directions().col(i);
  return slow * (W.cwiseAbs().dot(state.u.cwiseAbs()) + std::abs(W.dot(work.free.u - state.u))) +
         work.newton.allowed(i) / work.equations.length();
}

/// Gaps and velocities with which contacts begin the step (theory 12.19): of bodies that touch
/// then, and where the rows at its end do not say that they approach, by the rows of its start.
void write_approach(Work& work, const State& state) {
  const StepEquations& equations = work.equations;
  work.gaps_before.setConstant(equations.contacts(), NAN);
  work.approach = work.gamma_before.head(equations.contacts());
  for (Index i = 0; i < equations.contacts(); ++i) {
    const ContactKey& key = equations.candidates()[at(i)].key;
    ContactFrame before;
    if (!work.active.closed[at(i)] || !work.system.find_contact(work.start, key, before)) continue;
    before.key = key;
    work.gaps_before[i] = before.gap;
    ContactVelocity gamma{};
    work.system.write_contact_velocities(work.start, state.u, {&before, 1}, {&gamma, 1});
    if (!(work.approach[i] < 0) || before.gap <= work.newton.allowed(i))
      work.approach[i] = gamma[0];
  }
}

}  // namespace

bool closes_now(const Optimisation::Workspace& work, const State& state, Index i) {
  const Candidate& candidate = work.equations.candidates()[at(i)];
  if (!work.active.closed[at(i)] || candidate.info->always_closed) return false;
  const ContactRecord* record = find_record(state.contacts, candidate.key);
  if (record && record->state != ContactState::open) return false;
  const double gap = work.gaps_before[i];
  if (std::isnan(gap)) return true;  // it was far away
  if (gap > work.newton.allowed(i)) return work.approach[i] < 0 || work.equations.rates()[i] < 0;
  return work.approach[i] < -least_approach(work, state, i);
}

bool apply_impact_law(Optimisation::Workspace& work, const State& state) {
  const StepEquations& equations = work.equations;
  work.gamma_before =
      equations.rates() + equations.directions().transpose() * (state.u - work.point.u);
  work.u_end = work.point.u;
  work.impulses = work.point.impulses;
  work.gamma_after = equations.rates();
  write_approach(work, state);
  work.bounces = bounces(work, state);
  if (!work.bounces) return true;

  std::vector<Index> rows;
  arrange_impact(work, rows);
  const auto m = static_cast<Index>(rows.size());
  work.M = equations.mass();
  Eigen::LLT<Matrix> factors(work.M);
  work.W.resize(work.M.rows(), m);
  Vector impulses(m);
  for (Index j = 0; j < m; ++j) {
    work.W.col(j) = equations.directions().col(rows[at(j)]);
    impulses[j] = work.point.impulses[rows[at(j)]];
  }
  const Matrix MW = factors.solve(work.W);
  const Vector u_free = work.point.u - MW * impulses;
  DenseDelassus G;
  G.G = Matrix(work.W.transpose() * MW);
  work.impact.delassus = G;
  work.impact.free_velocity.resize(m);
  for (Index j = 0; j < m; ++j)
    work.impact.free_velocity[j] = equations.rates()[rows[at(j)]] +
                                   work.W.col(j).dot(u_free - work.point.u) +
                                   shift_of(work, state, rows[at(j)]);
  work.impact_solution.impulse.resize(0);
  find_solver("auto").solve(work.impact, {.tolerance = 1e-12}, work.scratch, work.impact_solution);
  work.result.residual = work.impact_solution.residual;
  work.result.relative_residual = work.impact_solution.relative_residual;
  work.result.solver_status = work.impact_solution.status;
  if (work.impact_solution.status != SolverStatus::solved) {
    work.result.status = StepStatus::contact_not_solved;
    return false;
  }
  work.u_end = u_free + MW * work.impact_solution.impulse;
  for (Index j = 0; j < m; ++j) work.impulses[rows[at(j)]] = work.impact_solution.impulse[j];
  work.gamma_after =
      equations.rates() + equations.directions().transpose() * (work.u_end - work.point.u);
  return true;
}

}  // namespace backlash
