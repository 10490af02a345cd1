// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/trial.h"

#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/integrators/simulate.h"

namespace backlash {
namespace {

constexpr long samples = 100;              ///< states that are kept
constexpr long iterations_per_step = 100;  ///< of the solver; more are too slow for a check

void note(double speed, double t, Approach& approach) {
  if (speed > approach.speed) approach = {speed, t};
}

/// Of all contacts, also of those that are open.
void note_approaches(const System& system, const State& state, std::vector<Approach>& approach) {
  const Configuration c = configuration(system, state);
  Matrix W(state.u.size(), 3);
  Vector w(3);
  for (std::size_t i = 0; i < approach.size(); ++i) {
    const int rows = 1 + system.info().contacts[i].tangents;
    W.setZero();
    w.setZero();
    system.contact_rows(c, static_cast<int>(i), W.leftCols(rows), w.head(rows));
    note(-(W.col(0).dot(state.u) + w[0]), state.t, approach[i]);
  }
}

}  // namespace

Trial try_steps(const System& system, const State& start, const SimulationOptions& simulation,
                long steps) {
  Trial trial;
  trial.approach.resize(system.info().contacts.size());
  trial.samples.push_back(start);
  note_approaches(system, start, trial.approach);
  Moreau integrator(system, moreau_options(simulation));
  State state = start;
  const long sample_every = std::max(1L, steps / samples);
  RunSummary summary;
  const auto observe = [&](const State& now, const StepResult& result) {
    add(result, summary);
    for (const ContactOutcome& contact : result.contacts)
      note(-contact.gamma_before[0], result.t_start,
           trial.approach[static_cast<std::size_t>(contact.contact)]);
    if (summary.steps % sample_every == 0) {
      trial.samples.push_back(now);
      note_approaches(system, now, trial.approach);
    }
    return summary.steps < steps && summary.solver_iterations < iterations_per_step * steps;
  };
  const RunSummary run = simulate(integrator, state, simulation.step, simulation.until, observe);
  trial.steps = run.steps;
  trial.t = state.t;
  trial.status = run.status;
  return trial;
}

}  // namespace backlash
