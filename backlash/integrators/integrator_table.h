// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/integrators/integrator.h"
#include "backlash/integrators/option_info.h"
#include "backlash/model/model.h"

namespace backlash {

/// A method, by the name that a model says.
struct IntegratorEntry {
  std::string name{};
  std::string summary{};  ///< one line
  std::vector<OptionInfo> options{};
  /// Throws InputError for options that make no sense, and for contacts whose law is not for it.
  std::unique_ptr<Integrator> (*make)(const System& system, const Options& chosen) = nullptr;
  /// All options that apply to a System, with those that were not chosen.
  Options (*all_options)(const SystemInfo& info, const Options& chosen) = nullptr;
};

/// All methods, the default first.
std::span<const IntegratorEntry> integrator_table();

/// The method of that name. Throws InputError that says which there are.
const IntegratorEntry& find_integrator(std::string_view name);

/// What a model chose.
std::unique_ptr<Integrator> make_integrator(const System& system,
                                            const SimulationOptions& simulation);

/// The length of its steps, if all are equal [s]; 0: it chooses them.
double equal_step(const SimulationOptions& simulation);

/// Throw InputError if a single one of its equal steps is longer than the run from `start` [s] on.
void require_step_within(const SimulationOptions& simulation, double start);

}  // namespace backlash
