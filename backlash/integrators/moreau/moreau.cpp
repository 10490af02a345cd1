// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/moreau.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/dynamics/item_error.h"
#include "backlash/integrators/moreau/automatic_steps.h"
#include "backlash/integrators/moreau/equal_steps.h"
#include "backlash/integrators/moreau/passing_guard.h"
#include "backlash/integrators/moreau/start_overlap.h"
#include "backlash/integrators/moreau/workspace.h"
#include "backlash/integrators/not_finite.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void mark_regular(Moreau::Workspace& work) {
  std::ranges::fill(work.loop_states, LoopState::regular);
}

/// Holds the loops while it does: adds Δt/2 · M⁻¹W_B λ_B to u_middle, λ_B such that the bilateral
/// rows stay fulfilled: W_Bᵀ u̇ + b = 0 (theory 4.3). True if some loops may be near a singular
/// position: not those whose rows depend on each other everywhere.
[[gnu::noinline]] bool hold_loops(Moreau::Workspace& work, const State& state, double step) {
  constexpr double near_singular = 1e-3;  // pivot of G, as a part of the largest
  bool any_near = false, any_deficient = false;
  for (const Island& island : work.set.islands) {
    if (island.bilaterals == 0) continue;
    const std::span<const RowGroup> groups = groups_of(work.set, island);
    Arena::Frame frame(work.scratch);
    VectorMap lambda = frame.vector(island.bilaterals);
    for (Index i = 0; i < lambda.size(); ++i)
      lambda[i] = -work.bias[groups[at(i)].number] -
                  rate_of(work, work.set, groups[at(i)], 0, work.acceleration.data());
    const PivotedRank found = solve_bilaterals(work, work.set, island, lambda);
    const LoopState loop = found.smallest < near_singular ? LoopState::near_singular
                           : found.rank < lambda.size()   ? LoopState::rank_deficient
                                                          : LoopState::regular;
    any_near = any_near || loop == LoopState::near_singular;
    any_deficient = any_deficient || loop == LoopState::rank_deficient;
    work.rank += found.rank;
    for (Index i = 0; i < lambda.size(); ++i) {
      if (!work.near_singular) work.loop_states[at(groups[at(i)].number)] = loop;
      add_effect(work, work.set, groups[at(i)], 0, 0.5 * step * lambda[i], work.u_middle);
    }
  }
  const bool as_usual = static_cast<double>(work.rank) == work.own_memory.rank(state.z);
  if (as_usual && any_deficient && !any_near) mark_regular(work);
  return any_near || (any_deficient && !as_usual);
}

/// u_A + Δt/2 · M⁻¹h, and what holds the loops. True if some may be near a singular position.
bool predict_middle_velocity(Moreau::Workspace& work, const State& state, double step) {
  work.rank = 0;
  const Index n = work.u_middle.size();
  for (Index i = 0; i < n; ++i) work.u_middle[i] = state.u[i] + 0.5 * step * work.acceleration[i];
  return work.bilaterals > 0 && hold_loops(work, state, step);
}

/// M⁻¹h at the middle, with h at the velocity u. False if h is not finite.
inline bool write_acceleration(Moreau::Workspace& work, const Vector& u) {
  work.system.force(work.middle, u, work.acceleration);
  if (!accept_finite(work, work.acceleration)) return false;
  work.system.solve_mass(work.middle, work.M, work.acceleration);
  return true;
}

void require_set_valued(const SystemInfo& info) {
  for (const ContactInfo& contact : info.contacts)
    if (contact.compliant)
      throw ItemError(
          contact.origin,
          fmt::format("contact '{}': its law is compliant, a force, and the method moreau is for "
                      "set-valued laws; use the method compliant (--method compliant), or a law "
                      "without 'model' (restitution and friction)",
                      contact.name));
}

/// u_E = u_free + M⁻¹W Λ.
void add_impulses(Moreau::Workspace& work) {
  for (const RowGroup& group : work.set.groups)
    for (int j = 0; j < group.rows; ++j)
      add_effect(work, work.set, group, j, work.solution.impulse[group.first_row + j], work.u_end);
}

