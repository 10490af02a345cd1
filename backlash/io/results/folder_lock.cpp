// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"

namespace backlash {
namespace {

constexpr const char* lock_name = ".backlash.lock";

int open_lock(const std::filesystem::path& file) {
  const int descriptor =
      open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor >= 0) return descriptor;
  throw IoError(fmt::format("{}: cannot be written: {}", file.string(),
                            std::generic_category().message(errno)));
}

/// The number of the process that holds the lock, as it wrote it; digits alone are believed. Empty:
/// it has not come to that yet.
std::string holder_digits(int descriptor) {
  std::array<char, 16> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  std::string digits;
  for (ssize_t i = 0; i < length && text[static_cast<std::size_t>(i)] >= '0' &&
                      text[static_cast<std::size_t>(i)] <= '9';
       ++i)
    digits += text[static_cast<std::size_t>(i)];
  return digits;
}

/// "process 1234".
std::string holder(int descriptor) {
  constexpr int patience = 100;
  for (int i = 0; i < patience; ++i) {
    const std::string digits = holder_digits(descriptor);
    if (!digits.empty()) return "process " + digits;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return "another process";
}

/// Whether the file that was locked is still the one of that name: whoever held it before may have
/// removed it between our opening and our locking it.
bool is_current(int descriptor, const std::filesystem::path& file) {
  struct stat locked {
  }, named{};
  return fstat(descriptor, &locked) == 0 && lstat(file.c_str(), &named) == 0 &&
         locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / lock_name) {
  while (true) {
    descriptor_ = open_lock(file_);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string who = holder(descriptor_);
      close(descriptor_);
      throw InputError(
          fmt::format("results folder '{}' is being written by {}; wait for it, or choose another "
                      "folder",
                      folder.string(), who));
    }
    if (is_current(descriptor_, file_)) break;
    close(descriptor_);
  }
  const std::string text = fmt::format("{}\n", getpid());
  if (ftruncate(descriptor_, 0) == 0) [[maybe_unused]]
    const ssize_t written = write(descriptor_, text.data(), text.size());
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(other.file_), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  if (is_current(descriptor_, file_))  // before it is given up, so that it is still ours
    std::filesystem::remove(file_, ignored);
  close(descriptor_);
}

void FolderLock::require_held() const {
  if (!is_current(descriptor_, file_))
    throw IoError(
        fmt::format("results folder '{}' was removed or replaced while the run wrote to it",
                    file_.parent_path().string()));
}

}  // namespace backlash
