// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

#include "backlash/integrators/impact_sequences.h"
#include "backlash/integrators/integrator.h"

namespace backlash {

/// The impact of a run with the largest product of normal impulse and speed of approach.
struct HardestImpact {
  double t = NAN;  ///< [s]; NaN: there was none
  ContactKey key{};
  double speed = 0;    ///< of approach [m/s, rad/s]
  double impulse = 0;  ///< [N s, N m s]
  double energy = 0;   ///< lost in it [J]

  void archive(Archive& a) { a(t, key, speed, impulse, energy); }
};

/// Where a contact that has play was deepest, as a part of it, at the middle of a step.
struct DeepestContact {
  double t = NAN;  ///< [s]; NaN: there was none
  ContactKey key{};
  double depth = 0;    ///< [m, rad]
  double of_play = 0;  ///< depth / play

  void archive(Archive& a) { a(t, key, depth, of_play); }
};

/// Impacts that made energy (see ImpactGain), and the one that made most.
struct GainingImpacts {
  long count = 0;
  double t = NAN;  ///< of the largest [s]; NaN: there was none
  ImpactGain largest{};

  void archive(Archive& a) { a(count, t, largest.energy, largest.key); }
};

/// Contacts that hold in more ways than the motion determines (see StepResult::undetermined).
struct UndeterminedForces {
  double t = NAN;  ///< since when, the first time [s]; NaN: there were none
  ContactKey key{};

  void archive(Archive& a) { a(t, key); }
};

/// What a run amounted to.
struct RunSummary {
  StepStatus status = StepStatus::done;  ///< of the last step
  long steps = 0;
  long impacts = 0;                        ///< counted contact by contact, without small bounces
  long small_bounces = 0;                  ///< that sequences of impacts came to rest with
  double small_bounce_loss = 0;            ///< energy that they dissipated [J]
  double largest_penetration = 0;          ///< at the middle of a step [m]
  double largest_angular_penetration = 0;  ///< of contacts whose gap is an angle [rad]
  HardestImpact hardest{};
  ImpactSequences sequences{};
  GainingImpacts gaining{};
  DeepestContact deepest{};  ///< of set-valued contacts
  UndeterminedForces undetermined{};
  double worst_residual = 0;  ///< relative
  long solver_iterations = 0;
  long imprecise_steps = 0;  ///< see StepResult::imprecise
  long jammed_steps = 0;     ///< see StepResult::jammed
  long singular_steps = 0;   ///< see StepResult::singular
  long rejected_steps = 0;
  double smallest_step = INFINITY, largest_step = 0;  ///< of those that were taken [s]
  long fallback_steps = 0;  ///< that auto solved, for the chosen solver did not
  long warned_steps = 0;    ///< see StepResult::warned
  long evaluations = 0;     ///< of all forces, from methods that count them
  double t_stiff = NAN;     ///< when the integrator was changed, see StepResult::stiff [s]
};

/// Throw InputError unless a run from t to `until` [s] makes sense.
void validate_run(const Integrator& integrator, double t, double until);

/// Add a step to the summary.
void add(const StepResult& result, const SystemInfo& info, RunSummary& summary);

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

/// As simulate() below, for a run that has begun: adds to its summary.
template <class Due, class Observer>
void simulate_on(Integrator& integrator, State& state, double until, RunSummary& summary, Due&& due,
                 Observer&& observe) {
  validate_run(integrator, state.t, until);
  while (state.t < until) {
    const StepResult& result = integrator.step(state, {.due = due(state.t), .until = until});
    add(result, integrator.system().info(), summary);
    if (result.status != StepStatus::done || !goes_on(observe, state, result) || result.stop) break;
    if (summary.status != StepStatus::done) break;
  }
}

/// Steps from state.t to `until` [s]. due(t) says when the state after t is wanted at the latest,
/// see StepLimits. After each step observe(state, result) is called; it may return false to end the
/// run. A failed step ends the run too, with the state that was reached before it, and so does an
/// event that says so, or whose condition is not a number.
template <class Due, class Observer>
RunSummary simulate(Integrator& integrator, State& state, double until, Due&& due,
                    Observer&& observe) {
  RunSummary summary;
  simulate_on(integrator, state, until, summary, due, observe);
  return summary;
}

template <class Observer>
RunSummary simulate(Integrator& integrator, State& state, double until, Observer&& observe) {
  return simulate(
      integrator, state, until, [](double) { return INFINITY; }, observe);
}

inline RunSummary simulate(Integrator& integrator, State& state, double until) {
  return simulate(integrator, state, until, [](const State&, const StepResult&) {});
}

}  // namespace backlash
