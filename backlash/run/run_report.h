// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/run_loads.h"

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
  std::vector<std::string> warnings{};  ///< of checks and assembly, one sentence each
  std::vector<std::string>
      run_warnings{};                     ///< what in the run should make one look twice, likewise
  std::optional<Origin> source{};         ///< the item whose formula gave what is not finite
  RunSummary run{};                       ///< steps, impacts, penetration, residual
  std::string hardest_at{};               ///< name of the contact of run.hardest
  GapUnit hardest_unit = GapUnit::metre;  ///< of its gap
  std::string deepest_at{};               ///< name of the contact of run.deepest
  std::string undetermined_at{};          ///< name of the contact of run.undetermined
  std::string gaining_at{};               ///< name of the contact of run.gaining
  RunLoads loads{};                       ///< of joints, drives and contacts, from the observer
  double t_start = 0, t = 0;              ///< began and ended [s]
  EnergyLedger start{}, end{};            ///< [J]
  double energy_at_hand = 0;  ///< what a gain or loss is measured by [J], see EnergyWatch
  double wall_time = 0;       ///< with output, from those who have a clock [s]

  /// What the method itself gained or lost, in its steps and by projections [J] (theory 4.7).
  double made_by_method() const { return backlash::made_by_method(start, end); }
};

/// Why a step failed from a state: when, which contacts, and the residual; or of a step that was
/// done, why the run cannot go on.
std::string describe_failure(const System& system, const State& state, const StepResult& result);

}  // namespace backlash
