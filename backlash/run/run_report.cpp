// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run_report.h"

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

std::string name_of_velocity(const SystemInfo& info, int i) {
  return info.velocity_names.empty() ? fmt::format("u{}", i + 1)
                                     : info.velocity_names[static_cast<std::size_t>(i)];
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
  std::string text = fmt::format("the step from t = {} s of {} s failed: {}", state.t, result.step,
                                 name(result.status));
  if (result.status == StepStatus::contact_not_solved)
    text +=
        fmt::format(" (closed: {}; residual {:.3g} m/s, relative {:.3g}; {} after {} iterations)",
                    closed_contacts(system, state, result), result.residual,
                    result.relative_residual, name(result.solver_status), result.iterations);
  if (!result.trouble.empty()) text += fmt::format(" ({})", result.trouble);
  if (result.element >= 0)
    text += fmt::format(" ({})", name_of_velocity(system.info(), result.element));
  if (result.contact) {
    const std::string contact = system.contact_name(*result.contact);
    text += result.status == StepStatus::tolerance_not_met
                ? fmt::format(" (contact in question: {})", contact)
                : fmt::format(" (gap of {})", contact);
  }
  return text;
}

}  // namespace backlash