/// The impulses of the contact problem, and what they make of u_E.
[[gnu::noinline]] bool solve_rows(Moreau::Workspace& work, const State& state, double step) {
  begin_friction(work, state);
  for (int round = 0; round < FrictionLoads::most_rounds; ++round) {
    if (!resolve_contacts(work, state, step)) return false;
    add_impulses(work);
    if (!friction_changes(work, state, step)) return true;
    work.u_end = work.u_free;
  }
  work.result.status = StepStatus::contact_not_solved;
  return false;
}

/// u_E from the acceleration: without impulses, then with those of the contact problem.
bool write_end(Moreau::Workspace& work, const State& state, double step) {
  const Index n = work.u_free.size();
  for (Index i = 0; i < n; ++i)
    work.u_end[i] = work.u_free[i] = state.u[i] + step * work.acceleration[i];
  if (work.set.rows > 0) return solve_rows(work, state, step);
  clear_solution(work.result);
  return true;
}

bool bodies_met(const Moreau::Workspace& work) {
  return std::any_of(work.active.begin(), work.active.end(), [&](const ActiveContact& contact) {
    return contact.impact && work.solution.impulse[contact.first] > 0;
  });
}

/// u_E once more in a step that an impact divides (theory 4.15): forces act, and paths bend, at u_A
/// before it and at u_E after it.
bool write_divided_end(Moreau::Workspace& work, const State& state, double step) {
  Arena::Frame frame(work.scratch);
  VectorMap before = frame.vector(work.acceleration.size());
  if (!write_acceleration(work, state.u)) return false;
  before = work.acceleration;
  if (!write_acceleration(work, work.u_end)) return false;
  work.acceleration = 0.5 * (before + work.acceleration);
  write_divided_biases(work, state, step);
  return write_end(work, state, step);
}

/// u_E once more, with the mean of u_A and u_E for the predicted u_middle (theory 4.25).
bool write_end_again(Moreau::Workspace& work, const State& state, double step) {
  const Index n = work.u_middle.size();
  for (Index i = 0; i < n; ++i) work.u_middle[i] = 0.5 * (state.u[i] + work.u_end[i]);
  if (work.bilaterals > 0) target_bilaterals(work, state, step);
  write_contact_biases(work, step);
  return write_acceleration(work, work.u_middle) && write_end(work, state, step);
}

/// So that the first projection of contacts in a run allocates nothing: it has some of the rows.
void make_room(RowSet& some, const RowSet& all) {
  some.W.reserve(all.W.size());
  some.mass_inverse_W.reserve(all.W.size());
  some.w.reserve(all.w.size());
}

/// Where the acceleration that a drive asks for jumps in the step, that in the middle says nothing
/// of the velocity at the end: then the row has the mean of both ends (theory 4.44).
void take_jumps_of_drives(Moreau::Workspace& work, double t, double step) {
  for (const RowGroup& group : work.set.groups) {
    if (group.kind != RowGroup::Kind::bilateral) continue;
    if (!is_driven(work.system.info().bilaterals[at(group.number)])) continue;
    double& before = work.driven_rate[group.number];
    before = NAN;
    const auto jump = work.system.jump_of_drive(work.middle, group.number, t, t + step);
    if (!jump) continue;
    before = jump->before;
    work.set.w[group.first_row] = 0.5 * (jump->before + jump->after);
  }
}

/// The rows of the step (step 4), and what relays can do.
[[gnu::noinline]] void write_step_rows(Moreau::Workspace& work, const State& state, double step) {
  arrange_rows(work, {.frames = work.frames}, work.set);
  make_room(work.drift, work.set);
  for (const RowGroup& group : work.set.groups)
    if (group.kind == RowGroup::Kind::contact)
      work.active[at(group.number)].first = group.first_row;
  write_rows(work, work.middle, work.frames, work.set);
  if (work.has_drives && work.options.scheme == Scheme::midpoint)
    take_jumps_of_drives(work, state.t, step);
  for (Index i = 0; i < work.relays; ++i) work.relay_limit[i] = work.relay_strength[i];
  assume_last_loads(work, state, step);
  if (work.has_ranges) {
    work.relay_displacement.setZero();
    work.system.relay_displacements(work.middle, work.relay_displacement);
  }
}

bool is_free_flight(const Moreau::Workspace& work) {
  return work.frames.empty() && work.standing.empty();
}

