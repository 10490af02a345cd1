// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/activation_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {
namespace {

/// Whether an event turns on what a contact comes from.
bool turns_on(const SystemInfo& info, const EventInfo& event, const ContactInfo& contact) {
  return std::ranges::any_of(event.turns, [&](const EventInfo::Turn& turn) {
    const SwitchInfo& item = info.switches[static_cast<std::size_t>(turn.item)];
    return turn.on && item.kind == Origin::Kind::contact_pair && item.kind == contact.origin.kind &&
           item.name == contact.origin.item;
  });
}

bool turns_contacts_on(const SystemInfo& info) {
  return std::ranges::any_of(info.events, [&](const EventInfo& event) {
    return std::ranges::any_of(
        info.contacts, [&](const ContactInfo& contact) { return turns_on(info, event, contact); });
  });
}

/// What becomes of bodies that overlap.
std::string_view consequence(const std::string& method) {
  if (method == "moreau")
    return "when they come to rest on each other the method moves them apart at once, which takes "
           "energy";
  if (method == "optimisation") return "they stay so deep until they part";
  return "its law pushes them apart, like a spring that is let go";
}

}  // namespace

ActivationWatch::ActivationWatch(const System& system, const State& start, double allowed)
    : system_(system),
      memory_(system.info()),
      // what steps leave of a contact that was there before (theory 4.42)
      allowed_(std::max(allowed, 1e-6 * system.info().length)),
      any_(turns_contacts_on(system.info())),
      q_(start.q),
      c_(configuration(system, start)) {}

void ActivationWatch::look(const State& state, const StepResult& result) {
  if (!any_) return;
  for (const EventOutcome& happened : result.events) {
    // At the start of a run positions are those before its first step.
    const bool at_start = happened.t <= result.t_start;
    look_at(happened, at_start ? q_ : state.q, state);
  }
  q_ = state.q;
}

void ActivationWatch::look_at(const EventOutcome& happened, const Vector& q, const State& state) {
  const SystemInfo& info = system_.info();
  const EventInfo& event = info.events[static_cast<std::size_t>(happened.event)];
  const auto contact_of = [&](const ContactFrame& frame) -> const ContactInfo& {
    return info.contacts[static_cast<std::size_t>(frame.key.pair)];
  };
  c_.t = happened.t;
  c_.q = q;
  c_.switches = memory_.switches(state.z);
  system_.configure(c_);
  frames_.clear();
  system_.find_contacts(c_, 0, {}, frames_);
  for (const ContactFrame& frame : frames_) {
    if (!(-frame.gap * gap_length(info, frame.key) > allowed_)) continue;
    if (!turns_on(info, event, contact_of(frame))) continue;
    const bool known = std::ranges::any_of(found_, [&](const Overlap& overlap) {
      return overlap.event == happened.event && overlap.key.pair == frame.key.pair;
    });
    if (!known)
      found_.push_back(
          {.t = happened.t, .event = happened.event, .key = frame.key, .depth = -frame.gap});
  }
}

std::string ActivationWatch::describe(const Overlap& overlap) const {
  const SystemInfo& info = system_.info();
  return fmt::format(
      "contact '{}' overlapped by {:.3g} {} when event '{}' turned it on at t = "
      "{:.6g} s",
      system_.contact_name(overlap.key), overlap.depth,
      name(info.contacts[static_cast<std::size_t>(overlap.key.pair)].unit),
      info.events[static_cast<std::size_t>(overlap.event)].name, overlap.t);
}

std::vector<std::string> ActivationWatch::warnings(const std::string& method) const {
  std::vector<std::string> all;
  for (const Overlap& overlap : found_)
    all.push_back(fmt::format("{}: {}; turn it on while its bodies are apart", describe(overlap),
                              consequence(method)));
  return all;
}

std::string ActivationWatch::cause() const { return found_.empty() ? "" : describe(found_[0]); }

}  // namespace backlash
