// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/results/recorder.h"

/// Rows that lie within a step.
namespace backlash {

/// Whether the step went from its start to its middle with the velocity before it, and on with the
/// one after it (theory 4.1). The implicit Euler method's do not.
bool Recorder::went_by_its_middle(const State& end, double step) {
  constexpr double apart = 1e-3;  // as a part of the way
  for (Vector& q : middle_) q.resize(end.q.size());
  system_.advance(before_.q, before_.u, 0.5 * step, middle_[0]);
  system_.advance(end.q, u_end_, -0.5 * step, middle_[1]);
  return (middle_[1] - middle_[0]).norm() <= apart * (end.q - before_.q).norm();
}

/// A row within the step that has just ended. Velocities change at a constant rate in it; where
/// bodies met, all at once in its middle. Positions follow them, or go straight to the end.
void Recorder::record_between(const State& end, const StepResult& result) {
  const double passed = due_ - before_.t, step = end.t - before_.t;
  const bool met = std::ranges::any_of(result.contacts, is_impact);
  between_ = end;
  between_.t = due_;
  if (!met) {
    between_.u = before_.u + passed / step * (u_end_ - before_.u);
    system_.advance(before_.q, 0.5 * (before_.u + between_.u), passed, between_.q);
  } else if (passed < 0.5 * step) {
    between_.u = before_.u;
    system_.advance(before_.q, before_.u, passed, between_.q);
  } else {
    between_.u = u_end_;
    system_.advance(end.q, u_end_, passed - step, between_.q);
  }
  if (!went_by_its_middle(end, step)) between_.q = before_.q + passed / step * (end.q - before_.q);
  const auto states = static_cast<Eigen::Index>(system_.info().states.size());
  if (states > 0)
    between_.q.tail(states) =
        before_.q.tail(states) + passed / step * (end.q.tail(states) - before_.q.tail(states));
  if (end.z.size() > 0)  // events of the step happen at its end
    last_.memory.switches(between_.z) = last_.memory.last_switches(end.z);
  within_ = {.share = passed / step,
             .done = !met                  ? passed / step
                     : passed < 0.5 * step ? 0.0
                                           : 1.0};
  record(between_, &result);
  within_.share = 1;
}

EnergyLedger Recorder::ledger_of(const State& state) {
  set_configuration(system_, last_.memory, state, before_here_);
  return energy_ledger(system_, before_here_, last_.memory, state);
}

}  // namespace backlash
