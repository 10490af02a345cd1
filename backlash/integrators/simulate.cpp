// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/simulate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

void validate_run(const Integrator& integrator, double t, double until) {
  require_finite(until, "end of the run");
  if (until < t)
    throw InputError(
        fmt::format("the run must end at or after its start at {} s, not at {} s", t, until));
  const double step = integrator.equal_step(), latest = std::max(std::abs(t), std::abs(until));
  if (step > 0 && !(latest - step < latest))
    throw InputError(
        fmt::format("step of {} s is too short: at t = {} s it is lost in rounding", step, latest));
}

void add(const StepResult& result, RunSummary& summary) {
  summary.status = result.status;
  summary.worst_residual = std::max(summary.worst_residual, result.relative_residual);
  summary.solver_iterations += result.iterations;
  summary.evaluations += result.evaluations;
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
