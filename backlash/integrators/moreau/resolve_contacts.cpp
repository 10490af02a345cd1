// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"
#include "backlash/solvers/automatic.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

/// Σ|W_k u_k| of a row that stands alone.
double size_of_parts(const Moreau::Workspace& work, const RowSet& set, const RowGroup& group,
                     const double* u) {
  const double* W = set.W.data() + group.first_entry;
  double sum = 0;
  for (const int b : listed(group.blocks)) {
    const MassBlock& block = work.blocks[at(b)];
    for (int k = 0; k < block.size; ++k) sum += std::abs(*W++ * u[block.first + k]);
  }
  return sum;
}

/// Laws of the rows, and which restitution enters ξ = γ_E + ε γ_A. Bilateral rows return −γ_A.
void write_law(Moreau::Workspace& work, const RowGroup& group, Index row, double step,
               ContactProblem& problem) {
  const SystemInfo& info = work.system.info();
  const auto number = at(group.number);
  if (group.kind == Kind::bilateral) {
    const double theta = work.options.theta;
    problem.blocks.push_back({row, Bilateral{}});
    work.restitution[row] = work.options.scheme == Scheme::midpoint ? 1 : (1 - theta) / theta;
    problem.row_length[row] = info.bilaterals[number].length;
    return;
  }
  if (group.kind == Kind::relay) {
    problem.blocks.push_back({row, Relay{.limit = step * work.relay_limit[group.number]}});
    work.restitution[row] = 0;
    problem.row_length[row] = info.relays[number].length;
    return;
  }
  const ContactInfo& contact = *work.active[number].info;
  const bool impact = work.active[number].impact;
  const bool newton = contact.law.impact == ImpactLaw::newton;
  work.restitution[row] = impact && newton ? contact.law.restitution : 0;
  problem.row_length[row] = 1;
  for (int i = 1; i <= contact.tangents; ++i) {
    work.restitution[row + i] = impact ? contact.law.tangential_restitution : 0;
    problem.row_length[row + i] = 1;
  }
  if (contact.tangents == 0)
    problem.blocks.push_back({row, Unilateral{}});
  else
    problem.blocks.push_back({row, Coulomb{work.active[number].friction(), contact.tangents}});
}

/// The impulses of the last step, as a guess.
void read_warm_start(const Moreau::Workspace& work, const Island& island, const State& state,
                     VectorBuffer& impulse) {
  const auto last = work.memory.impulses(state.z);
  impulse.resize(island.rows);
  for (const RowGroup& group : groups_of(work.set, island)) {
    const Index row = group.first_row - island.first_row;
    if (group.kind == Kind::bilateral) {
      const bool holds = work.mobility[group.first_row] > 0;  // an event may have turned it off
      impulse[row] = holds ? last[group.number] : 0;
    } else if (group.kind == Kind::relay) {
      impulse[row] = last[work.bilaterals + group.number];
      if (work.has_ranges) impulse[row] -= work.relay_impulse[group.number];
    } else {
      const ContactRecord* record = work.active[at(group.number)].record;
      for (int i = 0; i < group.rows; ++i) impulse[row + i] = record ? record->impulse[at(i)] : 0;
    }
  }
}

bool is_solution(const ContactSolution& solution) {
  return solution.status == SolverStatus::solved ||
         solution.status == SolverStatus::approximated;  // by a polyhedral cone
}

/// By the chosen solver, or else by the chain of `auto`.
void solve_or_fall_back(Moreau::Workspace& work, const ContactProblem& problem,
                        ContactSolution& solution) {
  SolverOptions options = work.options.solver_options;
  options.effort = work.effort;
  work.solver.solve(problem, options, work.scratch, solution);
  if (is_solution(solution) || !work.options.fall_back || work.solver.solve == solve_automatic)
    return;
  const int iterations = solution.iterations;
  solve_automatic(problem, options, work.scratch, solution);
  solution.iterations += iterations;
  work.result.fell_back = work.result.fell_back || is_solution(solution);
}

