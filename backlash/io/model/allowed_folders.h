// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace backlash::reading {

/// A path without links and dots; of what is no file on a disk, such as a pipe, as it is.
std::filesystem::path canonical_file(const std::filesystem::path& path);

/// The folders that a model may read other files from: its own, those below it, and those that the
/// user allows. A model may come from a stranger, who shall not see what else is on the disk.
class AllowedFolders {
 public:
  AllowedFolders() = default;  ///< none

  /// Throws InputError if one of `more` is no folder.
  AllowedFolders(const std::filesystem::path& model, std::span<const std::filesystem::path> more);

  /// Throws InputError unless `file`, called `name` in the model, is a regular file in one of them.
  void require(const std::filesystem::path& file, const std::string& name) const;

 private:
  std::vector<std::filesystem::path> folders_{};
};

}  // namespace backlash::reading
