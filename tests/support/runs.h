// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"

namespace backlash::test {

/// How far inside a surface things rest [m]: the ±1e-14 m/s that a solver's tolerance leaves would
/// else open their contact for a step now and then.
constexpr double hair = 1e-9;

/// Calls check(options) for every solver of the table, with its name in the trace.
template <class Check>
void for_every_solver(Check check) {
  for (const SolverEntry& solver : solver_table()) {
    SCOPED_TRACE(std::string(solver.name));
    check(MoreauOptions{.solver = solver.name});
  }
}

/// The same for those that take friction in space as a disk.
template <class Check>
void for_every_disk_solver(Check check) {
  for (const SolverEntry& solver : solver_table()) {
    if (solver.space_friction != SpaceFriction::disk) continue;
    SCOPED_TRACE(std::string(solver.name));
    check(MoreauOptions{.solver = solver.name});
  }
}

/// The state at `until`; every step must be done.
template <class Observer>
State run(const System& system, State state, double step, double until,
          const MoreauOptions& options, Observer&& observe) {
  MoreauOptions with_step = options;
  with_step.step = step;
  Moreau integrator(system, with_step);
  const RunSummary summary = simulate(integrator, state, until, std::forward<Observer>(observe));
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at t = " << state.t;
  return state;
}

inline State run(const System& system, State state, double step, double until,
                 const MoreauOptions& options = {}) {
  return run(system, std::move(state), step, until, options,
             [](const State&, const StepResult&) {});
}

/// One step, which must be done: its result and the state after it.
struct OneStep {
  StepResult result;
  State state;
};

inline OneStep one_step(const System& system, State state, double step,
                        const MoreauOptions& options = {}) {
  Moreau integrator(system, options);
  StepResult result = integrator.step(state, step);
  EXPECT_EQ(result.status, StepStatus::done) << name(result.status);
  return {std::move(result), std::move(state)};
}

}  // namespace backlash::test
