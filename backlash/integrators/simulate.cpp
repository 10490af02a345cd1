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

double next_step(const SystemInfo& info, double t, double step, double until) {
  const double left = until - t;
  double next = left < step * (1 + 1e-6) ? left : step;
  for (const EventInfo& event : info.events) {
    if (!event.time) continue;
    const double ahead = *event.time - t;
    if (ahead <= 1e-6 * step || ahead >= 2 * next) continue;
    if (ahead < next * (1 - 1e-6))
      next = ahead;
    else if (ahead > next * (1 + 1e-6))
      next = 0.5 * ahead;  // two steps instead of a long and a short one
  }
  return next;
}

void add(const StepResult& result, RunSummary& summary) {
  summary.status = result.status;
  summary.worst_residual = std::max(summary.worst_residual, result.relative_residual);
  summary.solver_iterations += result.iterations;
  summary.rejected_steps += static_cast<long>(result.rejected.size());
  if (result.status != StepStatus::done) return;
  summary.steps += !result.interpolated;
  summary.warned_steps += result.warned;
  summary.imprecise_steps += result.imprecise;
  summary.fallback_steps += result.fell_back;
  for (const ContactOutcome& contact : result.contacts) {
    summary.largest_penetration = std::max(summary.largest_penetration, -contact.gap);
    if (is_impact(contact)) ++summary.impacts;
  }
}

}  // namespace backlash