/// How long a row's unit is felt [m].
double length_of(const SystemInfo& info, const RowGroup& group) {
  if (group.kind == Kind::contact) return 1;
  return group.kind == Kind::bilateral ? info.bilaterals[at(group.number)].length
                                       : info.relays[at(group.number)].length;
}

/// γ of all rows at the start and without impulses, and the norm of the latter [m/s].
double write_velocities(Moreau::Workspace& work, const State& state, double step) {
  const RowSet& set = work.set;
  double sum = 0;
  for (const RowGroup& group : set.groups) {
    const double length = length_of(work.system.info(), group);
    for (int j = 0; j < group.rows; ++j) {
      const Index row = group.first_row + j;
      const double shift = end_shift(work, group, j, step);
      const double free = rate_of(work, set, group, j, work.u_free.data()) + set.w[row] + shift;
      work.gamma_before[row] = rate_of(work, set, group, j, state.u.data()) + set.w[row] - shift;
      work.gamma_free[row] = free;
      // A bilateral row differs from zero by little more than the round-off of what it is made of,
      // and redundant rows cannot agree better than that: its scale is what it is made of.
      const double size =
          group.kind == Kind::bilateral
              ? size_of_parts(work, set, group, work.u_free.data()) + std::abs(set.w[row])
              : free;
      sum += size * size * length * length;
    }
  }
  return std::sqrt(sum);
}

/// c of an island's rows: γ without impulses, and what the laws ask for besides.
void write_free_velocity(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  for (Index i = 0; i < island.rows; ++i) {
    const Index row = island.first_row + i;
    problem.free_velocity[i] = work.gamma_free[row] + work.restitution[i] * work.gamma_before[row];
  }
  for (Index i = 0; i < island.bilaterals; ++i)
    if (work.mobility[island.first_row + i] > 0)
      problem.free_velocity[i] -= work.bilateral_target[groups[at(i)].number];
  for (const RowGroup& group : groups.last(at(island.contacts)))
    problem.free_velocity[group.first_row - island.first_row] += work.active[at(group.number)].rise;
  agree_on_rolling(work, island, problem);
}

/// Contacts that contradict each other are asked for less (theory 4.29): not to approach at the end
/// of the step, by their directions at its middle and without restitution, which is always possible
/// where nothing that is driven crushes them. They stay marked as jammed.
void relax_demands(Moreau::Workspace& work, const Island& island, double step,
                   ContactProblem& problem) {
  for (const RowGroup& group : groups_of(work.set, island).last(at(island.contacts))) {
    work.active[at(group.number)].jammed = true;
    for (int j = 0; j < group.rows; ++j) {
      const Index row = group.first_row - island.first_row + j;
      problem.free_velocity[row] =
          work.gamma_free[group.first_row + j] - end_shift(work, group, j, step);
    }
  }
}

/// Impulses of an island as its contacts ask for.
bool solve_demands(Moreau::Workspace& work, const Island& island, const State& state, double step,
                   ContactProblem& problem) {
  if (any_impact_in_phases(work, island)) return resolve_in_phases(work, island, step, problem);
  read_warm_start(work, island, state, work.island_solution.impulse);
  return solve_problem(work, problem, work.island_solution);
}

/// The same where contacts contradict each other, as far as it can be asked of them: what is asked
/// is off by more than the residual that is accepted here (theory 4.29).
bool solve_relaxed_demands(Moreau::Workspace& work, const Island& island, const State& state,
                           double step, ContactProblem& problem) {
  const double rough_residual = work.may_be_halved ? 1e-5 : 1e-3;  // relative
  for (LawBlock& block : problem.blocks)
    if (auto* law = std::get_if<Coulomb>(&block.law)) law->preload = 0;
  relax_demands(work, island, step, problem);
  read_warm_start(work, island, state, work.island_solution.impulse);
  if (!solve_problem(work, problem, work.island_solution)) {
    if (!(work.island_solution.relative_residual <= rough_residual)) return false;
    work.result.status = StepStatus::done;
    work.result.imprecise = true;
  }
  work.result.jammed = true;
  return true;
}

