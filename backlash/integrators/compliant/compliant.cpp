// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/compliant.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "backlash/dynamics/item_error.h"
#include "backlash/integrators/compliant/parts.h"
#include "backlash/integrators/switching.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

Stepper make_stepper(SmoothDynamics& dynamics, const CompliantOptions& options) {
  if (options.integrator == OdeMethod::rk4) return RungeKutta(dynamics, options);
  return Multistep(dynamics, options);
}

void require_compliant(const SystemInfo& info) {
  for (const ContactInfo& contact : info.contacts) {
    if (contact.always_closed)
      throw ItemError(
          contact.origin,
          fmt::format("'{}': a one_way_clutch without 'capacity' is set-valued, and the method "
                      "compliant needs a force; give it a 'capacity', the largest torque or force "
                      "that it carries, or use the method moreau",
                      contact.name));
    if (!contact.compliant)
      throw ItemError(
          contact.origin,
          fmt::format(
              "contact '{}': its law is set-valued, and the method compliant needs a force; "
              "give its law a 'model' (--law NAME='{{model: calibrated, stiffness: 1e9 "
              "N/m^1.5}}'), or use the method moreau",
              contact.name));
    if (contact.tangents == 2 && std::holds_alternative<LuGre>(contact.compliant->friction))
      throw ItemError(
          contact.origin,
          fmt::format("contact '{}': LuGre's friction is for the plane; choose another in space",
                      contact.name));
  }
}

StepStatus status_of(Advance outcome) {
  switch (outcome) {
    case Advance::done:
      return StepStatus::done;
    case Advance::tolerance_not_met:
      return StepStatus::tolerance_not_met;
    case Advance::mass_not_positive:
      return StepStatus::mass_not_positive;
    case Advance::not_finite:
      return StepStatus::not_finite;
    case Advance::singular_position:
      return StepStatus::singular_position;
  }
  return StepStatus::not_finite;
}

}  // namespace

Compliant::Parts::Parts(const System& system_, const CompliantOptions& options_)
    : system(system_),
      options(options_),
      dynamics(system_, options_),
      stepper(make_stepper(dynamics, options_)),
      measured(Vector::Zero(system_.info().measured)),
      pace(options_) {
  dynamics.set_measured(measured);
  rejected.reserve(many_attempts);
  result.rejected.reserve(many_attempts);
  const std::size_t usual = usual_contacts(system.info());
  for (auto* list : {&result.contacts, &result.released, &result.settled}) list->reserve(usual);
  records.reserve(usual);
  dynamics.reserve_passing(usual);
  for (ContactSample* sample : {&start, &end, &inside, &last_inside}) {
    sample->frames.reserve(usual);
    sample->velocities.reserve(usual);
  }
  changes.reserve(2 * usual + system.info().events.size());
  dynamics.located = options.onset == Onset::root;
  if (options.onset == Onset::procedure_2) dynamics.live_depth = options.max_onset_penetration;
  if (options.onset == Onset::none && options.live_contacts) dynamics.live_depth = INFINITY;
  for (LastStep* forces : {&forces_at_end, &result.forces, &result.end_forces}) {
    *forces = LastStep(system.info());
    forces->contacts.reserve(usual);
    forces->remembered.reserve(usual);
  }
}

/// A contact that has touched in a step and is apart at its end has opened since by at most V Δt,
/// if V bounds the speed at which gaps change: so those within that reach are all that need to be
/// watched, whatever the step did in between, and those that overlap are always among them. A gap
/// changes at most as fast as two points of bodies move, and V leaves the same again for speeds
/// that change within the step. Where contacts are few, all are looked at.
void Compliant::Parts::sample_end(double t) {
  double reach = INFINITY;
  if (!sees_all) {
    speed_end = dynamics.greatest_speed(t, y_end.data());
    reach = 4 * std::max(speed_start, speed_end) * (t - start.t);
  }
  dynamics.sample_contacts(t, y_end.data(), reach, end);
}

void Compliant::Parts::restart(double t, const Vector& y) {
  with_stepper([&](auto& s) { s.restart(t, y); });
}

