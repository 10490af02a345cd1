// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run_report.h"

#include <cmath>

#include <fmt/format.h>

namespace backlash {
namespace {

/// The contacts that were closed in the middle of a step that failed.
std::string closed_contacts(const System& system, const State& state, const StepResult& result) {
  Vector q = state.q;
  system.advance(state.q, state.u, 0.5 * result.step, q);
  std::vector<ContactFrame> closed;
  system.find_contacts(configuration(system, result.t_start + 0.5 * result.step, q), 0,
                       state.contacts, closed);
  std::string names;
  for (const ContactFrame& contact : closed)
    names += (names.empty() ? "" : ", ") + system.contact_name(contact.key);
  return names.empty() ? "none" : names;
}

bool turns(const SystemInfo& info, int velocity) {
  const auto i = static_cast<std::size_t>(velocity);
  return i < info.angular.size() && info.angular[i];
}

std::string name_of_velocity(const SystemInfo& info, int i) {
  return info.velocity_names.empty() ? fmt::format("u{}", i + 1)
                                     : info.velocity_names[static_cast<std::size_t>(i)];
}

/// "; crank.omega makes 0.6 rad in a step": the way that is the longest beside the model.
std::string describe_travel(const SystemInfo& info, const State& state, double step) {
  double longest = 0;
  int fastest = 0;
  for (int i = 0; i < info.velocities; ++i) {
    const double way = std::abs(state.u[i]) * step / (turns(info, i) ? 1 : info.length);
    if (!(way > longest)) continue;
    longest = way;
    fastest = i;
  }
  constexpr double far = 0.05;  // of the model's size, or an angle
  if (!(longest > far)) return "; try a shorter step";
  const bool angle = turns(info, fastest);
  return fmt::format("; {} makes {:.2g} {} in a step: take steps shorter than {:.1g} s",
                     name_of_velocity(info, fastest), std::abs(state.u[fastest]) * step,
                     angle ? "rad" : "m", step * far / longest);
}

}  // namespace

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "?";
}

std::string describe_failure(const System& system, const State& state, const StepResult& result) {
  if (result.status == StepStatus::done)
    return fmt::format("at t = {} s the condition of an event is not a number", state.t);
  std::string text = fmt::format("the step from t = {} s of {} s failed: {}", state.t, result.step,
                                 name(result.status));
  if (result.status == StepStatus::contact_not_solved)
    text += fmt::format(
        " (closed: {}; residual {:.3g} m/s, relative {:.3g}; {} after {} iterations); try another "
        "solver (--solver proximal-newton), a larger tolerance (--tolerance) or a shorter step",
        closed_contacts(system, state, result), result.residual, result.relative_residual,
        name(result.solver_status), result.iterations);
  if (result.status == StepStatus::drift_not_projected)
    text += describe_travel(system.info(), state, result.step);
  if (!result.trouble.empty()) text += fmt::format(" ({})", result.trouble);
  if (result.element >= 0)
    text += fmt::format(" ({})", name_of_velocity(system.info(), result.element));
  if (result.contact) {
    const std::string contact = system.contact_name(*result.contact);
    text +=
        result.status == StepStatus::tolerance_not_met || result.status == StepStatus::would_pass
            ? fmt::format(" (contact in question: {})", contact)
            : fmt::format(" (gap of {})", contact);
  }
  return text;
}

}  // namespace backlash
