// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "backlash/results/run_results.h"

namespace backlash {

/// Which of the tables of a run a CSV file holds.
enum class CsvTable { states, contacts, events, steps };

/// A table as CsvWriter writes it. A last line without its end is left out: the run was killed over
/// it. CSV files say no units: those that the name of a column implies are given, else "". Throws
/// InputError with line and column for what is no such table.
ResultsTable read_csv_table(const std::filesystem::path& file, CsvTable kind);

}  // namespace backlash
