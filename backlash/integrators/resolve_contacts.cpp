// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

const ContactInfo& info_of(const Moreau::Workspace& work, const ActiveContact& a) {
  return work.system.info().contacts[static_cast<std::size_t>(a.contact)];
}

/// G = WᵀM⁻¹W.
void write_delassus(const Moreau::Workspace& work, MatrixBuffer& G) {
  const Index m = work.W.cols(), n = work.W.rows();
  G.resize(m, m);
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i <= j; ++i) {
      double sum = 0;
      for (Index k = 0; k < n; ++k) sum += work.W(k, i) * work.mass_inverse_W(k, j);
      G(i, j) = G(j, i) = sum;
    }
}

/// Laws of the rows, and which restitution enters ξ = γ_E + ε γ_A. Bilateral rows return −γ_A.
void write_laws(Moreau::Workspace& work, double step) {
  ContactProblem& problem = work.problem;
  const SystemInfo& info = work.system.info();
  const double bilateral_return =
      work.options.scheme == Scheme::midpoint ? 1 : (1 - work.options.theta) / work.options.theta;
  problem.blocks.clear();
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
  for (const ActiveContact& a : work.active) {
    const ContactInfo& contact = info_of(work, a);
    const bool newton = contact.law.impact == ImpactLaw::newton;
    work.restitution[a.first] = newton ? contact.law.restitution : 0;
    problem.row_length[a.first] = 1;
    for (int i = 1; i <= contact.tangents; ++i) {
      work.restitution[a.first + i] = contact.law.tangential_restitution;
      problem.row_length[a.first + i] = 1;
    }
    if (contact.tangents == 0)
      problem.blocks.push_back({a.first, Unilateral{}});
    else
      problem.blocks.push_back({a.first, Coulomb{contact.law.friction, contact.tangents}});
  }
}

/// The impulses of the last step, as a guess.
void read_warm_start(const Moreau::Workspace& work, const State& state, VectorBuffer& impulse) {
  const auto last = work.memory.impulses(state.z);
  const Index always = work.bilaterals + work.relays;
  impulse.resize(work.W.cols());
  for (Index i = 0; i < always; ++i) impulse[i] = last[i];
  for (const ActiveContact& a : work.active)
    for (int i = 0; i <= info_of(work, a).tangents; ++i)
      impulse[a.first + i] = last[work.memory.first_row(a.contact) + i];
  for (Index i = 0; work.has_ranges && i < work.relays; ++i)
    impulse[work.bilaterals + i] -= work.relay_impulse[i];
}

bool solve_problem(Moreau::Workspace& work, ContactSolution& solution) {
  work.solver.solve(work.problem, work.options.solver_options, work.scratch, solution);
  StepResult& result = work.result;
  result.residual = std::max(result.residual, solution.residual);
  result.relative_residual = std::max(result.relative_residual, solution.relative_residual);
  result.iterations += solution.iterations;
  result.solver_status = solution.status;
  if (solution.status == SolverStatus::solved) return true;
  const bool faceted = solution.status == SolverStatus::approximated;  // a polyhedral cone
  if (!faceted) result.status = StepStatus::contact_not_solved;
  return faceted;
}

void limit_relays(Moreau::Workspace& work, double duration) {
  for (Index i = 0; i < work.relays; ++i)
    work.problem.blocks[static_cast<std::size_t>(work.bilaterals + i)].law =
        Relay{.limit = duration * work.relay_limit[i]};
}

