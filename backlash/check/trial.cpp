// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/trial.h"

#include <algorithm>
#include <cmath>

#include "backlash/integrators/simulate.h"

namespace backlash {
namespace {

constexpr long samples = 100;              ///< states that are kept
constexpr long iterations_per_step = 100;  ///< of the solver; more are too slow for a check
constexpr long most_work = 1'000'000;      ///< iterations times contacts; as above

void note(double speed, double t, Approach& approach) {
  if (speed > approach.speed) approach = {speed, t};
}

/// Of all contacts that are near, also of those that are open.
void note_approaches(const System& system, const State& state,
                     std::map<ContactKey, Approach>& approach) {
  const Configuration c = configuration(system, state);
  std::vector<ContactFrame> frames;
  system.find_contacts(c, system.info().reach, state.contacts, frames);
  std::vector<ContactVelocity> velocities(frames.size());
  system.write_contact_velocities(c, state.u, frames, velocities);
  for (std::size_t i = 0; i < frames.size(); ++i)
    note(-velocities[i][0], state.t, approach[frames[i].key]);
}

}  // namespace

Trial try_steps(Integrator& integrator, const State& start, double until, long steps) {
  const System& system = integrator.system();
  Trial trial{.step = integrator.equal_step()};
  trial.samples.push_back(start);
  note_approaches(system, start, trial.approach);
  State state = start;
  const long sample_every = std::max(1L, steps / samples);
  RunSummary summary;
  double work = 0;
  const auto observe = [&](const State& now, const StepResult& result) {
    add(result, system.info(), summary);
    work += static_cast<double>(result.iterations) * static_cast<double>(result.contacts.size());
    for (const ContactOutcome& contact : result.contacts)
      note(-contact.gamma_before[0], result.t_start, trial.approach[contact.key]);
    if (summary.steps % sample_every == 0) {
      trial.samples.push_back(now);
      note_approaches(system, now, trial.approach);
    }
    return summary.steps < steps && work < most_work &&
           summary.solver_iterations < iterations_per_step * steps;
  };
  const RunSummary run = simulate(integrator, state, until, observe);
  trial.steps = run.steps;
  if (!(trial.step > 0)) trial.step = run.largest_step;
  trial.t = state.t;
  trial.status = run.status;
  return trial;
}

}  // namespace backlash
