// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/optimisation/optimisation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/dynamics/item_error.h"
#include "backlash/integrators/moreau/equal_steps.h"
#include "backlash/integrators/not_finite.h"
#include "backlash/integrators/optimisation/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void require_laws(const SystemInfo& info, const OptimisationOptions& options) {
  const auto refuse = [](const ContactInfo& contact, std::string_view why) {
    throw ItemError(contact.origin, fmt::format("contact '{}': its law is {}", contact.name, why));
  };
  for (const ContactInfo& contact : info.contacts) {
    if (contact.compliant)
      refuse(contact,
             "compliant, a force, and the method optimisation is for set-valued laws; use the "
             "method compliant (--method compliant), or a law without 'model'");
    if (contact.law.impact != ImpactLaw::newton && options.impacts == Impacts::law)
      refuse(contact,
             fmt::format("of two phases (impact: {}), and the method optimisation has Newton's "
                         "restitution; use the method moreau, or impacts: plastic",
                         contact.law.impact == ImpactLaw::poisson ? "poisson" : "stronge"));
    if (contact.tangents > 1 && contact.law.friction > 0)
      refuse(contact,
             "friction in space, and the method optimisation has friction in the plane only; use "
             "the method moreau");
    if (has_static_friction(contact.law))
      refuse(contact,
             "of friction that is larger while it sticks (static), and the method optimisation has "
             "one coefficient; use the method moreau");
  }
  for (const RelayInfo& relay : info.relays)
    if (is_loaded(relay))
      throw ItemError(relay.origin, fmt::format("'{}' grows with what the joint carries "
                                                "(coefficient), and the method optimisation has "
                                                "friction of given strength only; use the method "
                                                "moreau or compliant",
                                                relay.name));
}

void begin_result(StepResult& result, double t, double length) {
  result.status = StepStatus::done;
  result.trouble.clear();
  result.t_start = t;
  result.step = length;
  result.contacts.clear();
  result.released.clear();
  result.settled.clear();
  result.rejected.clear();
  result.element = -1;
  result.source.reset();
  result.contact.reset();
  result.iterations = 0;
  result.solver_status = SolverStatus::solved;  // of impacts; most steps have none
  result.residual = result.relative_residual = 0;
}

/// Velocities, or forces.
void report_not_finite(Optimisation::Workspace& work, const Vector& values) {
  work.result.status = StepStatus::not_finite;
  work.result.trouble.clear();
  for (Index i = values.size() - 1; i >= 0; --i)
    if (!(std::abs(values[i]) < largest_speed)) work.result.element = static_cast<int>(i);
}

/// False, and said in the result, if the end is not finite.
bool accept_finite(Optimisation::Workspace& work) {
  const Vector& u = work.u_end;
  if (u.squaredNorm() < largest_speed * largest_speed &&
      work.equations.configuration().q.allFinite())
    return true;
  report_not_finite(work, u);
  return false;
}

/// What the free motion would have done to the gaps, for the time of closing.
void note_free_gaps(Optimisation::Workspace& work) {
  const StepEquations& equations = work.equations;
  work.free_gaps.resize(at(equations.contacts()));
  for (Index i = 0; i < equations.contacts(); ++i) {
    const double gap = equations.values()[i];
    work.free_gaps[at(i)] =
        gap + equations.length() * equations.directions().col(i).dot(work.free.u - work.point.u);
  }
}

/// Where the steps of equal length end: the next of them, or of one that was divided the rest.
PlannedStep plan(const Optimisation::Workspace& work, const State& state, double until,
                 EqualSteps& steps) {
  const OptimisationMemory& own = work.own;
  const double step = work.options.step;
  const bool goes_on = work.memory.last_step(state.z) > 0 && own.t_left(state.z) == state.t;
  if (goes_on)
    steps = {step, own.step_origin(state.z), own.step_count(state.z)};
  else
    steps = {step, state.t, 0};
  PlannedStep next = next_step(work.system.info(), steps, state.t, until);
  if (std::fma(steps.count, step, steps.origin) != state.t) next.length = next.t_end - state.t;
  return next;
}

/// The longest of the steps that are free: what is left behind it, before the end of the run, is
/// not shorter than a step may be.
PlannedStep plan_free(const Optimisation::Workspace& work, const State& state, double until) {
  const double left = until - state.t, least = work.options.min_step;
  double longest = work.options.max_step;
  constexpr double round_off = 1e-9;
  if (left > (1 + round_off) * longest)
    longest = std::max(std::min(longest, left - least), 0.5 * left);
  return next_step(work.system.info(), {std::min(longest, work.options.max_step), state.t, 0},
                   state.t, until);
}

