// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace backlash {
namespace {

constexpr std::string_view ending = ".part";
constexpr std::size_t digits = 16;

bool is_temporary(std::string_view name, const std::string& file) {
  if (name.size() != file.size() + 1 + digits + ending.size() || !name.starts_with(file + "."))
    return false;
  const std::string_view number = name.substr(file.size() + 1, digits);
  return name.ends_with(ending) &&
         number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::filesystem::path path_of(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

/// −1 where there are no files without a name, or none that could be given one.
int open_unnamed(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0 || access(path_of(descriptor).c_str(), F_OK) == 0) return descriptor;
  close(descriptor);
  return -1;
}

int give_name(int descriptor, const std::filesystem::path& name) {
  const int done =
      linkat(AT_FDCWD, path_of(descriptor).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  return done == 0 ? 0 : errno;
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}{}", file.string(), random(), random(), ending);
}

TemporaryFile::TemporaryFile(const std::filesystem::path& file)
    : file_(file), descriptor_(open_unnamed(file)) {
  if (descriptor_ >= 0) return;
  name_ = temporary_name(file);
  descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) error_ = errno;
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : file_(other.file_),
      name_(other.name_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_),
      published_(std::exchange(other.published_, true)) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  std::error_code ignored;
  if (!published_ && !name_.empty()) std::filesystem::remove(name_, ignored);
}

int TemporaryFile::publish() {
  if (name_.empty()) {
    int error = give_name(descriptor_, file_);
    if (error == EEXIST) {
      name_ = temporary_name(file_);
      error = give_name(descriptor_, name_);
    }
    published_ = error == 0 && name_.empty();
    if (error != 0 || published_) return error;
  }
  std::error_code error;
  std::filesystem::rename(name_, file_, error);
  published_ = !error;
  return error.value();
}

void remove_leftovers(const std::filesystem::path& file) {
  std::error_code ignored;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path(), ignored))
    if (is_temporary(entry.path().filename().string(), file.filename().string()))
      found.push_back(entry.path());
  for (const auto& leftover : found) std::filesystem::remove(leftover, ignored);
}

}  // namespace backlash
