// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace backlash {

/// A folder that belongs to one run as long as this lives. The lock is the system's, on a hidden
/// file in the folder, so that it ends with the process however that ends.
class FolderLock {
 public:
  /// Throws InputError that names the process which holds the folder, if another does; IoError if
  /// nothing can be written there.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

  /// Throws IoError if the folder was removed, or another has taken its place: what has its name
  /// now may be another run's.
  void require_held() const;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace backlash
