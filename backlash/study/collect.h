// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "backlash/model/model.h"
#include "backlash/results/run_results.h"
#include "backlash/run/run.h"

namespace backlash {

/// A run and what it left, in memory.
struct CollectedRun {
  Results results{};
  RunReport report{};
};

/// Told the time that a run has reached [s], after each step; false ends the run.
using RunWatch = std::function<bool(double t)>;

/// Runs a model and keeps all that is recorded, as read_run() would give it. Throws InputError for
/// what is wrong with the model; a run that fails keeps what it computed.
CollectedRun collect_run(const Model& model, const RunWatch& watch = {});

}  // namespace backlash
