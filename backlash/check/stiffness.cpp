// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/check/stability.h"
#include "backlash/integrators/integrator_table.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr std::size_t states_looked_at = 4;
constexpr double accurate = 2 * std::numbers::pi / 20;  ///< |λ| Δt: twenty steps per period

/// Some of the states that the first steps came by, but for those behind an explosion.
std::vector<const State*> states_of(const System& system, const Trial& trial) {
  if (trial.samples.empty()) return {};
  const EnergyLedger start = energy_ledger(system, trial.samples.front());
  const auto calm_end = std::ranges::find_if_not(
      trial.samples, [&](const State& state) { return is_calm(system, start, state); });
  const std::size_t calm =
      std::max<std::size_t>(1, static_cast<std::size_t>(calm_end - trial.samples.begin()));
  const bool many = system.info().velocities > most_velocities_of_modes / 3;
  const std::size_t count = many ? 1 : states_looked_at;
  std::vector<const State*> states;
  for (std::size_t i = 0; i < count && i < calm; ++i)
    states.push_back(&trial.samples[i * (calm - 1) / std::max<std::size_t>(1, count - 1)]);
  return states;
}

std::string describe(const FastestMode& mode, const System& system, double step) {
  constexpr double without_swing = 0.7;
  const std::string motion =
      std::abs(mode.damping) > without_swing
          ? fmt::format("{} within {:.3g} s", mode.damping > 0 ? "decays" : "grows", 1 / mode.rate)
          : fmt::format("swings at {:.4g} rad/s (period {:.3g} s)", mode.rate,
                        2 * std::numbers::pi / mode.rate);
  const auto& names = system.info().velocity_names;
  const std::string velocity = mode.velocity >= 0 && !names.empty()
                                   ? names[static_cast<std::size_t>(mode.velocity)]
                                   : std::string("the mechanism");
  return fmt::format("{} {} at t = {:g} s; the step is {:g} s", velocity, motion, mode.t, step);
}

}  // namespace

Stiffness find_stiffness(const Model& model, const Assembly& assembly, const Trial& trial,
                         Findings& findings) {
  const System& system = *assembly.system;
  const Index n = system.info().velocities;
  if (n > most_velocities_of_modes) {
    findings.push_back(
        {.severity = Severity::note,
         .message = fmt::format("with {} velocities it is too large to look at its "
                                "eigenfrequencies",
                                n),
         .advice = equal_step(model.simulation) > 0
                       ? "halve the step and compare"
                       : fmt::format("tighten {} tenfold and compare",
                                     model.simulation.method == "moreau" ? "step_tolerance"
                                                                         : "relative_tolerance")});
    return {};
  }
  FastestMode fastest;
  for (const State* state : states_of(system, trial)) {
    FastestMode mode = fastest_mode(system, configuration(system, *state), state->u);
    if (mode.rate > fastest.rate) fastest = std::move(mode);
  }
  const SimulationOptions& s = model.simulation;
  const double step = equal_step(s), turn = fastest.rate * step;
  if (!(turn > accurate)) return {.fastest_rate = fastest.rate};
  const Force* force = find_culprit(model, fastest);
  const std::string unstable_step = describe_unstable_step(fastest, step, s, force);
  const bool unstable = !unstable_step.empty();
  const bool by_moreau = s.method == "moreau";
  findings.push_back(
      {.severity = unstable ? Severity::warning : Severity::note,
       .item = force ? fmt::format("force '{}'", force->name) : "simulation",
       .where = force ? force->where : s.where,
       .message = describe(fastest, system, step) +
                  (unstable ? fmt::format(", beyond the limit of stability of the {} scheme",
                                          by_moreau ? "midpoint" : "Runge-Kutta")
                            : ", fewer than twenty steps for a period"),
       .advice =
           fmt::format("choose simulation.step of at most {:.2g} s{}", accurate / fastest.rate,
                       !unstable   ? ""
                       : by_moreau ? ", or scheme: theta, which stays stable"
                                   : ", or integrator: bdf, which stays stable")});
  return {.fastest_rate = fastest.rate, .unstable_step = unstable_step};
}

}  // namespace backlash
