// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/reach_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "backlash/integrators/moreau/moreau.h"

namespace backlash {
namespace {

constexpr double usual_window = 2000, least_window = 100;  ///< steps
constexpr long enough = 2;  ///< windows in a row: the first may be a bounce that comes to rest
constexpr double patience = 1e-3;  ///< and so many steps, as a part of `max_steps`
constexpr double creeping = 1e-3;  ///< of the best pace so far, where an event may end the run

double max_steps_of(const SystemInfo& info, const SimulationOptions& simulation) {
  const Options all = find_integrator(simulation.method).all_options(info, simulation.options);
  const Option* most = find_option(all, "max_steps");
  return most ? std::get<double>(most->value) : MoreauOptions{}.max_steps;  // of equal steps
}

const ContactOutcome* deepest_of(const StepResult& result) {
  const auto deepest = std::ranges::min_element(result.contacts, {}, &ContactOutcome::gap);
  return deepest == result.contacts.end() ? nullptr : &*deepest;
}

/// Adams' methods try them where many steps are left (theory 10.11), which takes that many.
bool tried_bdf(const SimulationOptions& simulation, const RunSummary& run) {
  const Option* integrator = find_option(simulation.options, "integrator");
  constexpr long trial_over = 2500;
  return simulation.method == "compliant" && std::isnan(run.t_stiff) && run.steps > trial_over &&
         (!integrator || to_string(integrator->value) == "adams");
}

std::string_view how_to_go_farther(const SimulationOptions& simulation) {
  if (simulation.method == "compliant")
    return "take a softer law, a larger relative_tolerance, or rigid contacts (method: moreau)";
  if (simulation.method == "optimisation")
    return "take shorter steps, which need not be divided, the other optimiser, or method: moreau";
  return "take a larger step_tolerance or min_step, or equal steps";
}

}  // namespace

ReachWatch::ReachWatch(const SystemInfo& info, const SimulationOptions& simulation,
                       double equal_step)
    : simulation_(&simulation),
      equal_step_(equal_step),
      max_steps_(max_steps_of(info, simulation)),
      window_(std::lround(std::clamp(max_steps_, least_window, usual_window))),
      may_stop_(std::ranges::any_of(info.events, &EventInfo::stop)) {}

bool ReachWatch::accepts(const State& state, const StepResult& result) {
  if (std::isnan(t_)) t_ = result.t_start;
  if (result.interpolated) return true;
  ++steps_;
  for (const ContactOutcome& contact : result.contacts)
    if (is_impact(contact)) {
      ++met_;
      last_met_ = contact.key;
    }
  rejected_ += std::ssize(result.rejected);
  if (steps_ < window_) return true;
  mean_step_ = (state.t - t_) / static_cast<double>(steps_);
  steps_left_ = (simulation_->until - state.t) / mean_step_;
  const bool as_asked_for = equal_step_ > 0 && mean_step_ > 0.5 * equal_step_;
  best_step_ = std::max(best_step_, mean_step_);
  const bool creeps = !may_stop_ || mean_step_ < creeping * best_step_;
  slow_ = steps_left_ > max_steps_ && creeps && !as_asked_for ? slow_ + 1 : 0;
  t_ = state.t;
  steps_ = 0;
  met_before_ = std::exchange(met_, 0);
  rejected_before_ = std::exchange(rejected_, 0);
  return slow_ < enough || static_cast<double>(slow_ * window_) < patience * max_steps_;
}

std::string ReachWatch::describe(const System& system, const StepResult& last,
                                 const RunSummary& run) const {
  return fmt::format(
      "at t = {:.6g} s {}: at steps of {:.2g} s the end at {:g} s is {:.2g} steps away, more than "
      "max_steps ({:g}); {}; {}; a larger max_steps lets it go on",
      t_, name(StepStatus::out_of_reach), mean_step_, simulation_->until, steps_left_, max_steps_,
      describe_cause(system, last, run), how_to_go_farther(*simulation_));
}

std::string ReachWatch::describe_cause(const System& system, const StepResult& last,
                                       const RunSummary& run) const {
  const long many = window_ / 20;
  const ContactOutcome* deepest = deepest_of(last);
  const double depth = deepest ? -deepest->gap * gap_length(system.info(), deepest->key) : 0;
  const bool compliant = simulation_->method == "compliant";
  std::string cause = "no contact acts: a force or a speed must be that fast";
  if (compliant && depth > 1e-2 * system.info().length)
    cause = fmt::format(
        "contact '{}' overlaps by {:.2g} m, so that its force is enormous: begin without overlap",
        system.contact_name(deepest->key), depth);
  else if (met_before_ > many)
    cause = fmt::format(
        "contacts come and go, '{}' among them ({} times in the last {} steps): give a joint of "
        "so little play more of it or none",
        system.contact_name(last_met_), met_before_, window_);
  else if (deepest)
    cause =
        fmt::format("contact '{}' lasts{}{}", system.contact_name(deepest->key),
                    compliant ? " and is stiff" : "",
                    tried_bdf(*simulation_, run) ? ", and backward differences are no faster" : "");
  if (rejected_before_ > many)
    cause += fmt::format("; {} of the last {} steps were tried at a greater length before",
                         std::min(rejected_before_, window_), window_);
  return cause;
}

}  // namespace backlash
