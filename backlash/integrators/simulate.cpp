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

namespace {

double middle_of(const StepResult& result) { return result.t_start + 0.5 * result.step; }

/// The hardest is that with the largest product of impulse and speed, which measures the energy of
/// the approach: a slow contact whose impulse is that of a load is not.
void note_impact(const ContactOutcome& contact, const StepResult& result, HardestImpact& hardest) {
  const double speed = -contact.gamma_before[0];
  if (!(contact.impulse[0] * speed > hardest.impulse * hardest.speed)) return;
  hardest = {.t = std::isnan(contact.t) ? middle_of(result) : contact.t,
             .key = contact.key,
             .speed = speed,
             .impulse = contact.impulse[0],
             .energy = contact.loss};
}

void note_depth(const ContactOutcome& contact, const StepResult& result, const ContactInfo& info,
                DeepestContact& deepest) {
  if (!(info.play > 0) || info.compliant || !(-contact.gap > deepest.of_play * info.play)) return;
  deepest = {.t = middle_of(result),
             .key = contact.key,
             .depth = -contact.gap,
             .of_play = -contact.gap / info.play};
}

void note_gain(const StepResult& result, GainingImpacts& gaining) {
  if (result.gain.energy == 0) return;
  ++gaining.count;
  if (!(result.gain.energy > gaining.largest.energy)) return;
  gaining.largest = result.gain;
  gaining.t = middle_of(result);
}

void count_contact(const ContactOutcome& contact, const StepResult& result, const ContactInfo& info,
                   RunSummary& summary) {
  const bool met = is_impact(contact);
  if (info.compliant) {
    summary.impacts += met;
  } else if (!met) {
    if (begins_to_last(contact)) summary.sequences.end_sequence(contact.key);
  } else if (summary.sequences.add_impact(contact, info.unit)) {
    ++summary.small_bounces;
    summary.small_bounce_loss += contact.loss;
  } else {
    ++summary.impacts;
    if (!is_unfinished(contact)) note_impact(contact, result, summary.hardest);
  }
}

}  // namespace

void add(const StepResult& result, const SystemInfo& info, RunSummary& summary) {
  const bool undefined = result.status == StepStatus::done && result.source;
  summary.status = undefined ? StepStatus::not_finite : result.status;
  summary.worst_residual = std::max(summary.worst_residual, result.relative_residual);
  summary.solver_iterations += result.iterations;
  summary.evaluations += result.evaluations;
  summary.rejected_steps += static_cast<long>(result.rejected.size());
  if (result.status != StepStatus::done) return;
  if (!result.interpolated) {
    ++summary.steps;
    const double step = result.whole_step > 0 ? result.whole_step : result.step;
    summary.smallest_step = std::min(summary.smallest_step, step);
    summary.largest_step = std::max(summary.largest_step, step);
  }
  summary.warned_steps += result.warned;
  summary.imprecise_steps += result.imprecise;
  summary.jammed_steps += result.jammed;
  summary.singular_steps += result.singular;
  summary.fallback_steps += result.fell_back;
  if (result.stiff && std::isnan(summary.t_stiff)) summary.t_stiff = result.t_start;
  note_gain(result, summary.gaining);
  if (result.undetermined && std::isnan(summary.undetermined.t))
    summary.undetermined = {.t = result.t_start, .key = *result.undetermined};
  for (const ContactOutcome& contact : result.contacts) {
    const ContactInfo& pair = info.contacts[static_cast<std::size_t>(contact.key.pair)];
    double& deepest = pair.unit == GapUnit::metre ? summary.largest_penetration
                                                  : summary.largest_angular_penetration;
    deepest = std::max(deepest, -contact.gap);
    note_depth(contact, result, pair, summary.deepest);
    count_contact(contact, result, pair, summary);
  }
  // An impact that takes more than a step has done all that it does when it is over. A contact that
  // carried from the start on has met nobody.
  for (const auto* over : {&result.settled, &result.released})
    for (const ContactOutcome& contact : *over)
      if (contact.gamma_before[0] < 0) note_impact(contact, result, summary.hardest);
}

}  // namespace backlash
