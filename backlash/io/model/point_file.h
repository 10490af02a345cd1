// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "backlash/base/types.h"

namespace backlash::reading {

/// The points of a text file, two numbers in a line: separated by a comma, a semicolon, or blanks.
/// Lines that are empty or begin with '#' do not count, nor does a first line of names. Throws
/// InputError naming file and line.
std::vector<Vec2> read_point_file(const std::filesystem::path& path);

}  // namespace backlash::reading
