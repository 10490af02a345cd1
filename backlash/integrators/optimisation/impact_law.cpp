// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "backlash/base/decompositions.h"
#include "backlash/integrators/optimisation/workspace.h"

/// Impacts that bounce (theory 12.10).
namespace backlash {
namespace {

using Index = Eigen::Index;
using Work = Optimisation::Workspace;

bool bounces(const Work& work, const State& state, Index contact) {
  const ContactLaw& law = work.equations.candidates()[at(contact)].info->law;
  return (law.restitution > 0 || law.tangential_restitution > 0) &&
         closes_now(work, state, contact);
}

bool any_bounces(const Work& work, const State& state) {
  if (work.options.impacts == Impacts::plastic) return false;
  for (Index i = 0; i < work.equations.contacts(); ++i)
    if (bounces(work, state, i)) return true;
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

/// The directions of some rows.
Matrix directions_of(const Work& work, const std::vector<Index>& rows) {
  Matrix W(work.equations.velocities(), static_cast<Index>(rows.size()));
  for (std::size_t j = 0; j < rows.size(); ++j)
    W.col(static_cast<Index>(j)) = work.equations.directions().col(rows[j]);
  return W;
}

/// Leaves of the rows that act those that the bouncing ones reach through the masses, directly or
/// through others: what stands elsewhere goes on as it did.
void keep_reached(Work& work, const State& state, const Cholesky& mass, std::vector<Index>& rows) {
  const Matrix W = directions_of(work, rows);
  const Matrix G = W.transpose() * mass.solve_columns(W);
  const auto coupled = [&](Index i, Index j) {
    constexpr double round_off = 1e-12;
    return std::abs(G(i, j)) > round_off * std::sqrt(G(i, i) * G(j, j));
  };
  std::vector<Index> reached;
  for (Index i = 0; i < G.rows(); ++i)
    if (rows[at(i)] < work.equations.contacts() && bounces(work, state, rows[at(i)]))
      reached.push_back(i);
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (Index i = 0; i < G.rows(); ++i)
      if (coupled(reached[k], i) && std::ranges::find(reached, i) == reached.end())
        reached.push_back(i);
  const std::vector<LawBlock> blocks = std::exchange(work.impact.blocks, {});
  const std::vector<Index> all = std::exchange(rows, {});
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index first = blocks[b].first,
                next = b + 1 < blocks.size() ? blocks[b + 1].first : G.rows();
    const auto is_reached = [&](Index i) { return first <= i && i < next; };
    if (std::ranges::none_of(reached, is_reached)) continue;
    append_row(work.impact, rows, blocks[b].law, all[at(first)]);
    rows.insert(rows.end(), all.begin() + first + 1, all.begin() + next);
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
    if (!work.active.closed[at(i)] ||
        !work.system.follow_contact(work.start, key, equations.followed(), before))
      continue;
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
  work.bounces = any_bounces(work, state);
  if (!work.bounces) return true;

  std::vector<Index> rows;
  arrange_impact(work, rows);
  const Cholesky factors(equations.mass());
  keep_reached(work, state, factors, rows);
  const auto m = static_cast<Index>(rows.size());
  work.W = directions_of(work, rows);
  Vector impulses(m);
  for (Index j = 0; j < m; ++j) impulses[j] = work.point.impulses[rows[at(j)]];
  const Matrix MW = factors.solve_columns(work.W);
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
