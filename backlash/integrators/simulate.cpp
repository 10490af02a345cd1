// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/simulate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

void refuse_step(double t, const StepLimits& limits) {
  require_finite(t, "time of the state");
  if (std::isnan(limits.due))
    throw InputError("the time that the state is due at must be a number [s] (infinity: any)");
  throw InputError(fmt::format("a step from {} s must end after it, not at {} s", t, limits.until));
}

void validate_run(const Integrator& integrator, double t, double until) {
  require_finite(t, "start of the run");
  require_finite(until, "end of the run");
  if (until < t)
    throw InputError(
        fmt::format("the run must end at or after its start at {} s, not at {} s", t, until));
  const double step = integrator.equal_step(), latest = std::max(std::abs(t), std::abs(until));
  if (step > 0 && !(latest - step < latest))
    throw InputError(
        fmt::format("step of {} s is too short: at t = {} s it is lost in rounding", step, latest));
}

void add(const StepResult& result, const SystemInfo& info, RunSummary& summary) {
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
    const GapUnit unit = info.contacts[static_cast<std::size_t>(contact.key.pair)].unit;
    double& deepest =
        unit == GapUnit::metre ? summary.largest_penetration : summary.largest_angular_penetration;
    deepest = std::max(deepest, -contact.gap);
    if (is_impact(contact)) ++summary.impacts;
  }
}

}  // namespace backlash