/// From a state that is not the last that was reported: a new run, or one that goes on.
void Compliant::Parts::begin(State& state) {
  validate(state, system.info());
  state.contacts.reserve(records.capacity());
  prepare_memory(system.info(), 0, state);
  keep(state);
  dynamics.begin(state, y_reported);
  t_reported = t_begun = state.t;
  condition_rates.resize(0);
  y_end = y_reported;
  dynamics.sample_contacts(t_reported, y_end.data(), INFINITY, end);
  reported = &end;
  constexpr std::size_t few = 32;
  sees_all = end.frames.size() <= few;
  if (!sees_all) speed_end = dynamics.greatest_speed(t_reported, y_end.data());
  changes.clear();
  switching = dynamics.memory().switching(state.z);
  if (dynamics.memory().last_step(state.z) == 0 && switch_forces(state)) {
    y_reported = y_end;
    dynamics.sample_contacts(t_reported, y_end.data(), INFINITY, end);
  }
  for (std::size_t i = 0; i < end.frames.size(); ++i) {
    const ContactFrame& frame = end.frames[i];
    // One that touches at rest is in force from the start: it does not meet anybody later.
    const bool meets = frame.gap < 0 || (frame.gap == 0 && end.velocities[i][0] <= 0);
    if (meets && !dynamics.find(frame.key))
      apply_change({.kind = ModeChange::Kind::onset, .t = t_reported, .key = frame.key});
  }
  dynamics.remember_modes(state, end);
  restart(t_reported, y_end);
}

/// Before anything of a step changes the state without moving it: what is given back if it fails.
void Compliant::Parts::keep(const State& state) {
  if (!std::exchange(kept, true)) before = state;
}

/// The shortest step of procedure 2: what the approach asks for, unless the user says.
double Compliant::Parts::min_step() const {
  if (options.min_step > 0) return options.min_step;
  double fastest = 1e-6;
  for (std::size_t i = 0; i < start.frames.size(); ++i)
    if (const ContactKey& key = start.frames[i].key; !dynamics.find(key))
      fastest = std::max(fastest, -start.velocities[i][0] * gap_length(system.info(), key));
  if (!sees_all) fastest = std::max(fastest, 2 * speed_start);
  return 0.01 * options.max_onset_penetration / fastest;
}

/// One step of the integrator, cut where something happens. False if it failed.
bool Compliant::Parts::advance(State& state, double until) {
  std::swap(start, end);
  std::swap(y_start, y_end);
  reported = &start;
  speed_start = speed_end;
  double limit = until;
  for (const EventInfo& event : system.info().events)
    if (event.time && *event.time > start.t) limit = std::min(limit, *event.time);
  dynamics.min_step = min_step();
  rejected.clear();
  const bool retries = options.onset == Onset::procedure_2;
  if (!advance_stepper(limit) || (retries && !retry_before_passing())) {
    std::swap(start, end);
    std::swap(y_start, y_end);
    reported = &end;
    return false;
  }
  changes.clear();
  if (!retries) cut_before_passing();
  watch_conditions(until);
  if (options.onset == Onset::root) {
    cut_at_first_change(state);
  } else {
    cut_at_first_event();
    see_changes_at_end();
  }
  return true;
}

/// From y_start, not beyond the limit; result.status says why not.
bool Compliant::Parts::advance_stepper(double limit) {
  const Advance outcome = with_stepper([&](auto& s) {
    Advance done = s.advance(limit);
    rejected.insert(rejected.end(), s.rejected().begin(), s.rejected().end());
    if (!(s.y().squaredNorm() < largest_speed * largest_speed)) done = Advance::not_finite;
    if (done == Advance::done) y_end = s.y();
    whole_step = s.last_step();
    return done;
  });
  if (outcome != Advance::done) {
    result.status = status_of(outcome);
    return false;
  }
  const double t = with_stepper([](auto& s) { return s.t(); });
  knows_forces_at_end = with_stepper([](auto& s) { return s.evaluated_end(); });
  if (knows_forces_at_end) dynamics.write_last_forces(t, y_end.data(), forces_at_end);
  sample_end(t);
  return true;
}

void Compliant::Parts::see_changes_at_end() {
  find_changes_at_end({dynamics, stepper, start, end, scratch, inside}, changes);
  if (options.onset == Onset::procedure_1) interpolate_linearly();
  forced = false;
  if (options.onset != Onset::procedure_2) return;
  for (const ModeChange& change : changes) {
    if (change.kind != ModeChange::Kind::onset) continue;
    const double depth =
        -end.frames[end.find(change.key)].gap * gap_length(system.info(), change.key);
    forced = forced || depth > options.max_onset_penetration;
  }
}