/// Steps whose contacts are not solved are halved down to this part of their length.
constexpr double shortest_part = 1.0 / 64;

/// The length of the next try of a step that failed; 0: it is given up.
[[gnu::noinline]] double next_try(Moreau::Workspace& work, double whole, double step) {
  StepResult& result = work.result;
  const bool halved = work.may_be_halved && result.status == StepStatus::contact_not_solved;
  if (!halved && !(work.shorter_step < step)) return 0;
  if (halved) result.rejected.push_back(step);
  // So that what is left to the end of the equal step is not much shorter.
  step = std::min(work.shorter_step, 0.5 * step);
  work.may_be_halved =
      work.may_be_shorter && work.options.fall_back && step > whole * shortest_part;
  return step;
}

[[noreturn]] void refuse_length(double t, double step) {
  require_positive(step, "step", "s");
  throw InputError(fmt::format(
      "step must be long enough to change the time, {} s, and short enough to keep it finite, is "
      "{} s",
      t, step));
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
    case StepStatus::optimum_not_found:
      return "the optimiser found no motion that fulfils all conditions";
    case StepStatus::singular_position:
      return "the loops are in a singular position, where their velocity does not say how the "
             "motion goes on";
    case StepStatus::out_of_reach:
      return "the end of the run is out of reach";
    case StepStatus::would_pass:
      return "bodies are so fast that they could pass through each other in the shortest step";
  }
  return "?";
}

void validate(const MoreauOptions& options) {
  require_positive(options.step, "step", "s");
  find_solver(options.solver);
  validate(options.solver_options);
  require_choice(options.scheme, Scheme::theta, "scheme");
  require_choice(options.force_velocity, ForceVelocity::midpoint, "force velocity");
  require_in_range(options.theta, 0.5, 1, "theta", "-");
  require_not_negative(options.singular_residual, "residual at singular positions", "-");
  require_positive(options.drift_tolerance, "drift tolerance", "-");
  if (options.automatic_step) validate_automatic(options);
  if (!(options.penetration_limit > 0))
    throw InputError(fmt::format("penetration limit must be positive (infinity: none) [m], is {}",
                                 options.penetration_limit));
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
double Moreau::equal_step() const {
  return work_->options.automatic_step ? 0 : work_->options.step;
}
const MoreauOptions& Moreau::options() const { return work_->options; }
const Memory& Moreau::memory() const { return work_->memory; }

void target_bilaterals(Moreau::Workspace& work, const State& state, double step) {
  if (work.bilaterals == 0) return;
  write_bilateral_bias(work, work.u_middle);
  const auto last = work.own_memory.bilateral_start(state.z);
  for (const RowGroup& group : work.set.groups) {
    if (group.kind != RowGroup::Kind::bilateral) continue;
    const Index i = group.number;
    const double gamma =
        rate_of(work, work.set, group, 0, state.u.data()) + work.set.w[group.first_row];
    const double before = work.driven_rate[i];  // where known, the rate at the start is exact
    work.bilateral_start[i] = std::isnan(before) ? gamma - 0.5 * step * work.bias[i]
                                                 : gamma - work.set.w[group.first_row] + before;
    // Near singular positions the impulse may be so large that the target costs energy.
    const bool singular = work.loop_states[at(i)] == LoopState::near_singular;
    work.bilateral_target[i] = singular ? 0 : (work.bilateral_start[i] - last[i]) / 6;
  }
}

void report_not_finite(Moreau::Workspace& work, const Vector& values) {
  work.result.status = StepStatus::not_finite;
  for (Index i = values.size() - 1; i >= 0; --i)
    if (!(std::abs(values[i]) < largest_speed)) work.result.element = static_cast<int>(i);
}

namespace {

/// u_E with the rows of the step.
bool solve_midpoint(Moreau::Workspace& work, const State& state, double step) {
  const bool at_midpoint = work.options.force_velocity == ForceVelocity::midpoint;
  if (work.set.rows > 0) write_mass_inverse_rows(work, work.set);
  if (!write_acceleration(work, state.u)) return false;
  if (at_midpoint || work.bilaterals > 0) {
    work.near_singular = work.redundant = false;
    if (work.bilaterals > 0) write_bilateral_bias(work, state.u);
    if (at_midpoint) {  // the acceleration is written anew below
      if (work.relays > 0) add_last_relays(work, state);
      if (!work.active.empty()) add_last_contacts(work, state);
    }
    if (predict_middle_velocity(work, state, step)) {
      if (!take_rows_on_branch(work, state, step)) return false;
      write_bilateral_bias(work, state.u);
      predict_middle_velocity(work, state, step);
    }
    if (work.bilaterals > 0) target_bilaterals(work, state, step);
  } else {
    work.u_middle = state.u;
  }
  if (!work.frames.empty()) write_contact_biases(work, step);
  if (at_midpoint && !write_acceleration(work, work.u_middle)) return false;
  if (!write_end(work, state, step)) return false;
  if (!work.lasting || !at_midpoint || work.active.empty()) return true;
  if (bodies_met(work)) return write_divided_end(work, state, step);
  return !any_contact_unforeseen(work) || write_end_again(work, state, step);
}

/// The same again, as long as the contacts of the step lead to further ones (theory 4.35).
[[gnu::noinline]] bool solve_further_contacts(Moreau::Workspace& work, const State& state,
                                              double step) {
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds; ++round) {
    if (!add_further_contacts(work, state, step)) break;
    if (!list_active_contacts(work, state)) return false;
    write_step_rows(work, state, step);
    if (!solve_midpoint(work, state, step)) return false;
  }
  return true;
}

}  // namespace

