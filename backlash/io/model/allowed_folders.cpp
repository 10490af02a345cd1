// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/allowed_folders.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::reading {
namespace {

namespace fs = std::filesystem;

/// Whether a file lies in a folder or below it. Both have no links and no dots left.
bool is_below(const fs::path& file, const fs::path& folder) {
  return std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// Without a slash at its end, behind which a path has one more, empty part.
fs::path canonical_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::canonical(folder, error);
  if (error || !fs::is_directory(whole, error))
    throw InputError(fmt::format("--allow-include {}: there is no such folder", folder.string()));
  return whole;
}

}  // namespace

fs::path canonical_file(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  const fs::path canonical = fs::weakly_canonical(whole, error);
  return error ? whole : canonical;
}

AllowedFolders::AllowedFolders(const fs::path& model, std::span<const fs::path> more) {
  folders_.push_back(canonical_file(model).parent_path());
  for (const fs::path& folder : more) folders_.push_back(canonical_folder(folder));
}

void AllowedFolders::require(const fs::path& file, const std::string& name) const {
  if (name.find('\0') != std::string::npos) throw InputError("the name is no file's");
  const fs::path canonical = canonical_file(file);
  if (std::ranges::none_of(folders_, [&](const fs::path& f) { return is_below(canonical, f); }))
    throw InputError(
        fmt::format("'{}' lies outside of the model's folder; --allow-include DIR allows a folder "
                    "to read files from",
                    name));
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    throw InputError(fmt::format("there is no file '{}'", file.generic_string()));
  if (!fs::is_regular_file(status))
    throw InputError(fmt::format("'{}' is no regular file", file.generic_string()));
}

}  // namespace backlash::reading