void Compliant::Parts::cut_at_first_change(State& state) {
  find_first_changes({dynamics, stepper, start, end, scratch, inside}, changes);
  if (changes.empty() || !(changes.front().t < end.t)) return;
  cut(changes.front().t);
  if (end.t > start.t) return;
  keep(state);
  make_changes(state);  // at once: nothing has moved
}

/// Ends the step at t.
void Compliant::Parts::cut(double t) {
  if (t > start.t)
    interpolate(stepper, t, y_end);
  else
    y_end = y_start;
  sample_end(t);
  knows_forces_at_end = false;
  whole_step = t - start.t;
}

/// Procedure 1 (theory 10.4): back to where the first gap vanishes if it shrinks evenly.
void Compliant::Parts::interpolate_linearly() {
  const auto onset_share = [&](const ModeChange& change) {
    if (change.kind != ModeChange::Kind::onset) return 1.0;
    const double before = motion_of(start, change.key, y_start).gap,
                 after = end.frames[end.find(change.key)].gap;
    return before > 0 && std::isfinite(before) ? before / (before - after) : 1;
  };
  double share = 1;
  for (const ModeChange& change : changes) share = std::min(share, onset_share(change));
  if (share == 1) return;
  const double t = start.t + share * (end.t - start.t);
  std::erase_if(changes, [&](ModeChange& change) {
    change.t = t;
    return onset_share(change) > share * (1 + 1e-12);
  });
  y_end = (1 - share) * y_start + share * y_end;
  sample_end(t);
  knows_forces_at_end = false;
  whole_step = t - start.t;
}

void Compliant::Parts::apply_change(const ModeChange& change) {
  using Kind = ModeChange::Kind;
  if (change.kind == Kind::onset) {
    const ContactMotion motion = motion_of(end, change.key, y_end);
    const ContactMode mode{.entry_rate = entry_rate_of(change.key, motion),
                           .onset_rate = -motion.gamma[0]};
    dynamics.put_into_force(change.key, mode, y_end);
  } else if (change.kind == Kind::release) {
    dynamics.release(change.key, y_end);
  } else if (change.kind == Kind::clamp || change.kind == Kind::unclamp) {
    dynamics.set_clamped(change.key, change.kind == Kind::clamp);
  }
}

/// Events of the model whose time or condition has come. False if there are none.
bool Compliant::Parts::switch_forces(State& state) {
  const std::vector<EventInfo>& events = system.info().events;
  if (events.empty()) return false;
  Vector conditions = conditions_at(end.t, y_end);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].time) conditions[static_cast<Index>(i)] = end.t >= *events[i].time ? 1 : -1;
  for (const ModeChange& change : changes)  // found where the condition is zero but for round-off
    if (change.kind == ModeChange::Kind::event)
      conditions[change.event] = std::max(conditions[change.event], 1e-300);
  Configuration here = dynamics.configuration();
  const bool any = make_events_happen(system, conditions, switching, here, result,
                                      [&](const EventInfo&, double, double) { return end.t; });
  dynamics.set_switches(here.switches);
  if (any && holds_joints(system.info(), result)) {
    catch_velocity(system, here, switching, state.u, result);
    y_end.segment(dynamics.positions(), dynamics.velocities()) = state.u;
  }
  if (any) dynamics.restart_reactions(end.t, y_end);
  dynamics.memory().switching(state.z) = switching;
  return any;
}

void Compliant::Parts::make_changes(State& state) {
  bool switched = switch_forces(state);
  const bool goes_on = dynamics.live_depth > 0 && !dynamics.has_friction_states();
  for (const ModeChange& change : changes) apply_change(change);
  if (switched || !changes.empty()) {
    condition_rates.resize(0);
    for (std::size_t k = 0; k < system.info().events.size(); ++k)  // what jumps may switch others
      if (!switch_forces(state))
        break;
      else
        switched = true;
  }
  SmoothDynamics::Projection done;
  const bool projected = options.projection && dynamics.project(end.t, y_end, done);
  if (projected) {
    dynamics.memory().projection_energy(state.z) += done.energy;
    dynamics.memory().applied_work(state.z) += done.applied_work;
    state.q = y_end.head(dynamics.positions());
    state.u = y_end.segment(dynamics.positions(), dynamics.velocities());
  }
  if (switched || projected)
    dynamics.sample_contacts(end.t, y_end.data(), sees_all ? INFINITY : 0, end);
  if (switched || projected || shortened || (!changes.empty() && !goes_on))
    restart(end.t, y_end);
  else
    begin_integrals();
  if (!changes.empty()) dynamics.remember_modes(state, end);
  if (projected || switched || !changes.empty()) y_reported = y_end;
  changes.clear();
  shortened = false;
}

