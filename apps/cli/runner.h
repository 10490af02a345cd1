// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/integrators/method.h"
#include "backlash/results/recorder.h"
#include "backlash/results/run_description.h"
#include "commands.h"

/// The one way in which the program runs a mechanism, wherever it comes from.
namespace backlash::cli {

/// A mechanism that is ready to run.
struct Job {
  std::string title;
  const System& system;
  State state;
  Method method;
  double step = 0, until = 0;            ///< [s]; the step only where all are of one length
  RecorderOptions recorded{};            ///< how often, and which points
  std::vector<std::string> laws{};       ///< of compliant contacts, for the summary
  std::vector<NamedValue> options{};     ///< to be remembered beside those of the method
  std::vector<ModelText> model{};        ///< where it comes from
  std::vector<NamedValue> parameters{};  ///< of the model
};

/// Run it, write results, print the summary. Returns the exit code.
int run_job(Job job, const OutputArguments& output);

}  // namespace backlash::cli
