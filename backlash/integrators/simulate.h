// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau.h"

namespace backlash {

/// What a run amounted to.
struct RunSummary {
  StepStatus status = StepStatus::done;  ///< of the last step
  long steps = 0;
  long impacts = 0;                ///< counted contact by contact
  double largest_penetration = 0;  ///< at the middle of a step [m]
  double worst_residual = 0;       ///< relative
  long solver_iterations = 0;
  long imprecise_steps = 0;  ///< see StepResult::imprecise
  long rejected_steps = 0;
  long fallback_steps = 0;  ///< that auto solved, for the chosen solver did not
  long warned_steps = 0;    ///< see StepResult::warned
};

/// Throw InputError unless a run from t to `until` in steps of `step` makes sense.
void validate_run(double t, double step, double until);

/// Add a step to the summary.
void add(const StepResult& result, RunSummary& summary);

/// How long the next step of a run is, whose steps are of length `step`: shorter before its end,
/// and before the time of an event, which is met exactly (theory 4.8) [s].
double next_step(const SystemInfo& info, double t, double step, double until);

/// observe(state, result) as a question: whether the run goes on.
template <class Observer>
bool goes_on(Observer& observe, const State& state, const StepResult& result) {
  if constexpr (std::is_same_v<decltype(observe(state, result)), bool>) {
    return observe(state, result);
  } else {
    observe(state, result);
    return true;
  }
}

/// Steps of equal length from state.t to `until`, but for those of next_step(). After each step
/// observe(state, result) is called; it may return false to end the run. A failed step ends the run
/// too, with the state that was reached before it, and so does an event that says so.
template <class Observer>
RunSummary simulate(Moreau& integrator, State& state, double step, double until,
                    Observer&& observe) {
  validate_run(state.t, step, until);
  RunSummary summary;
  while (until - state.t > 1e-6 * step) {
    const StepResult& result =
        integrator.step(state, next_step(integrator.system().info(), state.t, step, until));
    add(result, summary);
    if (result.status != StepStatus::done || !goes_on(observe, state, result) || result.stop) break;
  }
  return summary;
}

inline RunSummary simulate(Moreau& integrator, State& state, double step, double until) {
  return simulate(integrator, state, step, until, [](const State&, const StepResult&) {});
}

/// The same with steps of the integrator's choice; due(t) tells until when at the latest the state
/// after t is wanted [s].
template <class Due, class Observer>
RunSummary simulate(Compliant& integrator, State& state, double until, Due&& due,
                    Observer&& observe) {
  validate_run(state.t, 1, until);
  RunSummary summary;
  while (state.t < until) {
    const StepResult& result = integrator.step(state, due(state.t), until);
    add(result, summary);
    if (result.status != StepStatus::done || !goes_on(observe, state, result) || result.stop) break;
  }
  return summary;
}

inline RunSummary simulate(Compliant& integrator, State& state, double until) {
  return simulate(
      integrator, state, until, [](double) { return INFINITY; },
      [](const State&, const StepResult&) {});
}

}  // namespace backlash
