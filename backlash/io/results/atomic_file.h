// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace backlash {

/// A text file being written, under a temporary name beside its own until publish(): what was there
/// stays as it was if anything fails before. Throws IoError where it cannot be written.
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& file);
  ~PartFile();
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;

  /// Append the first bytes of a file. Throws IoError if it has fewer.
  void append_from(const std::filesystem::path& file, std::uintmax_t bytes);

  std::uintmax_t size() const { return size_; }  ///< [bytes]

  /// Append, all or nothing: if the disk is full, the file ends where it ended before.
  void append(std::string_view text);

  /// Give the file its name and go on writing.
  void publish();

 private:
  std::filesystem::path file_, temporary_;
  int descriptor_ = -1;      ///< nothing is buffered: what was appended survives the process
  std::uintmax_t size_ = 0;  ///< [bytes]
  bool published_ = false;
};

}  // namespace backlash