/// Of the contacts that came into force without a restart.
void Compliant::Parts::begin_integrals() {
  for (const ModeChange& change : changes)
    if (change.kind == ModeChange::Kind::onset) {
      const auto [first, count] = dynamics.place_of_integrals(*dynamics.find(change.key));
      with_stepper([&](auto& s) { s.begin_integrals(first, count); });
    }
}

/// Changes the integrator where another one goes on faster (theory 10.11).
void Compliant::Parts::keep_pace(double until) {
  auto* const multistep = std::get_if<Multistep>(&stepper);
  if (!multistep || !pace.must_change(end.t, multistep->evaluations(), until)) return;
  multistep->set_method(pace.method());
  restart(end.t, y_end);
}

void Compliant::Parts::fail(State& state, StepStatus status) {
  if (std::exchange(kept, false)) state = before;
  result.events.clear();
  result.percussions.clear();
  result.stop = false;
  result.status = status;
  result.t_start = state.t;
  result.rejected = rejected;
  result.step = rejected.empty() ? whole_step : rejected.back();
  result.element = dynamics.element();
  result.source = dynamics.source();
  double deepest = 0;
  for (const ContactFrame& frame : reported->frames)
    if (frame.gap < deepest) {
      deepest = frame.gap;
      result.contact = frame.key;
    }
}

Compliant::Compliant(const System& system, const CompliantOptions& options) {
  validate(options);
  require_compliant(system.info());
  parts_ = std::make_unique<Parts>(system, options);
}
Compliant::~Compliant() = default;
Compliant::Compliant(Compliant&&) noexcept = default;
Compliant& Compliant::operator=(Compliant&&) noexcept = default;

const StepResult& Compliant::last_result() const { return parts_->result; }
const System& Compliant::system() const { return parts_->system; }
double Compliant::equal_step() const {
  return parts_->options.integrator == OdeMethod::rk4 ? parts_->options.step : 0;
}
const CompliantOptions& Compliant::options() const { return parts_->options; }
long Compliant::evaluations() const {
  return parts_->with_stepper([](auto& s) { return s.evaluations(); });
}

const StepResult& Compliant::step(State& state, const StepLimits& limits) {
  if (!(limits.until > state.t) || std::isnan(limits.due)) refuse_step(state.t, limits);
  const long evaluations_before = evaluations();
  parts_->step(state, limits);
  parts_->result.evaluations = evaluations() - evaluations_before;
  return parts_->result;
}

void Compliant::Parts::step(State& state, const StepLimits& limits) {
  result.status = StepStatus::done;
  result.contacts.clear();
  result.released.clear();
  result.settled.clear();
  result.events.clear();
  result.percussions.clear();
  result.rejected.clear();
  result.stop = false;
  result.element = -1;
  result.source.reset();
  dynamics.forget_source();
  result.contact.reset();
  result.trouble.clear();
  result.knows_forces = result.knows_end_forces = false;
  kept = false;
  if (!continues(state)) begin(state);
  constexpr int most_tries = 50;  // of steps in which something happens at once
  for (int k = 0; !(end.t > t_reported); ++k) {
    if (k < most_tries && advance(state, limits.until)) continue;
    fail(state, k < most_tries ? result.status : StepStatus::tolerance_not_met);
    if (k == most_tries) result.trouble = "contacts come and go, or events happen, at one instant";
    t_reported = NAN;  // the next step begins anew
    return;
  }
  if (limits.due < end.t && limits.due > t_reported) {
    with_stepper([&](auto& s) { s.interpolate(limits.due, y_now); });
    dynamics.sample_contacts(limits.due, y_now.data(), 0, inside);
    report(state, limits.due, y_now, inside);
    std::swap(inside, last_inside);
    reported = &last_inside;
  } else {
    report(state, end.t, y_end, end);
    make_changes(state);
    keep_pace(limits.until);
  }
  result.stiff = pace.is_stiff();
  if (!reaches(state.t, result.step, limits.due)) return;
  result.end_forces =
      result.interpolated ? result.forces : dynamics.end_forces(t_reported, y_reported.data());
  result.knows_end_forces = true;
}

}  // namespace backlash
