// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/temporary_file.h"

#include <random>
#include <string>
#include <string_view>
#include <system_error>
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

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}{}", file.string(), random(), random(), ending);
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
