// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/event.h"

#include <cmath>
#include <optional>

namespace backlash {
namespace {

bool lasts(ContactState state) {
  return state == ContactState::stick || state == ContactState::slip;
}

std::optional<EventKind> kind_of(const ContactOutcome& outcome) {
  const ContactState before = outcome.before, now = outcome.state;
  if (is_impact(outcome)) return EventKind::impact;
  if (lasts(before) && now == ContactState::open) return EventKind::release;
  if (before == ContactState::slip && now == ContactState::stick) return EventKind::stick;
  if (before == ContactState::stick && now == ContactState::slip) return EventKind::slip;
  return std::nullopt;
}

/// When the gap vanished, if it was open in the middle of the last step; else the middle of this.
double time_of(EventKind kind, const ContactOutcome& outcome, const StepResult& result) {
  if (!std::isnan(outcome.t)) return outcome.t;
  const double middle = result.t_start + 0.5 * result.step;
  const bool knows_gap = kind == EventKind::impact && outcome.gap_before > 0;
  if (!knows_gap) return middle;
  const double fraction = outcome.gap / (outcome.gap - outcome.gap_before);  // of a step back
  return middle - fraction * result.step;
}

Event make_event(EventKind kind, const ContactOutcome& outcome, const StepResult& result,
                 const ContactInfo& contact) {
  Event event{.t = time_of(kind, outcome, result),
              .kind = kind,
              .contact = outcome.contact,
              .gamma_n_before = outcome.gamma_before[0],
              .gamma_n_after = outcome.gamma_after[0],
              .impulse_n = outcome.impulse[0],
              .energy_loss = outcome.loss,
              .point = {}};
  event.impulse_t = contact.tangents == 2 ? std::hypot(outcome.impulse[1], outcome.impulse[2])
                                          : outcome.impulse[1];
  return event;
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
  }
  return "?";
}

const std::string& subject_name(const SystemInfo& info, int subject) {
  const auto i = static_cast<std::size_t>(subject), contacts = info.contacts.size();
  return i < contacts ? info.contacts[i].name : info.events[i - contacts].name;
}

void append_events(const System& system, const StepResult& result, const State& state,
                   std::vector<Event>& events) {
  const std::size_t first = events.size();
  const auto add = [&](const std::vector<ContactOutcome>& outcomes) {
    for (const ContactOutcome& outcome : outcomes) {
      const auto& contact = system.info().contacts[static_cast<std::size_t>(outcome.contact)];
      if (const auto kind = kind_of(outcome))
        events.push_back(make_event(*kind, outcome, result, contact));
    }
  };
  add(result.contacts);
  add(result.released);
  if (events.size() > first) {
    const Configuration c = configuration(system, state);
    for (std::size_t i = first; i < events.size(); ++i)
      events[i].point = system.contact_point(c, events[i].contact);
  }
  const SystemInfo& info = system.info();
  for (const EventOutcome& outcome : result.events) {
    const bool stop = info.events[static_cast<std::size_t>(outcome.event)].stop;
    events.push_back({.t = outcome.t,
                      .kind = stop ? EventKind::stop : EventKind::switched,
                      .contact = static_cast<int>(info.contacts.size()) + outcome.event,
                      .point = {}});
  }
}

}  // namespace backlash
