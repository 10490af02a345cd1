// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/recorder.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/results/columns.h"

namespace backlash {
namespace {

/// The steps that a result reports: those tried in vain, and the one that was taken.
void append_steps(const StepResult& result, const SystemInfo& info, std::vector<StepRow>& steps) {
  if (result.interpolated) return;
  const bool accepted = result.status == StepStatus::done;
  const double whole = result.whole_step > 0 ? result.whole_step : result.step;
  const double end = result.t_start + result.step, start = accepted ? end - whole : result.t_start;
  for (const double tried : result.rejected)
    steps.push_back({.t = start + tried, .step = tried, .accepted = false, .order = result.order});
  if (!accepted && !result.rejected.empty()) return;
  StepRow row{.t = end,
              .step = whole,
              .accepted = accepted,
              .order = result.order,
              .iterations = result.iterations,
              .residual = result.residual};
  for (const ContactOutcome& contact : result.contacts) {
    const GapUnit unit = info.contacts[static_cast<std::size_t>(contact.key.pair)].unit;
    double& deepest = unit == GapUnit::metre ? row.penetration : row.angular_penetration;
    deepest = std::max(deepest, -contact.gap);
  }
  steps.push_back(row);
}

/// That counts as a peak: the mean of the step, or that at its end where the method knows it [N].
double normal_force(const StepResult& result, const ContactOutcome& outcome) {
  if (!result.knows_forces) return outcome.impulse[0] / result.step;
  const ContactForce* force = result.forces.find_force(outcome.key);
  return force ? force->force[0] : 0;
}

}  // namespace

void validate(const RecorderOptions& options, const SystemInfo& info) {
  require_not_negative(options.every, "time between outputs", "s");
  std::set<std::string_view> names;
  for (const RecordedPoint& point : options.points) {
    const std::string item = fmt::format("point '{}'", point.name);
    if (point.name.empty()) throw InputError("a recorded point has no name");
    if (!names.insert(point.name).second)
      throw InputError(fmt::format("there is another recorded {}", item));
    require_in_range(point.body, -1, static_cast<double>(info.bodies.size()) - 1,
                     item + ": number of its body", "-");
    require_finite(point.p_B, item + ": place ");
  }
}

void Recording::keep_order() {
  for (Event& event : events) {
    if (event.t >= t_written) break;
    event.t = t_written;  // it is too late to write it before
  }
}

void Recording::clear() {
  if (!events.empty()) t_written = events.back().t;
  states.clear();
  contacts.clear();
  events.clear();
  steps.clear();
  new_contacts.clear();
}

Recorder::Recorder(const System& system, const State& start, const RecorderOptions& options)
    : system_(system),
      options_(options),
      start_(start.t),
      start_energy_(options.energy ? energy_ledger(system, start) : EnergyLedger{}),
      directory_(system),
      reactions_(system),
      loads_(system),
      quantities_(system, start, options.quantities, state_channels(system.info(), options)),
      last_(system.info()),
      here_(configuration(system, start)),
      before_here_(configuration(system, start.t, start.q)),
      bodies_(system.info().bodies.size()),
      bodies_before_(system.info().bodies.size()),
      outputs_(static_cast<Eigen::Index>(system.info().outputs.size())) {
  validate(start, system.info());
  validate(options, system.info());
  looks_back_ = options.every > 0 || !options.points.empty() || !system.info().outputs.empty();
  now_ = before_ = start;
  last_.set(system, start, start);
  record(start, nullptr);
  set_due(start.t);
}

void Recorder::observe(const State& state, const StepResult& result) {
  if (state.q.size() != now_.q.size() || state.u.size() != now_.u.size() || !(result.step > 0))
    refuse(state, result);
  for (const ContactOutcome& outcome : result.contacts)
    require_index(outcome.key.pair, std::ssize(system_.info().contacts),
                  "contact of the step to record");
  if (looks_back_) look_back(state, result);
  note_settling(result);
  set_reactions(result);
  events_.append(system_, result, state, directory_, recording_.events);
  recording_.keep_order();
  note_new_contacts();
  if (options_.steps) append_steps(result, system_.info(), recording_.steps);
  double from = 0;
  while (reaches(state.t, result.step, due_)) {
    const bool within = options_.every > 0 && !reaches(due_, result.step, state.t);
    const double to = within ? std::clamp(1 - (state.t - due_) / result.step, from, 1.0) : 1;
    add_part(result, from, to);
    from = to;
    if (!within) {
      record(state, &result);
      set_due(state.t + 1e-6 * result.step);
      return;
    }
    record_between(state, result);
    set_due(due_ + 1e-6 * result.step);
  }
  add_part(result, from, 1);
}

/// What a part of a step did, from a share of it to another; an impact is in its middle.
void Recorder::add_part(const StepResult& result, double from, double to) {
  if (std::exchange(has_all_, false)) {
    exchanged_.clear();
    elapsed_ = 0;
    reactions_.clear();
  }
  const StepPart part{.share = to - from,
                      .length = (to - from) * result.step,
                      .has_start = from == 0,
                      .has_middle = from < 0.5 && to >= 0.5,
                      .has_end = to == 1};
  add_exchange(result, part);
  if (!reactions_.empty()) reactions_.add(part);
}

/// The step goes from the velocity after what events did at its start to that before they did
/// something at its end.
void Recorder::look_back(const State& state, const StepResult& result) {
  before_.t = std::exchange(now_.t, state.t);
  before_.q.swap(now_.q);
  before_.u.swap(now_.u);
  now_.q = state.q;
  now_.u = state.u;
  if (options_.energy && options_.every > 0) {
    before_.z.swap(now_.z);
    now_.z = state.z;
  }
  u_end_ = state.u;
  switched_at_start_ = 0;
  for (const Percussion& percussion : result.percussions) {
    if (percussion.t < state.t) {
      before_.u += percussion.velocity_jump;
      switched_at_start_ += percussion.energy;
    } else {
      u_end_ -= percussion.velocity_jump;
    }
  }
  if (outputs_.size() == 0) return;
  last_.set(system_, before_, state);
  if (result.percussions.empty() || last_.step == 0) return;
  last_.velocity = 0.5 * (before_.u + u_end_);
  last_.acceleration = (u_end_ - before_.u) / last_.step;
}

void Recorder::refuse(const State& state, const StepResult& result) const {
  require_size(state.q.size(), now_.q.size(), "positions of the state to record");
  require_size(state.u.size(), now_.u.size(), "velocities of the state to record");
  require_positive(result.step, "length of the step to record", "s");
}

void Recorder::observe_failure(const StepResult& result) {
  if (options_.steps) append_steps(result, system_.info(), recording_.steps);
}

void Recorder::finish(const State& state) {
  require_size(state.q.size(), now_.q.size(), "positions of the state to record");
  require_size(state.u.size(), now_.u.size(), "velocities of the state to record");
  events_.finish(recording_.events);
  recording_.keep_order();
  if (state.t > last_t_) record(state, nullptr);
}

void Recorder::record(const State& state, const StepResult* result) {
  const std::size_t row = recording_.states.size(), first_contact = recording_.contacts.size();
  set_configuration(system_, last_.memory, state, here_);
  if (bodies_t_ == before_.t) {  // the row before was that of the state before
    bodies_.swap(bodies_before_);
    bodies_before_t_ = before_.t;
  }
  system_.body_motions(here_, state.u, bodies_);
  bodies_t_ = state.t;
  append_state_row(state, bodies_, system_.info().space, recording_.states);
  record_points(state);
  const LastStep* end_forces = result && result->knows_end_forces ? &result->end_forces : nullptr;
  record_outputs(state, end_forces);
  record_energies(state);
  look_for_not_finite(state, std::span(recording_.states).subspan(row));
  record_contacts(state, end_forces);
  quantities_.append(row, std::span(recording_.contacts).subspan(first_contact), directory_,
                     recording_.states);
  last_t_ = state.t;
  ++rows_;
}

void Recorder::look_for_not_finite(const State& state, std::span<const double> row) {
  if (all_finite(row) || not_finite_) return;
  const auto found = std::ranges::find_if(row, [](double value) { return !std::isfinite(value); });
  const auto column = static_cast<std::size_t>(found - row.begin());
  const Channel channel = state_channels(system_.info(), options_)[column];
  not_finite_ = {.text = fmt::format("at t = {} s {} is {}", state.t, channel.name, *found),
                 .source = system_.find_not_finite(here_, state.u)};
}

void Recorder::record_points(const State& state) {
  if (options_.points.empty()) return;
  if (bodies_before_t_ != before_.t) {
    before_here_.t = before_.t;
    before_here_.q = before_.q;
    system_.configure(before_here_);
    system_.body_motions(before_here_, before_.u, bodies_before_);
    bodies_before_t_ = before_.t;
  }
  const double passed = state.t - before_.t;
  const int space = system_.info().space;
  for (const RecordedPoint& point : options_.points) {
    const PointMotion now = point_motion(bodies_, space, point);
    const PointMotion before = point_motion(bodies_before_, space, point);
    const Vec3 a_W = passed > 0 ? Vec3((now.v_W - before.v_W) / passed) : Vec3::Zero();
    for (const Vec3& v : {now.p_W, now.v_W, a_W})
      recording_.states.insert(recording_.states.end(), v.data(), v.data() + space);
  }
}

void Recorder::record_outputs(const State& state, const LastStep* end_forces) {
  if (outputs_.size() == 0) return;
  if (end_forces) reactions_.set_end(*end_forces);
  loads_.add_interval(reactions_.interval());
  outputs_.setZero();
  system_.outputs({here_, state.u, end_forces ? *end_forces : last_, reactions_.interval()},
                  outputs_);
  recording_.states.insert(recording_.states.end(), outputs_.begin(), outputs_.end());
}

void Recorder::record_energies(const State& state) {
  if (!options_.energy) return;
  EnergyLedger now = energy_ledger(system_, here_, last_.memory, state);
  if (within_.share < 1) {
    within_.kinetic = now.kinetic;
    within_.potential = now.potential;
    EnergyLedger start = ledger_of(before_);
    start.switching += switched_at_start_;
    now = ledger_within(start, ledger_of(now_), within_);
  }
  append_energies(start_energy_, now, recording_.states);
}

/// Of set-valued laws: contacts that were open, or bounced, and push from this step on.
void Recorder::note_settling(const StepResult& result) {
  settling_.swap(landed_);
  landed_.clear();
  for (const ContactOutcome& outcome : result.contacts)
    if (begins_to_last(outcome) &&
        !system_.info().contacts[static_cast<std::size_t>(outcome.key.pair)].compliant)
      landed_.push_back(outcome.key);
  settling_.insert(settling_.end(), landed_.begin(), landed_.end());
}

/// Compliant contacts are forces, however hard bodies meet.
void Recorder::set_reactions(const StepResult& result) {
  if (reactions_.empty()) return;
  const bool bodies_met = std::ranges::any_of(result.contacts, [&](const ContactOutcome& outcome) {
    return is_of_impact(outcome) &&
           !system_.info().contacts[static_cast<std::size_t>(outcome.key.pair)].compliant;
  });
  const bool uneven = result.uneven || !settling_.empty();
  const LastStep& forces = result.knows_forces ? result.forces : last_;
  reactions_.set_step(forces, result.step, {.bodies_met = bodies_met, .uneven = uneven});
  reactions_.set_percussions(result.percussions, now_.t);
  loads_.add_step(last_);
  if (!bodies_met && !uneven) loads_.raise_peaks(forces);
  for (const Percussion& percussion : result.percussions) loads_.add_percussion(percussion);
}

void Recorder::add_exchange(const StepResult& result, const StepPart& part) {
  elapsed_ += part.length;
  for (Exchange& exchange : exchanged_) exchange.state = ContactState::open;
  for (const ContactOutcome& outcome : result.contacts) {
    auto at = std::ranges::lower_bound(exchanged_, outcome.key, {}, &Exchange::key);
    if (at == exchanged_.end() || at->key != outcome.key)
      at = exchanged_.insert(at, Exchange{.key = outcome.key});
    at->state = outcome.state;
    at->gap = outcome.gap;
    for (int i = 0; i < 3; ++i) {
      at->p_W[static_cast<std::size_t>(i)] = outcome.point.p_W[i];
      at->n_W[static_cast<std::size_t>(i)] = outcome.point.n_W[i];
    }
    const bool set_valued =
        !system_.info().contacts[static_cast<std::size_t>(outcome.key.pair)].compliant;
    const bool percussion = set_valued && is_of_impact(outcome);
    const double share = !percussion ? part.share : part.has_middle ? 1 : 0;
    for (int i = 0; i < 3; ++i) at->impulse[i] += share * outcome.impulse[i];
    if (percussion) {
      at->impact_n += share * outcome.impulse[0];
      continue;
    }
    for (int i = 0; i < 3; ++i) at->lasting[i] += share * outcome.impulse[i];
    if (result.uneven || std::ranges::find(settling_, outcome.key) != settling_.end()) continue;
    const double force = normal_force(result, outcome);
    at->peak_n = std::max(at->peak_n, force);
    loads_.add_contact(outcome.key, force, result.t_start + result.step);
  }
}

/// Those that are near, and besides those that pushed since the last row, wherever they are now; a
/// place of a profile that is none any more, as the next one has taken over, where it was last.
void Recorder::record_contacts(const State& state, const LastStep* end_forces) {
  frames_.clear();
  gone_.clear();
  system_.find_contacts(here_, system_.info().reach, state.contacts, frames_);
  const std::size_t near = frames_.size();
  for (const Exchange& exchange : exchanged_) {
    const auto end = frames_.begin() + static_cast<std::ptrdiff_t>(near);
    const auto at = std::lower_bound(
        frames_.begin(), end, exchange.key,
        [](const ContactFrame& frame, const ContactKey& key) { return frame.key < key; });
    if (at != end && at->key == exchange.key) continue;
    ContactFrame frame;
    if (system_.follow_contact(here_, exchange.key, state.contacts, frame))
      frames_.push_back(frame);
    else if (exchange.impulse[0] != 0)
      gone_.push_back({.key = exchange.key,
                       .gap = exchange.gap,
                       .p_WB = Vec3(exchange.p_W.data()),
                       .n_W = Vec3(exchange.n_W.data())});
  }
  if (frames_.size() > near)
    std::ranges::sort(frames_, {}, [](const ContactFrame& frame) { return frame.key; });
  velocities_.resize(frames_.size());
  system_.write_contact_velocities(here_, state.u, frames_, velocities_);
  for (std::size_t i = 0; i < frames_.size(); ++i)
    record_contact(frames_[i], velocities_[i], end_forces);
  for (const ContactFrame& frame : gone_) record_contact(frame, {}, end_forces);
  has_all_ = true;
  note_new_contacts();
}

void Recorder::record_contact(const ContactFrame& frame, const ContactVelocity& gamma,
                              const LastStep* end_forces) {
  ContactRow& row = recording_.contacts.emplace_back();
  row.t = here_.t;
  row.contact = directory_.number(frame.key);
  row.gap = frame.gap;
  row.unit = system_.info().contacts[static_cast<std::size_t>(frame.key.pair)].unit;
  std::copy(gamma.begin(), gamma.end(), row.gamma);
  row.point = {frame.p_WB, frame.n_W};
  std::copy_n(frame.parameters.begin(), 2, row.parameters);
  const auto at = std::ranges::lower_bound(exchanged_, frame.key, {}, &Exchange::key);
  if (at != exchanged_.end() && at->key == frame.key) {
    row.state = at->state;
    std::copy(std::begin(at->impulse), std::end(at->impulse), row.impulse);
    for (int i = 0; i < 3; ++i) row.force[i] = elapsed_ > 0 ? at->lasting[i] / elapsed_ : 0;
    row.peak_n = at->peak_n;
    row.impact_n = at->impact_n;
  }
  if (!end_forces) return;
  const ContactForce* force = end_forces->find_force(frame.key);
  for (std::size_t i = 0; i < 3; ++i) row.force[i] = force ? force->force[i] : 0;
  row.peak_n = std::max(row.peak_n, row.force[0]);
}

void Recorder::archive(Archive& a) {
  a(rows_, due_, last_t_, directory_, events_, exchanged_, landed_, elapsed_, reactions_, loads_,
    has_all_);
  a(before_.t, before_.q, before_.u, now_.t, now_.q, now_.u, recording_.t_written);
  a(here_.search.profiles, quantities_);
}

std::string Recorder::save() const {
  Archive archive;
  Recorder copy = *this;
  copy.here_.search.profiles = here_.search.profiles;  // a copy of a search begins empty
  copy.archive(archive);
  return archive.bytes();
}

void Recorder::restore(const std::string& bytes, const State& state) {
  recording_.clear();
  bodies_t_ = bodies_before_t_ = NAN;
  Archive saved(bytes);
  archive(saved);
  saved.require_end();
  require_size(now_.q.size(), system_.info().positions, "positions that were saved");
  require_size(now_.u.size(), system_.info().velocities, "velocities that were saved");
  for (const Exchange& exchange : exchanged_)
    require_index(exchange.key.pair, std::ssize(system_.info().contacts), "contact that was saved");
  now_.z = state.z;
  if (outputs_.size() > 0) last_.set(system_, before_, state);
  known_contacts_ = 0;
  note_new_contacts();
}

void Recorder::note_new_contacts() {
  const std::vector<RecordedContact>& all = directory_.contacts();
  recording_.new_contacts.insert(recording_.new_contacts.end(),
                                 all.begin() + static_cast<std::ptrdiff_t>(known_contacts_),
                                 all.end());
  known_contacts_ = all.size();
}

void Recorder::set_due(double t) {
  if (options_.every == 0) return;
  const double due = start_ + options_.every * (std::floor((t - start_) / options_.every) + 1);
  due_ = std::isfinite(due) ? due : t;
}

}  // namespace backlash
