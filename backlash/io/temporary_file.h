// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace backlash {

/// A name beside a file, for what will take its place once it is whole: nobody can guess it.
/// Whoever opens it must ask for a new file (O_EXCL), so that no link is followed.
std::filesystem::path temporary_name(const std::filesystem::path& file);

/// Remove what has such a name, and was left by a program that was killed. Nobody else may be
/// writing the file.
void remove_leftovers(const std::filesystem::path& file);

}  // namespace backlash
