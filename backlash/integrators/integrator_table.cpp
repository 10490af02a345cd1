// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/integrator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/integrators/optimisation/optimisation_options.h"

namespace backlash {

std::span<const IntegratorEntry> integrator_table() {
  static const std::vector<IntegratorEntry> table{
      {"moreau", "time stepping with set-valued laws of contact", infos(moreau_option_rows()),
       [](const System& system, const Options& chosen) -> std::unique_ptr<Integrator> {
         return std::make_unique<Moreau>(system, moreau_options(chosen));
       },
       [](const SystemInfo&, const Options& chosen) {
         return all_options(moreau_option_rows(), moreau_options(chosen));
       }},
      {"compliant", "contacts as forces, integrated with steps that follow them",
       infos(compliant_option_rows()),
       [](const System& system, const Options& chosen) -> std::unique_ptr<Integrator> {
         return std::make_unique<Compliant>(system, compliant_options(chosen, system.info()));
       },
       [](const SystemInfo& info, const Options& chosen) {
         return all_options(compliant_option_rows(), compliant_options(chosen, info));
       }},
      {"optimisation",
       "the implicit Euler step as an optimisation with complementarity constraints",
       infos(optimisation_option_rows()),
       [](const System& system, const Options& chosen) -> std::unique_ptr<Integrator> {
         return std::make_unique<Optimisation>(system, optimisation_options(chosen));
       },
       [](const SystemInfo&, const Options& chosen) {
         return all_options(optimisation_option_rows(), optimisation_options(chosen));
       }},
  };
  return table;
}

const IntegratorEntry& find_integrator(std::string_view name) {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_table()) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw InputError(fmt::format("method '{}' does not exist; there are: {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

std::unique_ptr<Integrator> make_integrator(const System& system,
                                            const SimulationOptions& simulation) {
  return find_integrator(simulation.method).make(system, simulation.options);
}

double equal_step(const SimulationOptions& simulation) {
  const IntegratorEntry& method = find_integrator(simulation.method);
  const Options all = method.all_options(SystemInfo{}, simulation.options);
  const Option* step = find_option(all, "step");
  const double* length = step ? std::get_if<double>(&step->value) : nullptr;
  return length ? *length : 0;
}

void require_step_within(const SimulationOptions& simulation, double start) {
  const double step = equal_step(simulation), run = simulation.until - start;
  if (!(run > 0 && step > run * (1 + 1e-9))) return;
  throw InputError(simulation.where,
                   fmt::format("a step of {} s is longer than the run of {} s; shorten simulation."
                               "step (--step) or lengthen simulation.until (--until)",
                               step, run));
}

}  // namespace backlash
