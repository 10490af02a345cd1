// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backlash/io/results/checkpoint.h"
#include "backlash/io/results/folder_lock.h"
#include "backlash/run/run.h"
#include "commands.h"

/// The one way in which the program runs a mechanism, wherever it comes from.
namespace backlash::cli {

/// A run that waits for its observer.
using StartRun = std::function<RunOutcome(const RunRequest& request, RunObserver& observer)>;

/// What lets a run be resumed.
struct Resumable {
  std::string call{};                      ///< how it was begun; empty: it cannot be resumed
  std::optional<Checkpoint> checkpoint{};  ///< where it goes on
  std::optional<FolderLock> lock{};        ///< of its folder, from before the checkpoint was read
};

/// Run it, write results, print the summary; `laws` are lines about compliant contacts. Returns the
/// exit code.
int run_job(const StartRun& start, RunRequest request, const OutputArguments& output,
            const std::vector<std::string>& laws = {}, Resumable resumable = {});

}  // namespace backlash::cli
