// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "backlash/results/run_results.h"

namespace backlash {

/// The results of a run from its folder, its results.h5 (under any name), or one of its CSV files.
/// A folder without results.h5 is read from its CSV files and summary.json; contacts, events and
/// steps that are not there are empty. What a killed run left is read as far as it goes. Throws
/// InputError, with file and reason, for a file that is damaged or something else, and for a run
/// without a single row; IoError where a file cannot be read.
Results read_run(const std::filesystem::path& path);

}  // namespace backlash
