// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/event.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

std::optional<EventKind> kind_of(const ContactOutcome& outcome, const ContactInfo& contact) {
  const ContactState before = outcome.before, now = outcome.state;
  if (is_impact(outcome)) return EventKind::impact;
  if (!contact.compliant && begins_to_last(outcome)) return EventKind::rest;
  if (lasts(before) && now == ContactState::open) return EventKind::release;
  if (before == ContactState::slip && now == ContactState::stick) return EventKind::stick;
  if (before == ContactState::stick && now == ContactState::slip) return EventKind::slip;
  return std::nullopt;
}

/// As the integrator knows it; else the middle of the step.
double time_of(const ContactOutcome& outcome, const StepResult& result) {
  return std::isnan(outcome.t) ? result.t_start + 0.5 * result.step : outcome.t;
}

/// A contact as events name it.
struct NumberedContact {
  int number;
  GapUnit unit;
};

Event make_event(EventKind kind, const ContactOutcome& outcome, const StepResult& result,
                 const NumberedContact& contact) {
  return {.t = time_of(outcome, result),
          .kind = kind,
          .contact = contact.number,
          .gamma_n_before = outcome.gamma_before[0],
          .gamma_n_after = outcome.gamma_after[0],
          .impulse_n = outcome.impulse[0],
          .impulse_t = tangential_impulse(outcome),
          .energy_loss = outcome.loss,
          .point = outcome.point,
          .unit = contact.unit};
}

void add(const SmallBounces& bounces, Event& rest) {
  rest.impulse_n += bounces.impulse_n;
  rest.impulse_t += bounces.impulse_t;
  rest.energy_loss += bounces.energy;
}

/// Where a contact that is apart by now was.
ContactPoint point_of(const System& system, const State& state, const ContactKey& key) {
  ContactFrame frame;
  if (!system.follow_contact(configuration(system, state), key, state.contacts, frame)) return {};
  return {frame.p_WB, frame.n_W};
}

/// Whether a contact is open by more than gaps are resolved by.
bool is_apart(const System& system, const State& state, const ContactKey& key) {
  ContactFrame frame;
  if (!system.follow_contact(configuration(system, state), key, state.contacts, frame)) return true;
  const SystemInfo& info = system.info();
  return !(frame.gap <= gap_resolution(info, info.contacts[static_cast<std::size_t>(key.pair)]));
}

/// Sorts those from `first` on into the ones before, which are sorted. What a step finds may have
/// happened some steps ago.
void sort_in(std::vector<Event>& events, std::ptrdiff_t first) {
  const auto earlier = [](const Event& a, const Event& b) { return a.t < b.t; };
  const auto middle = events.begin() + first;
  if (middle == events.end()) return;
  std::stable_sort(middle, events.end(), earlier);
  std::inplace_merge(std::upper_bound(events.begin(), middle, *middle, earlier), middle,
                     events.end(), earlier);
}

}  // namespace

std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "impact";
    case EventKind::release:
      return "release";
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::switched:
      return "switch";
    case EventKind::stop:
      return "stop";
    case EventKind::rest:
      return "rest";
  }
  return "?";
}

std::optional<Event> EventFinder::take_pending(const ContactKey& key) {
  const auto at = std::ranges::find(pending_, key, &PendingRelease::key);
  if (at == pending_.end()) return std::nullopt;
  const Event event = at->event;
  pending_.erase(at);
  return event;
}

void EventFinder::append_releases(const System& system, const State& state,
                                  std::vector<Event>& events) {
  constexpr int few = 8;
  std::erase_if(pending_, [&](PendingRelease& release) {
    if (++release.steps <= few || !is_apart(system, state, release.key)) return false;
    events.push_back(release.event);
    return true;
  });
}

void EventFinder::finish(std::vector<Event>& events) {
  const auto first = std::ssize(events);
  for (const PendingRelease& release : pending_) events.push_back(release.event);
  pending_.clear();
  sort_in(events, first);
}

void EventFinder::append(const System& system, const StepResult& result, const State& state,
                         ContactDirectory& directory, std::vector<Event>& events) {
  const auto first = std::ssize(events);
  const auto info_of = [&](const ContactOutcome& outcome) -> const ContactInfo& {
    require_index(outcome.key.pair, std::ssize(system.info().contacts), "contact of the step");
    return system.info().contacts[static_cast<std::size_t>(outcome.key.pair)];
  };
  const auto event_of = [&](EventKind kind, const ContactOutcome& outcome) {
    return make_event(kind, outcome, result,
                      {directory.number(outcome.key), info_of(outcome).unit});
  };
  const auto append_as = [&](EventKind kind, const ContactOutcome& outcome) {
    events.push_back(event_of(kind, outcome));
    if (kind == EventKind::rest) add(sequences_.end_sequence(outcome.key), events.back());
  };
  const auto note_release = [&](const ContactOutcome& outcome) {
    Event release = event_of(EventKind::release, outcome);
    release.point = point_of(system, state, outcome.key);
    if (info_of(outcome).compliant)
      events.push_back(release);
    else
      pending_.push_back({outcome.key, release});
  };
  const auto append = [&](const ContactOutcome& outcome) {
    const ContactInfo& contact = info_of(outcome);
    const auto kind = kind_of(outcome, contact);
    if (!kind) return;
    if (*kind == EventKind::release) return note_release(outcome);
    const bool bounces = *kind == EventKind::impact && !contact.compliant;
    if (bounces && sequences_.add_impact(outcome, contact.unit)) return;
    const std::optional<Event> release = take_pending(outcome.key);
    if (release && *kind == EventKind::rest) return;  // it has not been apart
    if (release) events.push_back(*release);
    append_as(*kind, outcome);
  };
  const auto is_settled = [&](const ContactOutcome& outcome) {
    return std::ranges::find(result.settled, outcome.key, &ContactOutcome::key) !=
           result.settled.end();
  };
  append_releases(system, state, events);
  for (const ContactOutcome& outcome : result.contacts)
    if (!is_settled(outcome)) append(outcome);
  for (const ContactOutcome& outcome : result.settled) append_as(EventKind::rest, outcome);
  for (const ContactOutcome& outcome : result.released) append(outcome);
  for (const EventOutcome& outcome : result.events) {
    require_index(outcome.event, std::ssize(system.info().events), "event of the step");
    const bool stop = system.info().events[static_cast<std::size_t>(outcome.event)].stop;
    events.push_back({.t = outcome.t,
                      .kind = stop ? EventKind::stop : EventKind::switched,
                      .model_event = outcome.event,
                      .point = {}});
  }
  sort_in(events, first);
}

}  // namespace backlash
