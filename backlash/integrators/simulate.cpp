// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/simulate.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

void validate_run(double t, double step, double until) {
  require_positive(step, "step", "s");
  require_finite(until, "end of the run");
  if (until < t)
    throw InputError(
        fmt::format("the run must end at or after its start at {} s, not at {} s", t, until));
}

void add(const StepResult& result, RunSummary& summary) {
  summary.status = result.status;
  summary.worst_residual = std::max(summary.worst_residual, result.relative_residual);
  summary.solver_iterations += result.iterations;
  if (result.status != StepStatus::done) return;
  ++summary.steps;
  for (const ContactOutcome& contact : result.contacts) {
    summary.largest_penetration = std::max(summary.largest_penetration, -contact.gap);
    if (contact.state == ContactState::impact && contact.gamma_before[0] < 0) ++summary.impacts;
  }
}

}  // namespace backlash
