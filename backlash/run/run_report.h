// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/simulate.h"

namespace backlash {

enum class RunStatus {
  done,
  interrupted,  ///< by its observer, or by who asked for it to stop
  failed        ///< at a step, or where results are written; see the message
};

std::string_view name(RunStatus status);

/// What a run amounted to.
struct RunReport {
  RunStatus status = RunStatus::done;
  std::string message{};                ///< why it failed
  std::vector<std::string> warnings{};  ///< of assembly, one sentence each
  RunSummary run{};                     ///< steps, impacts, penetration, residual
  double t_start = 0, t = 0;            ///< began and ended [s]
  EnergyLedger start{}, end{};          ///< [J]
  double wall_time = 0;                 ///< with output, from those who have a clock [s]

  double imbalance() const { return energy_imbalance(start, end); }  ///< [J]
};

/// Why a step failed from a state: when, which contacts, and the residual.
std::string describe_failure(const System& system, const State& state, const StepResult& result);

}  // namespace backlash