bool step_midpoint(Moreau::Workspace& work, const State& state, double step) {
  if (!work.system.factor_mass(work.middle, work.M)) {
    work.result.status = StepStatus::mass_not_positive;
    return false;
  }
  if (!solve_midpoint(work, state, step)) return false;
  return !work.foresees || solve_further_contacts(work, state, step);
}

void Moreau::prepare(State& state) const {
  const SystemInfo& info = work_->system.info();
  validate(state, info);
  prepare_memory(info, work_->own_memory.size(), state);
  state.contacts.reserve(work_->records.capacity());  // the two are swapped in each step
}

inline const StepResult& Moreau::take_step(State& state, double step, double t_end) {
  Workspace& work = *work_;
  const double whole = step;
  work.result.rejected.clear();
  work.may_be_halved = work.may_be_shorter && work.options.fall_back;
  while (!try_step(state, step, t_end)) {
    step = next_try(work, whole, step);
    if (step == 0) return work.result;
    t_end = state.t + step;
  }
  if (work.may_be_parted) {
    double part = step;
    if (!end_at_event(state, part, t_end)) return work.result;
    step = part;
  }
  commit(state, step);
  return work.result;
}

const StepResult& Moreau::step_by(State& state, double length) {
  if (!work_->was_left(state)) prepare(state);
  const TrackedSearches tracked(state, std::array{&work_->middle, &work_->end});
  work_->may_be_shorter = work_->may_be_parted = work_->guarded = false;
  work_->result.source.reset();
  if (work_->has_events) start_switching(*work_, length, state);
  return explained(state, take_step(state, length, state.t + length));
}

const StepResult& Moreau::step(State& state, const StepLimits& limits) {
  if (!(limits.until > state.t) || std::isnan(limits.due)) refuse_step(state.t, limits);
  if (!work_->was_left(state)) prepare(state);
  const TrackedSearches tracked(state, std::array{&work_->middle, &work_->end});
  work_->guarded = work_->system.info().passable;
  work_->result.source.reset();
  if (work_->options.automatic_step) return explained(state, step_automatically(state, limits));
  const MoreauMemory& memory = work_->own_memory;
  const EqualSteps steps = EqualSteps::from(
      state.t, work_->options.step, memory.step_origin(state.z), memory.step_count(state.z));
  const PlannedStep next = next_step(work_->system.info(), steps, state.t, limits.until);
  work_->may_be_shorter = true;
  work_->may_be_parted = steps.parts() < most_parts;
  if (work_->has_events) start_switching(*work_, next.length, state);
  const StepResult& result = explained(state, take_step(state, next.length, next.t_end));
  if (result.status != StepStatus::done) return result;
  memory.step_origin(state.z) = steps.origin;
  memory.step_count(state.z) = state.t < next.t_end ? steps.in_part() : steps.whole() + 1;
  return result;
}

