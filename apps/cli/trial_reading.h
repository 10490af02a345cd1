// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "backlash/io/fclib/fclib.h"
#include "backlash/results/run_results.h"

/// Reading of HDF5 files that somebody else may have damaged: the HDF5 library itself crashes on
/// some, and never ends with others.
namespace backlash::cli {

/// Let a child process call `read`, with limits of time and memory that suit the size of the file.
/// Throws InputError if that kills it, or does not end; what `read` throws there is no concern of
/// this function.
void try_reading(const std::filesystem::path& file, const std::function<void()>& read);

/// read_run() and read_fclib(), after a trial.
Results read_run_after_trial(const std::filesystem::path& run);
FclibProblem read_fclib_after_trial(const std::filesystem::path& file);

}  // namespace backlash::cli
