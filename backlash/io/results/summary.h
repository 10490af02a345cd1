// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/run_description.h"

namespace backlash {

enum class RunStatus {
  done,
  interrupted,  ///< by the user
  failed        ///< at a step, or where results are written; see the message
};

std::string_view name(RunStatus status);

/// What a run amounted to.
struct RunReport {
  RunStatus status = RunStatus::done;
  std::string message{};        ///< why it failed
  RunSummary run{};             ///< steps, impacts, penetration, residual
  double t_start = 0, t = 0;    ///< began and ended [s]
  EnergyLedger start{}, end{};  ///< [J]
  double wall_time = 0;         ///< with output [s]
  long evaluations = 0;         ///< of all forces, of methods with variable steps

  double imbalance() const { return energy_imbalance(start, end); }  ///< [J]
};

/// The text of summary.json (docs/reference/results.md).
std::string summary_json(const RunDescription& description, const RunReport& figures);

}  // namespace backlash
