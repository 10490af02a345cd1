// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/moreau.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/linear.h"
#include "backlash/integrators/moreau/equal_steps.h"
#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

Index count(const auto& list) { return static_cast<Index>(list.size()); }

/// Δt/2 · (M⁻¹(h + W_B λ_B)) added to u_A, λ_B such that the bilateral rows stay fulfilled:
/// W_Bᵀ u̇ + b = 0 (theory 4.3).
void predict_middle_velocity(Moreau::Workspace& work, const State& state, double step) {
  const Index n = work.u_middle.size();
  for (Index i = 0; i < n; ++i) work.u_middle[i] = state.u[i] + 0.5 * step * work.acceleration[i];
  if (work.bilaterals == 0) return;
  const Index nb = work.bilaterals;
  Arena::Frame frame(work.scratch);
  MatrixMap G = frame.matrix(nb, nb);
  VectorMap lambda = frame.vector(nb);
  const MatrixMap all = W_of(work, work.islands.front());
  const MatrixMap mass_inverse_all = mass_inverse_W_of(work, work.islands.front());
  const auto W = all.leftCols(nb), mass_inverse_W = mass_inverse_all.leftCols(nb);
  G.noalias() = W.transpose() * mass_inverse_W;
  lambda = -work.bias.head(nb);
  lambda.noalias() -= W.transpose() * work.acceleration;
  solve_rank_revealing(G, lambda, work.scratch);
  lambda *= 0.5 * step;
  work.u_middle.noalias() += mass_inverse_W * lambda;
}

/// M⁻¹h at the middle, with h at the velocity u. False if h is not finite.
bool write_acceleration(Moreau::Workspace& work, const Vector& u) {
  work.system.force(work.middle, u, work.acceleration);
  if (!accept_finite(work, work.acceleration)) return false;
  work.system.solve_mass(work.middle, work.M, work.acceleration);
  return true;
}

/// Joints that close loops, drives and joint friction tie everything together; so does a scheme
/// whose matrix is not M.
bool may_be_taken_apart(const SystemInfo& info, Scheme scheme) {
  return info.mass_blocks.size() > 1 && info.bilaterals.empty() && info.relays.empty() &&
         scheme == Scheme::midpoint &&
         std::none_of(info.contacts.begin(), info.contacts.end(),
                      [](const ContactInfo& contact) { return contact.blocks.empty(); });
}

void require_set_valued(const SystemInfo& info) {
  for (const ContactInfo& contact : info.contacts)
    if (contact.compliant)
      throw InputError(fmt::format(
          "contact '{}': its law is compliant, a force, and the method moreau is for set-valued "
          "laws; use the method compliant (--method compliant), or a law without 'model' "
          "(restitution and friction)",
          contact.name));
}

/// u_E = u_free + M⁻¹W Λ.
void add_impulses(Moreau::Workspace& work) {
  for (const Island& island : work.islands) {
    const MatrixMap mass_inverse_W = mass_inverse_W_of(work, island);
    const Index* velocity = work.island_velocities.data() + island.first_velocity;
    for (Index j = 0; j < island.rows; ++j) {
      const double impulse = work.solution.impulse[island.first_row + j];
      if (impulse == 0) continue;
      for (Index i = 0; i < island.velocities; ++i)
        work.u_end[velocity[i]] += mass_inverse_W(i, j) * impulse;
    }
  }
}

void require_fitting(const State& state, const SystemInfo& info) {
  if (state.q.size() == info.positions && state.u.size() == info.velocities) return;
  require_size(state.q.size(), info.positions, "positions of the state");
  require_size(state.u.size(), info.velocities, "velocities of the state");
}

}  // namespace

std::string_view name(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::contact_not_solved:
      return "contact problem not solved";
    case StepStatus::mass_not_positive:
      return "mass matrix not positive definite";
    case StepStatus::not_finite:
      return "a force, gap, position or velocity is not finite";
    case StepStatus::drift_not_projected:
      return "positions that fulfil the joints not found";
    case StepStatus::iteration_not_converged:
      return "implicit equations not solved";
    case StepStatus::tolerance_not_met:
      return "the tolerances cannot be met";
  }
  return "?";
}

