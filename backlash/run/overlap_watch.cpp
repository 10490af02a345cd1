// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/overlap_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace backlash {
namespace {

constexpr double nearly = 0.8;  ///< round parts are that deep just as one passes through the other

/// Beyond it bodies cannot overlap [m].
double most_depth(const PassingLimit& limit) { return std::min(nearly * limit.depth, limit.size); }

std::string describe_limit(const PassingLimit& limit, double depth) {
  return depth > limit.size
             ? fmt::format("more than the smaller of them is large ({:.3g} m)", limit.size)
             : fmt::format("nearly the {:.3g} m from where they are still pushed apart",
                           limit.depth);
}

/// The step in which bodies that close at that speed are less than a tenth of it deep.
std::string describe_cure(double most, double speed, double step) {
  const double enough = 0.1 * most / speed;
  return enough > 0 && enough < step
             ? fmt::format("a step of {:.1g} s keeps them apart, or step: auto", 0.8 * enough)
             : "shorter steps keep them apart, or step: auto";
}

}  // namespace

OverlapWatch::OverlapWatch(const System& system, const State& start)
    : system_(system), memory_(system.info()), c_(configuration(system, start)) {}

bool OverlapWatch::accepts(const State& state, const StepResult& result) {
  constexpr double noticed = 1e-2;  // of the model's size
  constexpr double deeper = 1.1;    // than what was looked at before
  const SystemInfo& info = system_.info();
  for (const ContactOutcome& contact : result.contacts) {
    const bool is_length =
        info.contacts[static_cast<std::size_t>(contact.key.pair)].unit == GapUnit::metre;
    const double depth = -contact.gap;
    if (!is_length || !(depth > std::max(noticed * info.length, deeper * seen_))) continue;
    seen_ = depth;
    if (!accepts_contact(contact, result, state)) return false;
  }
  return true;
}

bool OverlapWatch::accepts_contact(const ContactOutcome& contact, const StepResult& result,
                                   const State& state) {
  set_configuration(system_, memory_, state, c_);
  ContactFrame frame{.key = contact.key, .p_WA = contact.point.p_W, .p_WB = contact.point.p_W};
  const bool is_there = system_.follow_contact(c_, contact.key, state.contacts, frame);
  PassingLimit limit;
  system_.write_passing_limits(c_, state.u, {&frame, 1}, {&limit, 1});
  const double most = most_depth(limit);
  const auto pair = static_cast<std::size_t>(contact.key.pair);
  const bool compliant = system_.info().contacts[pair].compliant.has_value();
  if (is_there && -frame.gap > most) {
    message_ = fmt::format(
        "at t = {:.6g} s the bodies of contact '{}' overlap by {:.3g} m, {}: one has passed into "
        "the other; {} keep them apart",
        state.t, system_.contact_name(contact.key), -frame.gap, describe_limit(limit, -frame.gap),
        compliant ? "a stiffer law (is the unit of its stiffness right?) or shorter steps"
                  : "shorter steps");
    return false;
  }
  if (!(-contact.gap > most) || compliant) return true;
  message_ = fmt::format(
      "at t = {:.6g} s, in the middle of a step of {:.3g} s, the bodies of contact '{}' overlap by "
      "{:.3g} m, {}: the step is too long to see when they meet; {}",
      result.t_start + 0.5 * result.step, result.step, system_.contact_name(contact.key),
      -contact.gap, describe_limit(limit, -contact.gap),
      describe_cure(most, -contact.gamma_before[0], result.step));
  return false;
}

}  // namespace backlash
