// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/io_error.h"
#include "backlash/io/temporary_file.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw IoError(fmt::format("{}: cannot be written: {}", file.string(),
                            std::generic_category().message(error)));
}

/// 0, or the number of the error that kept it from writing all.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

PartFile::PartFile(const std::filesystem::path& file)
    : file_(file), temporary_(temporary_name(file)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse(file, EISDIR);
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(file, errno);
}

PartFile::PartFile(PartFile&& other) noexcept
    : file_(other.file_),
      temporary_(other.temporary_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      published_(std::exchange(other.published_, true)) {}

PartFile::~PartFile() {
  if (descriptor_ >= 0) close(descriptor_);
  std::error_code ignored;
  if (!published_) std::filesystem::remove(temporary_, ignored);
}

void PartFile::append(std::string_view text) {
  if (const int error = write_all(descriptor_, text)) {
    [[maybe_unused]] const int cut = ftruncate(descriptor_, static_cast<off_t>(size_));
    refuse(file_, error);
  }
  size_ += text.size();
}

void PartFile::append_from(const std::filesystem::path& file, std::uintmax_t bytes) {
  std::ifstream from(file, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0');
  while (bytes > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uintmax_t>(bytes, block.size()));
    from.read(block.data(), static_cast<std::streamsize>(wanted));
    if (from.gcount() != static_cast<std::streamsize>(wanted))
      throw IoError(fmt::format("{}: is shorter than it was", file.string()));
    append(std::string_view(block).substr(0, wanted));
    bytes -= wanted;
  }
}

void PartFile::publish() {
  std::error_code error;
  std::filesystem::rename(temporary_, file_, error);
  if (error) refuse(file_, error.value());
  published_ = true;
}

}  // namespace backlash