void validate(const MoreauOptions& options) {
  require_positive(options.step, "step", "s");
  find_solver(options.solver);
  require_positive(options.solver_options.tolerance, "solver tolerance", "-");
  require_in_range(options.solver_options.max_iterations, 1, 1e9, "solver iterations", "-");
  require_in_range(options.solver_options.facets, 3, 1000, "facets of the friction cone", "-");
  if (!(options.solver_options.relaxation > 0 && options.solver_options.relaxation < 2))
    throw InputError(fmt::format("relaxation of the solver must lie between 0 and 2, is {}",
                                 options.solver_options.relaxation));
  require_in_range(options.theta, 0.5, 1, "theta", "-");
  require_not_negative(options.singular_residual, "residual at singular positions", "-");
  require_positive(options.drift_tolerance, "drift tolerance", "-");
  if (!(options.penetration_limit > 0))
    throw InputError("penetration limit must be positive (infinity: none)");
}

Moreau::Workspace::Workspace(const System& system_, const MoreauOptions& options_)
    : system(system_),
      options(options_),
      memory(system_.info()),
      solver(find_solver(options_.solver)),
      bilaterals(count(system_.info().bilaterals)),
      relays(count(system_.info().relays)) {
  const SystemInfo& info = system.info();
  const Index n = info.velocities;
  for (Configuration* c : {&middle, &end}) {
    c->q.setZero(info.positions);
    c->cache.setZero(info.cache);
    c->switches.setZero(count(info.switches));
  }
  for (Vector* v : {&u_middle, &acceleration, &u_free, &u_end, &correction}) v->setZero(n);
  q_end.setZero(info.positions);
  own_memory = {memory.size(), bilaterals};
  bilateral_start.resize(bilaterals);
  bilateral_target.resize(bilaterals);
  bias.resize(bilaterals);
  for (VectorBuffer* v : {&relay_strength, &relay_displacement, &relay_limit, &relay_impulse})
    v->resize(relays);
  for (const RelayInfo& relay : info.relays)
    has_ranges = has_ranges || relay.law != RelayLaw::friction;
  const std::size_t usual = std::min<std::size_t>(info.contacts.size(), 256);  // more must grow
  for (auto* list : {&result.contacts, &result.released}) list->reserve(usual);
  for (auto* list : {&frames, &deep}) list->reserve(usual);
  active.reserve(usual);
  records.reserve(usual);
  result.events.reserve(2 * info.events.size());
  event_conditions.setZero(count(info.events));
  for (const ContactInfo& contact : info.contacts)
    has_poisson = has_poisson || contact.law.impact == ImpactLaw::poisson;
  separable = may_be_taken_apart(info, options.scheme);
  if (separable) {
    parent.resize(info.mass_blocks.size());
    island_of.resize(info.mass_blocks.size());
    full_rows.resize(n, 3);
    full_rows.setZero();
  }
  islands.reserve(std::max<std::size_t>(1, info.mass_blocks.size()));
  for (Index i = 0; i < n; ++i) island_velocities.push_back(i);
  problem.delassus = DenseDelassus{};
  drift.delassus = DenseDelassus{};
  if (options.scheme == Scheme::theta) {
    for (Matrix* m : {&M_theta, &dh_du, &dh_dq, &iteration_matrix}) m->setZero(n, n);
    for (Vector* v : {&h, &u_theta, &u_iterate, &unbalance}) v->setZero(n);
  }
}

Moreau::Moreau(const System& system, const MoreauOptions& options) {
  validate(options);
  require_set_valued(system.info());
  work_ = std::make_unique<Workspace>(system, options);
}
Moreau::~Moreau() = default;
Moreau::Moreau(Moreau&&) noexcept = default;
Moreau& Moreau::operator=(Moreau&&) noexcept = default;

const StepResult& Moreau::last_result() const { return work_->result; }
const System& Moreau::system() const { return work_->system; }
double Moreau::equal_step() const { return work_->options.step; }
const MoreauOptions& Moreau::options() const { return work_->options; }
const Memory& Moreau::memory() const { return work_->memory; }

void target_bilaterals(Moreau::Workspace& work, const State& state, double step) {
  const Index nb = work.bilaterals;
  if (nb == 0) return;
  work.system.bilateral_bias(work.middle, work.u_middle, work.bias);
  const auto last = work.own_memory.bilateral_start(state.z);
  const MatrixMap W = W_of(work, work.islands.front());
  for (Index i = 0; i < nb; ++i) {
    const double gamma = W.col(i).dot(state.u) + work.w[i];
    work.bilateral_start[i] = gamma - 0.5 * step * work.bias[i];
    work.bilateral_target[i] = (work.bilateral_start[i] - last[i]) / 6;
  }
}

