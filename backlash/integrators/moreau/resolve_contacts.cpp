// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"
#include "backlash/solvers/automatic.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// G = WᵀM⁻¹W of an island, and its diagonal for later.
void write_delassus(Moreau::Workspace& work, const Island& island, MatrixBuffer& G) {
  const MatrixMap W = W_of(work, island), mass_inverse_W = mass_inverse_W_of(work, island);
  const Index m = island.rows, n = island.velocities;
  G.resize(m, m);
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i <= j; ++i) {
      double sum = 0;
      for (Index k = 0; k < n; ++k) sum += W(k, i) * mass_inverse_W(k, j);
      G(i, j) = G(j, i) = sum;
    }
    work.mobility[island.first_row + j] = G(j, j);
  }
}

/// Laws of the rows, and which restitution enters ξ = γ_E + ε γ_A. Bilateral rows return −γ_A.
void write_standing_laws(Moreau::Workspace& work, double step) {
  ContactProblem& problem = work.problem;
  const SystemInfo& info = work.system.info();
  const double bilateral_return =
      work.options.scheme == Scheme::midpoint ? 1 : (1 - work.options.theta) / work.options.theta;
  for (Index i = 0; i < work.bilaterals; ++i) {
    problem.blocks.push_back({i, Bilateral{}});
    work.restitution[i] = bilateral_return;
    problem.row_length[i] = info.bilaterals[static_cast<std::size_t>(i)].length;
  }
  for (Index i = 0; i < work.relays; ++i) {
    const Index row = work.bilaterals + i;
    problem.blocks.push_back({row, Relay{.limit = step * work.relay_limit[i]}});
    work.restitution[row] = 0;
    problem.row_length[row] = info.relays[static_cast<std::size_t>(i)].length;
  }
}

void write_laws(Moreau::Workspace& work, const Island& island, double step) {
  ContactProblem& problem = work.problem;
  problem.blocks.clear();
  if (!work.separable) write_standing_laws(work, step);
  for (Index k = 0; k < island.contacts; ++k) {
    const ActiveContact& a = contact_of(work, island, k);
    const ContactInfo& contact = *a.info;
    const Index first = a.first - island.first_row;
    const bool newton = contact.law.impact == ImpactLaw::newton;
    work.restitution[first] = newton ? contact.law.restitution : 0;
    problem.row_length[first] = 1;
    for (int i = 1; i <= contact.tangents; ++i) {
      work.restitution[first + i] = contact.law.tangential_restitution;
      problem.row_length[first + i] = 1;
    }
    if (contact.tangents == 0)
      problem.blocks.push_back({first, Unilateral{}});
    else
      problem.blocks.push_back({first, Coulomb{contact.law.friction, contact.tangents}});
  }
}

/// The impulses of the last step, as a guess.
void read_warm_start(const Moreau::Workspace& work, const Island& island, const State& state,
                     VectorBuffer& impulse) {
  const auto last = work.memory.impulses(state.z);
  impulse.resize(island.rows);
  if (!work.separable)
    for (Index i = 0; i < work.bilaterals + work.relays; ++i) impulse[i] = last[i];
  for (Index k = 0; k < island.contacts; ++k) {
    const ActiveContact& a = contact_of(work, island, k);
    for (int i = 0; i <= a.info->tangents; ++i)
      impulse[a.first - island.first_row + i] =
          a.record ? a.record->impulse[static_cast<std::size_t>(i)] : 0;
  }
  for (Index i = 0; work.has_ranges && i < work.relays; ++i)
    impulse[work.bilaterals + i] -= work.relay_impulse[i];
}

bool is_solution(const ContactSolution& solution) {
  return solution.status == SolverStatus::solved ||
         solution.status == SolverStatus::approximated;  // by a polyhedral cone
}

/// By the chosen solver, or else by the chain of `auto`.
void solve_or_fall_back(Moreau::Workspace& work, ContactSolution& solution) {
  const SolverOptions& options = work.options.solver_options;
  work.solver.solve(work.problem, options, work.scratch, solution);
  if (is_solution(solution) || !work.options.fall_back || work.solver.solve == solve_automatic)
    return;
  const int iterations = solution.iterations;
  solve_automatic(work.problem, options, work.scratch, solution);
  solution.iterations += iterations;
  work.result.fell_back = work.result.fell_back || is_solution(solution);
}

bool solve_problem(Moreau::Workspace& work, ContactSolution& solution) {
  solve_or_fall_back(work, solution);
  StepResult& result = work.result;
  result.residual = std::max(result.residual, solution.residual);
  result.relative_residual = std::max(result.relative_residual, solution.relative_residual);
  result.iterations += solution.iterations;
  if (solution.status != SolverStatus::solved) result.solver_status = solution.status;
  if (is_solution(solution)) return true;
  // Where loops are about to become redundant, no impulse fulfils their rows to the last digit.
  if (work.bilaterals > 0 && solution.relative_residual <= work.options.singular_residual) {
    result.imprecise = true;
    return true;
  }
  result.status = StepStatus::contact_not_solved;
  return false;
}

void limit_relays(Moreau::Workspace& work, double duration) {
  for (Index i = 0; i < work.relays; ++i)
    work.problem.blocks[static_cast<std::size_t>(work.bilaterals + i)].law =
        Relay{.limit = duration * work.relay_limit[i]};
}

