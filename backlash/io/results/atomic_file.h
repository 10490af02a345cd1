// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "backlash/io/temporary_file.h"

namespace backlash {

/// A text file being written, without its name until publish(): what was there stays as it was if
/// anything fails before. Throws IoError where it cannot be written.
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& file);

  /// Append the first bytes of a file. Throws IoError if it has fewer.
  void append_from(const std::filesystem::path& file, std::uintmax_t bytes);

  std::uintmax_t size() const { return size_; }  ///< [bytes]

  /// Append; if the disk is full, the lines that find room, whole.
  void append(std::string_view text);

  /// Give the file its name and go on writing.
  void publish();

 private:
  std::filesystem::path file_;
  TemporaryFile temporary_;  ///< nothing is buffered: what was appended survives the process
  std::uintmax_t size_ = 0;  ///< [bytes]
};

}  // namespace backlash