/// Quickly, if that is possible: a problem that has no solution takes longest. The whole chain of
/// `auto` is for steps that cannot be halved any more.
bool resolve_demands(Moreau::Workspace& work, const Island& island, const State& state, double step,
                     ContactProblem& problem) {
  StepResult& result = work.result;
  const double residual = result.residual, relative_residual = result.relative_residual;
  const SolverStatus solver_status = result.solver_status;
  for (const Effort effort : {Effort::quick, Effort::thorough}) {
    if (effort == Effort::thorough && (work.may_be_halved || !work.options.fall_back)) break;
    for (const auto solve : {solve_demands, solve_relaxed_demands}) {
      const bool relaxed = solve == solve_relaxed_demands;
      if (relaxed && (island.contacts == 0 || !work.options.fall_back)) continue;
      result.residual = residual;
      result.relative_residual = relative_residual;
      result.solver_status = solver_status;
      result.status = StepStatus::done;
      work.effort = effort;
      if (effort == Effort::thorough && !relaxed) write_free_velocity(work, island, problem);
      if (solve(work, island, state, step, problem)) return true;
    }
  }
  return false;
}

bool resolve_island(Moreau::Workspace& work, const Island& island, const State& state,
                    double step) {
  const Index rows = island.rows;
  ContactProblem& problem = problem_for(work, rows);
  for (VectorBuffer* v : {&work.restitution, &problem.free_velocity, &problem.row_length})
    v->resize(rows);
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  write_delassus(work, work.set, groups, problem.delassus);
  problem.velocity_scale = work.velocity_scale;
  problem.blocks.clear();
  for (const RowGroup& group : groups)
    write_law(work, group, group.first_row - island.first_row, step, problem);
  for (Index i = 0; i < rows; ++i)
    work.mobility[island.first_row + i] = entry(problem.delassus, i, i);
  write_free_velocity(work, island, problem);
  if (work.has_ranges) limit_relay_impulses(work, island, step, problem);
  const bool solved = resolve_demands(work, island, state, step, problem);
  for (Index i = 0; i < rows; ++i)
    work.solution.impulse[island.first_row + i] = work.island_solution.impulse[i];
  for (int i = 0; work.has_ranges && i < island.relays; ++i) {
    const RowGroup& group = groups[at(island.bilaterals + i)];
    work.solution.impulse[group.first_row] += work.relay_impulse[group.number];
  }
  return solved;
}

}  // namespace

bool solve_problem(Moreau::Workspace& work, const ContactProblem& problem,
                   ContactSolution& solution) {
  solve_or_fall_back(work, problem, solution);
  StepResult& result = work.result;
  result.residual = std::max(result.residual, solution.residual);
  result.relative_residual = std::max(result.relative_residual, solution.relative_residual);
  result.iterations += solution.iterations;
  if (solution.status != SolverStatus::solved) result.solver_status = solution.status;
  if (is_solution(solution)) return true;
  // Where rows are about to become redundant, those of loops or of corners of one face, no impulse
  // fulfils them to the last digit.
  if (solution.relative_residual <= work.options.singular_residual) {
    result.imprecise = true;
    return true;
  }
  result.status = StepStatus::contact_not_solved;
  return false;
}

bool resolve_contacts(Moreau::Workspace& work, const State& state, double step) {
  clear_solution(work.result);
  if (work.set.rows == 0) return true;
  for (VectorBuffer* v :
       {&work.gamma_before, &work.gamma_free, &work.mobility, &work.solution.impulse})
    v->resize(work.set.rows);
  work.velocity_scale = write_velocities(work, state, step);
  find_impacts(work, step);
  for (const Island& island : work.set.islands)
    if (!resolve_island(work, island, state, step)) return false;
  return true;
}

}  // namespace backlash
