// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "backlash/model/model.h"
#include "backlash/run/run_observer.h"
#include "backlash/run/run_report.h"

/// A run from its start to its end, wherever the mechanism comes from. It prints nothing, looks at
/// no clock and knows no file; runs in several threads do not know each other.
namespace backlash {

/// What is asked for besides what the model says.
struct RunRequest {
  bool steps = false;                 ///< whether every step is recorded too
  std::vector<NamedValue> options{};  ///< to be remembered beside those of the run
  std::vector<ModelText> texts{};     ///< the files that the model comes from
  Provenance provenance{};            ///< when and how it was asked for, to be remembered
  std::stop_token stop{};             ///< ends the run after the step that it is at
  /// What was suspicious about the model, from who checked it; part of the report.
  std::vector<std::string> warnings{};
  /// What save() gave of the progress of the same run: it goes on from there. Empty: from the
  /// start.
  std::string resume{};
};

/// A mechanism that is ready to run.
struct RunSetup {
  std::string title{};
  const System& system;
  State start{};
  SimulationOptions simulation{};  ///< method, its options, and the end of the run
  OutputOptions output{};          ///< how often
  std::vector<RecordedPoint> points{};
  std::vector<NamedValue> parameters{};  ///< of the model
  Scene scene{};                         ///< what it looks like; empty: not known
  std::vector<std::string> warnings{};   ///< of assembly
  const Model* model = nullptr;  ///< that the system is of, to name what makes numbers explode
};

/// What a run left behind, besides what its observer was given.
struct RunOutcome {
  RunReport report{};
  RunDescription description{};
  State end{};
};

/// Assembles a model and runs it. Throws InputError before the first step for what is wrong with
/// it; what goes wrong later is in the outcome.
RunOutcome run(const Model& model, const RunRequest& request, RunObserver& observer);

/// The same for a System of one's own.
RunOutcome run(const RunSetup& setup, const RunRequest& request, RunObserver& observer);

}  // namespace backlash