/// Poisson's law (theory 3.6). Compression: the impact alone, without the step's forces, until all
/// approach has ended; bilateral rows keep their velocity. Expansion: the stored fraction of the
/// normal impulse is given back, and the forces act.
bool resolve_poisson(Moreau::Workspace& work, const Island& island, double step) {
  ContactProblem& problem = work.problem;
  const Index rows = island.rows;
  const double* before = work.gamma_before.data() + island.first_row;
  const double* free = work.gamma_free.data() + island.first_row;
  const Index nb = work.bilaterals;
  for (Index i = 0; i < rows; ++i)
    problem.free_velocity[i] = i < nb ? 0 : (1 + work.restitution[i]) * before[i];
  work.compression.impulse.resize(rows);
  work.compression.impulse.setZero();
  limit_relays(work, 0);  // finite forces do nothing in an instant
  if (!solve_problem(work, work.compression)) return false;
  limit_relays(work, step);

  const auto& G = std::get<DenseDelassus>(problem.delassus).G;
  work.extra_velocity.resize(rows);
  work.extra_velocity = work.compression.impulse;  // compression, and what Poisson gives back
  for (Index k = 0; k < island.contacts; ++k) {
    const ActiveContact& a = contact_of(work, island, k);
    const ContactInfo& contact = *a.info;
    if (contact.law.impact != ImpactLaw::poisson) continue;
    const Index first = a.first - island.first_row;
    const double stored = contact.law.restitution * work.compression.impulse[first];
    work.extra_velocity[first] += stored;
    const auto block = static_cast<std::size_t>(nb + work.relays + k);
    if (auto* law = std::get_if<Coulomb>(&problem.blocks[block].law)) law->preload = stored;
  }
  for (Index i = 0; i < rows; ++i) {
    const double target = i < nb ? -work.bilateral_target[i] : 0;
    problem.free_velocity[i] = free[i] + work.restitution[i] * before[i] + target;
    for (Index j = 0; j < rows; ++j) problem.free_velocity[i] += G(i, j) * work.extra_velocity[j];
  }
  if (!solve_problem(work, work.island_solution)) return false;
  work.island_solution.impulse += work.extra_velocity;
  return true;
}

/// Whether an impact, of whatever law, may reach a contact of Poisson's law in this step.
bool any_impact_by_poisson(const Moreau::Workspace& work, const Island& island) {
  if (!work.has_poisson) return false;
  bool poisson = false, approach = false;
  for (Index k = 0; k < island.contacts; ++k) {
    const ActiveContact& a = contact_of(work, island, k);
    poisson = poisson || a.info->law.impact == ImpactLaw::poisson;
    approach = approach || work.gamma_before[a.first] < 0;
  }
  return poisson && approach;
}

/// γ of all rows at the start and without impulses, and the norm of the latter [m/s].
double write_velocities(Moreau::Workspace& work, const State& state) {
  const SystemInfo& info = work.system.info();
  double sum = 0;
  for (const Island& island : work.islands) {
    const MatrixMap W = W_of(work, island);
    const double* u_start = on_island(work, island, state.u, 0);
    const double* u_free = on_island(work, island, work.u_free, 1);
    for (Index i = 0; i < island.rows; ++i) {
      const Index row = island.first_row + i;
      double before = work.w[row], free = work.w[row], parts = std::abs(free);
      for (Index k = 0; k < island.velocities; ++k) {
        const double part = W(k, i) * u_free[k];
        before += W(k, i) * u_start[k];
        free += part;
        parts += std::abs(part);
      }
      work.gamma_before[row] = before;
      work.gamma_free[row] = free;
      double length = 1;
      if (row < work.bilaterals)
        length = info.bilaterals[static_cast<std::size_t>(row)].length;
      else if (row < work.bilaterals + work.relays)
        length = info.relays[static_cast<std::size_t>(row - work.bilaterals)].length;
      // A bilateral row differs from zero by little more than the round-off of what it is made of,
      // and redundant rows cannot agree better than that: its scale is what it is made of.
      const double size = (row < work.bilaterals ? parts : free) * length;
      sum += size * size;
    }
  }
  return std::sqrt(sum);
}

bool resolve_island(Moreau::Workspace& work, const Island& island, const State& state,
                    double step) {
  ContactProblem& problem = work.problem;
  const Index rows = island.rows;
  for (VectorBuffer* v : {&work.restitution, &problem.free_velocity, &problem.row_length})
    v->resize(rows);
  write_delassus(work, island, std::get<DenseDelassus>(problem.delassus).G);
  write_laws(work, island, step);
  for (Index i = 0; i < rows; ++i) {
    const Index row = island.first_row + i;
    const double target = row < work.bilaterals ? work.bilateral_target[row] : 0;
    problem.free_velocity[i] =
        work.gamma_free[row] + work.restitution[i] * work.gamma_before[row] - target;
  }
  if (work.has_ranges) limit_relay_impulses(work, step);
  bool solved = false;
  if (any_impact_by_poisson(work, island)) {
    solved = resolve_poisson(work, island, step);
  } else {
    read_warm_start(work, island, state, work.island_solution.impulse);
    solved = solve_problem(work, work.island_solution);
  }
  for (Index i = 0; i < rows; ++i)
    work.solution.impulse[island.first_row + i] = work.island_solution.impulse[i];
  for (Index i = 0; work.has_ranges && i < work.relays; ++i)
    work.solution.impulse[work.bilaterals + i] += work.relay_impulse[i];
  return solved;
}

}  // namespace

bool resolve_contacts(Moreau::Workspace& work, const State& state, double step) {
  StepResult& result = work.result;
  result.residual = result.relative_residual = 0;
  result.iterations = 0;
  result.solver_status = SolverStatus::solved;
  result.fell_back = false;
  result.imprecise = false;
  if (work.rows == 0) return true;
  for (VectorBuffer* v :
       {&work.gamma_before, &work.gamma_free, &work.mobility, &work.solution.impulse})
    v->resize(work.rows);
  work.problem.velocity_scale = write_velocities(work, state);
  for (const Island& island : work.islands)
    if (!resolve_island(work, island, state, step)) return false;
  return true;
}

}  // namespace backlash
