// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/atomic_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/io_error.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int error) {
  throw IoError(fmt::format("{}: cannot be written: {}", file.string(),
                            std::generic_category().message(error)));
}

/// 0, or the number of the error that kept it from writing all; what is left of the text is what
/// it did not write.
int write_all(int descriptor, std::string_view& text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

PartFile::PartFile(const std::filesystem::path& file) : file_(file), temporary_(file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse(file, EISDIR);
  if (temporary_.error() != 0) refuse(file, temporary_.error());
}

void PartFile::append(std::string_view text) {
  std::string_view left = text;
  const int error = write_all(temporary_.descriptor(), left);
  const std::string_view written = text.substr(0, text.size() - left.size());
  size_ += error == 0 ? text.size() : written.rfind('\n') + 1;
  if (error == 0) return;
  [[maybe_unused]] const int cut = ftruncate(temporary_.descriptor(), static_cast<off_t>(size_));
  refuse(file_, error);
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
  if (const int error = temporary_.publish()) refuse(file_, error);
}

}  // namespace backlash
