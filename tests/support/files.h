// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlash {

/// All that is in a file; empty if there is none.
std::string file_text(const std::filesystem::path& file);

void write_file(const std::filesystem::path& file, const std::string& text);

/// The cells of a CSV file without quotes, as text.
std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file);

}  // namespace backlash
