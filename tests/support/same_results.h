// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "backlash/io/results/results_file.h"

namespace backlash {

/// That a table of results.h5 and a CSV file hold the same columns, names and bits.
void expect_same(const ResultsTable& table, const std::filesystem::path& csv);

}  // namespace backlash