/// Poisson's law (theory 3.6). Compression: the impact alone, without the step's forces, until all
/// approach has ended; bilateral rows keep their velocity. Expansion: the stored fraction of the
/// normal impulse is given back, and the forces act.
bool resolve_poisson(Moreau::Workspace& work, double step) {
  ContactProblem& problem = work.problem;
  const Index rows = work.W.cols();
  for (Index i = 0; i < rows; ++i)
    problem.free_velocity[i] =
        i < work.bilaterals ? 0 : (1 + work.restitution[i]) * work.gamma_before[i];
  work.compression.impulse.resize(rows);
  work.compression.impulse.setZero();
  limit_relays(work, 0);  // finite forces do nothing in an instant
  if (!solve_problem(work, work.compression)) return false;
  limit_relays(work, step);

  const auto& G = std::get<DenseDelassus>(problem.delassus).G;
  work.extra_velocity.resize(rows);
  work.extra_velocity = work.compression.impulse;  // compression, and what Poisson gives back
  std::size_t block = static_cast<std::size_t>(work.bilaterals + work.relays);
  for (const ActiveContact& a : work.active) {
    const ContactInfo& contact = info_of(work, a);
    if (contact.law.impact == ImpactLaw::poisson) {
      const double stored = contact.law.restitution * work.compression.impulse[a.first];
      work.extra_velocity[a.first] += stored;
      if (auto* law = std::get_if<Coulomb>(&problem.blocks[block].law)) law->preload = stored;
    }
    ++block;
  }
  for (Index i = 0; i < rows; ++i) {
    const double target = i < work.bilaterals ? -work.bilateral_target[i] : 0;
    problem.free_velocity[i] =
        work.gamma_free[i] + work.restitution[i] * work.gamma_before[i] + target;
    for (Index j = 0; j < rows; ++j) problem.free_velocity[i] += G(i, j) * work.extra_velocity[j];
  }
  if (!solve_problem(work, work.solution)) return false;
  work.solution.impulse += work.extra_velocity;
  return true;
}

/// Whether an impact, of whatever law, may reach a contact of Poisson's law in this step.
bool any_impact_by_poisson(const Moreau::Workspace& work) {
  if (!work.has_poisson) return false;
  bool poisson = false, approach = false;
  for (const ActiveContact& a : work.active) {
    poisson = poisson || info_of(work, a).law.impact == ImpactLaw::poisson;
    approach = approach || work.gamma_before[a.first] < 0;
  }
  return poisson && approach;
}

}  // namespace

bool resolve_contacts(Moreau::Workspace& work, const State& state, double step) {
  StepResult& result = work.result;
  result.residual = result.relative_residual = 0;
  result.iterations = 0;
  result.solver_status = SolverStatus::solved;
  const Index rows = work.W.cols(), n = work.W.rows();
  if (rows == 0) return true;
  ContactProblem& problem = work.problem;
  for (VectorBuffer* v : {&work.restitution, &work.gamma_before, &work.gamma_free,
                          &problem.free_velocity, &problem.row_length})
    v->resize(rows);
  write_delassus(work, std::get<DenseDelassus>(problem.delassus).G);
  write_laws(work, step);
  double scale = 0;
  for (Index i = 0; i < rows; ++i) {
    double before = work.w[i], free = work.w[i], parts = std::abs(free);
    for (Index k = 0; k < n; ++k) {
      const double part = work.W(k, i) * work.u_free[k];
      before += work.W(k, i) * state.u[k];
      free += part;
      parts += std::abs(part);
    }
    work.gamma_before[i] = before;
    work.gamma_free[i] = free;
    const double target = i < work.bilaterals ? work.bilateral_target[i] : 0;
    problem.free_velocity[i] = free + work.restitution[i] * before - target;
    // A bilateral row differs from zero by little more than the round-off of what it is made of,
    // and redundant rows cannot agree better than that: its scale is what it is made of.
    const double size = (i < work.bilaterals ? parts : free) * problem.row_length[i];
    scale += size * size;
  }
  problem.velocity_scale = std::sqrt(scale);
  if (work.has_ranges) settle_relays(work, step);
  bool found = false;
  if (any_impact_by_poisson(work)) {
    found = resolve_poisson(work, step);
  } else {
    read_warm_start(work, state, work.solution.impulse);
    found = solve_problem(work, work.solution);
  }
  for (Index i = 0; work.has_ranges && i < work.relays; ++i)
    work.solution.impulse[work.bilaterals + i] += work.relay_impulse[i];
  return found;
}

}  // namespace backlash
