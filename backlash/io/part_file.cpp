// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/part_file.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw InputError(fmt::format("{}: cannot be written: {}", file.string(),
                               std::generic_category().message(error)));
}

}  // namespace

PartFile::PartFile(const std::filesystem::path& file)
    : file_(file), temporary_(fmt::format("{}.{}.part", file.string(), getpid())) {
  if (std::filesystem::is_directory(file)) refuse(file, EISDIR);
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) refuse(file, errno);
}

PartFile::PartFile(PartFile&& other) noexcept
    : file_(other.file_),
      temporary_(other.temporary_),
      stream_(std::move(other.stream_)),
      size_(other.size_),
      published_(std::exchange(other.published_, true)) {}

PartFile::~PartFile() {
  std::error_code ignored;
  if (!published_) std::filesystem::remove(temporary_, ignored);
}

void PartFile::append(const std::string& text) {
  errno = 0;
  stream_ << text;
  stream_.flush();
  if (stream_) {
    size_ += text.size();
    return;
  }
  const int error = errno;
  std::error_code ignored;
  std::filesystem::resize_file(published_ ? file_ : temporary_, size_, ignored);
  refuse(file_, error);
}

void PartFile::publish() {
  std::error_code error;
  std::filesystem::rename(temporary_, file_, error);
  if (error) refuse(file_, error.value());
  published_ = true;
}

}  // namespace backlash