bool try_step(Optimisation::Workspace& work, const State& state, double t_end,
              const FreeLength& length) {
  work.result.status = StepStatus::done;
  if (!solve_step(work, state, t_end, length)) {
    if (!work.equations.force().allFinite()) report_not_finite(work, work.equations.force());
    return false;
  }
  if (!apply_impact_law(work, state)) return false;
  note_free_gaps(work);
  return accept_finite(work);
}

/// Whether a step that chose its length ends so near to the end of the run that the next would be
/// shorter than a step may be.
bool leaves_a_rest(const Optimisation::Workspace& work, const State& state, double until) {
  const double left = until - state.t - work.equations.length();
  return work.options.step_control == StepControl::free && left > 0 && left < work.options.min_step;
}

/// A step in which bodies could pass through each other is shortened (theory 4.20). False, and said
/// in the result, if it would be too short.
bool shorten_before_passing(Optimisation::Workspace& work, const State& state, PlannedStep& next) {
  const double travel = work.system.passing_travel(work.start, state.u, next.length);
  if (travel == 0) return true;
  Configuration& c = work.equations.configuration();  // not in use yet
  c.switches = work.start.switches;
  set_configuration(work.system, work.memory, state, c);
  work.passing.know_closed(state.contacts);
  const double safe =
      safe_step(work.system, {c, state.u, next.length, travel, state.contacts}, work.passing);
  if (!(safe < next.length)) return true;
  if (!(safe > shortest_safe_part * next.length) || !(state.t + safe > state.t)) {
    work.result.status = StepStatus::would_pass;
    work.result.contact = work.passing.shortest;
    return false;
  }
  work.result.rejected.push_back(next.length);
  next = {safe, state.t + safe};
  return true;
}

/// Below it steps are not halved any more: also the rest of a step that was divided is not, so that
/// steps cannot shrink for ever without reaching its end [s].
double shortest_half(const OptimisationOptions& options) {
  constexpr double part = 1.0 / 4096;
  return part * (options.step_control == StepControl::fixed ? options.step : options.max_step);
}

/// Halves the step until it is solved; the shortest length that was tried stays in the result.
bool try_shorter_steps(Optimisation::Workspace& work, const State& state, double until,
                       PlannedStep& next) {
  const double shortest = shortest_half(work.options);
  for (int k = 0;; ++k) {
    work.result.step = next.length;
    FreeLength length{.shortest = std::min(work.options.min_step, next.length),
                      .longest = next.length,
                      .preference = work.options.step_preference};
    length.is_free = work.options.step_control == StepControl::free && k == 0 &&
                     next.length > work.options.min_step;
    bool solved = try_step(work, state, next.t_end, length);
    if (solved && leaves_a_rest(work, state, until)) {
      length.is_free = false;
      solved = try_step(work, state, next.t_end, length);
    }
    if (solved && work.equations.length() != next.length)
      next = {work.equations.length(), state.t + work.equations.length()};
    if (solved) return true;
    if (0.5 * next.length < shortest) return false;
    work.result.rejected.push_back(next.length);
    next = {0.5 * next.length, state.t + 0.5 * next.length};
  }
}

/// Tries the step, which is solved, again up to the first event with a condition that happens in it
/// (theory 4.43). False if that fails.
bool end_at_event(Optimisation::Workspace& work, const State& state, const EventWork& events,
                  PlannedStep& next) {
  EventSearch& search = work.event_search;
  const PlannedStep whole = next;
  if (!search.begin(work.switching, whole.t_end, whole.length)) return true;
  const auto configure_start = [&] {
    work.start.t = state.t;
    work.start.q = state.q;
    work.system.configure(work.start);
  };
  const auto look_at_end = [&] {
    work.start.t = next.t_end;
    work.start.q = work.equations.configuration().q;
    work.system.configure(work.start);
    write_conditions(events, work.u_end, next.length);
    configure_start();
  };
  const auto try_part = [&](double length) {
    next = length < whole.length ? PlannedStep{length, state.t + length} : whole;
    work.result.step = length;
    return try_step(work, state, next.t_end, {.shortest = length, .longest = length});
  };
  while (true) {
    look_at_end();
    const double length = search.next_length(work.event_conditions, next.length);
    if (length == next.length) return true;
    if (!try_part(length)) return try_part(search.choose());
  }
}

