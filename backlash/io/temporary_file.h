// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace backlash {

/// A name beside a file, for what will take its place once it is whole: nobody can guess it.
/// Whoever opens it must ask for a new file (O_EXCL), so that no link is followed.
std::filesystem::path temporary_name(const std::filesystem::path& file);

/// A new file that will take the place of another once it is whole. Until then it has no name, so
/// that nothing of it is left if the program is killed; where the file system knows no such files,
/// a temporary one.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& file);
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  int descriptor() const { return descriptor_; }  ///< writes at the end; −1: it could not be opened
  int error() const { return error_; }            ///< why; 0: it is open

  /// Gives the file its name. 0, or the number of the error that kept it from that.
  int publish();

 private:
  std::filesystem::path file_, name_;  ///< `name_`: empty if it has none
  int descriptor_ = -1, error_ = 0;
  bool published_ = false;
};

/// Remove temporary files that were left beside a file by a program that was killed. Nobody else
/// may be writing the file.
void remove_leftovers(const std::filesystem::path& file);

}  // namespace backlash