/// Of a step that failed, with the item of the model whose formula is not finite. What events did
/// before it is undone.
const StepResult& Moreau::explained(State& state, const StepResult& result) {
  if (result.status == StepStatus::done) return result;
  const System& system = work_->system;
  std::optional<Origin>& source = work_->result.source;
  source = find_not_finite_in_step(system, work_->memory, state, result.step);
  if (!source && work_->middle.q.allFinite()) {
    system.configure(work_->middle);
    source = system.find_not_finite(work_->middle, work_->u_middle);
  }
  if (work_->has_events) undo_start(*work_, state);
  return result;
}

/// Tries the step from `state`, which has been tried, again up to the first event with a condition
/// that happens in it (theory 4.43).
bool Moreau::end_at_event(const State& state, double& step, double t_end) {
  Workspace& work = *work_;
  if (!work.event_search.any()) return true;
  const double whole = step;
  if (!work.event_search.begin(work.switching, t_end, whole)) return true;
  const auto try_part = [&] {
    return try_step(state, step, step < whole ? state.t + step : t_end);
  };
  while (true) {
    write_end_conditions(work, step);
    const double next = work.event_search.next_length(work.event_conditions, step);
    if (next == step) return true;
    step = next;
    if (try_part()) continue;
    step = work.event_search.choose();
    return try_part();
  }
}

bool Moreau::try_step(const State& state, double step, double t_end) {
  Workspace& work = *work_;
  StepResult& result = work.result;
  const System& system = work.system;
  if (!(t_end > state.t && t_end < INFINITY)) refuse_length(state.t, step);
  result.status = StepStatus::done;
  result.t_start = state.t;
  result.step = step;
  result.contacts.clear();
  result.gain = {};
  result.released.clear();
  result.element = -1;
  result.contact.reset();
  result.undetermined.reset();
  work.t_end = t_end;
  work.closing_time = std::max(step, work.regular_step);
  work.bend = 0;
  work.shorter_step = INFINITY;
  work.guard.slow = work.guard.fast = false;
  if (work.has_events) begin_switching(work, state);

  work.middle.t = state.t + 0.5 * step;
  system.advance(state.q, state.u, 0.5 * step, work.middle.q);
  if (!accept_positions(work, work.middle.q)) {
    validate(state, system.info());
    return false;
  }
  if (work.states.size() == 0)
    system.configure(work.middle);
  else if (!predict_states(work, state, step))
    return false;
  if (work.guarded && !passes_nothing(work, state, step)) return false;
  work.foresees = work.may_foresee && !work.guard.fast;
  if (!find_active_contacts(work, state, step)) return false;
  if (is_free_flight(work))
    clear(work.set);
  else
    write_step_rows(work, state, step);
  const bool found = work.options.scheme == Scheme::midpoint ? step_midpoint(work, state, step)
                                                             : step_theta(work, state, step);
  if (!found || !accept_velocities(work, work.u_end)) return false;
  result.singular = work.near_singular && work.bilaterals > 0;
  if (work.guarded && bodies_met(work) && !passes_nothing_after(work, state, step)) return false;

  if (work.options.scheme == Scheme::midpoint)
    system.advance(work.middle.q, work.u_end, 0.5 * step, work.q_end);
  else
    system.advance(state.q, work.u_theta, step, work.q_end);
  if (work.set.rows > 0) write_end_velocities(work, step);
  work.projected_energy = 0;
  work.projected = false;
  work.landed = !work.active.empty() && mark_landings(work, state, step);
  if (work.landed || work.projects_drift)
    work.projected_energy = project_drift(work, state, t_end, work.q_end);
  if (work.states.size() > 0 && result.status == StepStatus::done &&
      !finish_states(work, state, step))
    return false;
  return result.status == StepStatus::done && accept_positions(work, work.q_end);
}

void Moreau::commit(State& state, double step) {
  Workspace& work = *work_;
  book_projection(work, state);
  if (work.guard.slow) remember_slow_bodies(work, state, step);
  if (work.redundant) work.own_memory.rank(state.z) = static_cast<double>(work.rank);
  commit_step(work, state, step);
  if (work.has_events) commit_switching(work, state);
  work.t_left = state.t;
  work.z_left = state.z.data();
}

}  // namespace backlash