bool accept_finite(Moreau::Workspace& work, const Vector& values) {
  double sum = 0;
  for (Index i = 0; i < values.size(); ++i) sum += values[i];
  if (std::isfinite(sum)) return true;
  work.result.status = StepStatus::not_finite;
  for (Index i = values.size() - 1; i >= 0; --i)
    if (!std::isfinite(values[i])) work.result.element = static_cast<int>(i);
  return false;
}

bool step_midpoint(Moreau::Workspace& work, const State& state, double step) {
  const System& system = work.system;
  const bool at_midpoint = work.options.force_velocity == ForceVelocity::midpoint;
  if (!system.factor_mass(work.middle, work.M)) {
    work.result.status = StepStatus::mass_not_positive;
    return false;
  }
  write_mass_inverse_rows(work);
  if (!write_acceleration(work, state.u)) return false;
  if (at_midpoint || work.bilaterals > 0) {
    if (work.bilaterals > 0) system.bilateral_bias(work.middle, state.u, work.bias);
    if (at_midpoint) add_last_relays(work, state);  // acceleration is written anew below
    predict_middle_velocity(work, state, step);
    target_bilaterals(work, state, step);
  }
  if (at_midpoint && !write_acceleration(work, work.u_middle)) return false;
  const Index n = work.u_free.size();
  for (Index i = 0; i < n; ++i) work.u_free[i] = state.u[i] + step * work.acceleration[i];
  if (!resolve_contacts(work, state, step)) return false;
  for (Index i = 0; i < n; ++i) work.u_end[i] = work.u_free[i];
  add_impulses(work);
  return true;
}

void Moreau::prepare(State& state) const {
  const SystemInfo& info = work_->system.info();
  require_fitting(state, info);
  prepare_memory(info, work_->own_memory.size(), state);
}

const StepResult& Moreau::step_by(State& state, double length) {
  prepare(state);
  return take_step(state, length, state.t + length);
}

const StepResult& Moreau::step(State& state, const StepLimits& limits) {
  prepare(state);
  assert(state.t < limits.until);
  const MoreauMemory& memory = work_->own_memory;
  const EqualSteps steps = EqualSteps::from(
      state.t, work_->options.step, memory.step_origin(state.z), memory.step_count(state.z));
  const PlannedStep next = next_step(work_->system.info(), steps, state.t, limits.until);
  const StepResult& result = take_step(state, next.length, next.t_end);
  if (result.status != StepStatus::done) return result;
  memory.step_origin(state.z) = steps.origin;
  memory.step_count(state.z) = steps.count + 1;
  return result;
}

const StepResult& Moreau::take_step(State& state, double step, double t_end) {
  Workspace& work = *work_;
  StepResult& result = work.result;
  const System& system = work.system;
  result.status = StepStatus::done;
  result.t_start = state.t;
  result.step = step;
  result.contacts.clear();
  result.released.clear();
  result.element = -1;
  result.contact.reset();
  work.t_end = t_end;
  state.contacts.reserve(work.records.capacity());
  begin_switching(work, state);

  work.middle.t = state.t + 0.5 * step;
  system.advance(state.q, state.u, 0.5 * step, work.middle.q);
  system.configure(work.middle);
  if (!find_active_contacts(work, state)) return result;
  find_islands(work);
  write_rows(work);
  const bool found = work.options.scheme == Scheme::midpoint ? step_midpoint(work, state, step)
                                                             : step_theta(work, state, step);
  if (!found || !accept_finite(work, work.u_end)) return result;

  if (work.options.scheme == Scheme::midpoint)
    system.advance(work.middle.q, work.u_end, 0.5 * step, work.q_end);
  else
    system.advance(state.q, work.u_theta, step, work.q_end);
  double projected = 0;
  if (work.bilaterals > 0 || std::isfinite(work.options.penetration_limit))
    projected = project_drift(work, state, t_end, work.q_end);
  if (result.status != StepStatus::done) return result;
  if (!accept_finite(work, work.q_end)) {
    result.element = -1;  // of the positions, not of the velocities
    return result;
  }
  work.memory.projection_energy(state.z) += projected;
  commit_step(work, state, step);
  commit_switching(work, state);
  return result;
}

}  // namespace backlash