/// The item whose formula is not finite where the equations of the step that failed were looked at
/// last, or on the way there.
std::optional<Origin> find_not_finite(const Optimisation::Workspace& work, const State& state) {
  const StepEquations& equations = work.equations;
  if (!equations.force().allFinite())
    if (auto source = work.system.find_not_finite(equations.configuration(), equations.velocity()))
      return source;
  return find_not_finite_in_step(work.system, work.memory, state, work.result.step);
}

}  // namespace

void validate(const OptimisationOptions& options) {
  require_positive(options.step, "step", "s");
  require_positive(options.min_step, "min_step", "s");
  require_positive(options.relaxation, "relaxation", "-");
  require_positive(options.tolerance, "tolerance", "-");
  require_positive(options.step_preference, "step_preference", "-");
  if (!(options.max_step >= options.min_step) || !std::isfinite(options.max_step))
    throw InputError(fmt::format("max_step must be at least min_step, {} s, and finite; it is {} s",
                                 options.min_step, options.max_step));
}

Optimisation::Workspace::Workspace(const System& system_, const OptimisationOptions& options_)
    : system(system_),
      options(options_),
      memory(system_.info()),
      own{memory.size(), static_cast<Index>(system_.info().bilaterals.size())},
      equations(system_),
      newton(equations, {}),
      optimiser(options_.optimiser == Optimiser::ipopt ? make_ipopt_solver() : make_slsqp_solver()),
      mobility(system_.info()),
      switched_rows(system_.info()),
      event_search(system_.info()) {
  const SystemInfo& info = system.info();
  start = backlash::configuration(system, 0, Vector::Zero(info.positions));
  switches = start.switches;
  event_conditions.setZero(static_cast<Index>(info.events.size()));
  measures = StepMeasures(info);
  result.order = 1;
  impact.delassus = DenseDelassus{};
}

Optimisation::Optimisation(const System& system, const OptimisationOptions& options) {
  validate(options);
  require_laws(system.info(), options);
  work_ = std::make_unique<Workspace>(system, options);
}
Optimisation::~Optimisation() = default;
Optimisation::Optimisation(Optimisation&&) noexcept = default;
Optimisation& Optimisation::operator=(Optimisation&&) noexcept = default;

const StepResult& Optimisation::last_result() const { return work_->result; }
const System& Optimisation::system() const { return work_->system; }
double Optimisation::equal_step() const {
  return work_->options.step_control == StepControl::fixed ? work_->options.step : 0;
}

const StepResult& Optimisation::step(State& state, const StepLimits& limits) {
  if (!(limits.until > state.t) || std::isnan(limits.due)) refuse_step(state.t, limits);
  Workspace& work = *work_;
  const SystemInfo& info = work.system.info();
  validate(state, info);
  prepare_memory(info, work.own.size(), state);
  EqualSteps steps;
  PlannedStep next;
  if (work.options.step_control == StepControl::fixed) {
    next = plan(work, state, limits.until, steps);
  } else {
    next = plan_free(work, state, limits.until);
  }
  begin_result(work.result, state.t, next.length);
  const TrackedSearches tracked(state, std::array{&work.start, &work.equations.configuration()});
  set_configuration(work.system, work.memory, state, work.start);
  EventWork events{work.system,           work.memory,       work.switching,
                   work.event_conditions, work.start,        work.result,
                   work.measures,         work.start_of_run, 1};
  start_switching(events, next.length, state);
  begin_switching(events, state);
  work.switches = work.start.switches;
  if (!shorten_before_passing(work, state, next)) {
    undo_start(events, state);
    return work.result;
  }
  if (!try_shorter_steps(work, state, limits.until, next)) {
    work.result.source = find_not_finite(work, state);
    undo_start(events, state);
    return work.result;
  }
  const bool fixed = work.options.step_control == StepControl::fixed;
  if (fixed && work.event_search.any() && steps.parts() < most_parts) {
    if (!end_at_event(work, state, events, next)) {
      undo_start(events, state);
      return work.result;
    }
    events.search = &work.event_search;
  }
  work.result.step = next.length;
  set_configuration(work.system, work.memory, state, work.start);
  commit_step(work, next.t_end, state);
  if (fixed) {
    const double end_of_whole = std::fma(steps.whole() + 1, steps.step, steps.origin);
    work.own.step_origin(state.z) = steps.origin;
    work.own.step_count(state.z) = next.t_end < end_of_whole ? steps.in_part() : steps.whole() + 1;
  }
  work.own.t_left(state.z) = state.t;
  commit_switching(events, work.switches, state);
  return work.result;
}

}  // namespace backlash
