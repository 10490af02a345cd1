// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backlash/io/model/allowed_folders.h"
#include "backlash/io/model/yaml_document.h"
#include "backlash/model/model_text.h"

namespace backlash::reading {

/// A model file with what it includes, as one tree.
struct Document {
  std::shared_ptr<const YamlNode> root{};
  std::vector<ModelText> files{};  ///< the main one first
  AllowedFolders folders{};        ///< for other files that it names
};

/// The text of a file, `-` being standard input. Throws InputError.
std::string read_text(const std::filesystem::path& path);

/// Files that it includes lie in its own folder, in a folder below, or in one of `allowed`.
Document load_document(const std::filesystem::path& path,
                       std::span<const std::filesystem::path> allowed);
Document load_text(std::string_view text, const std::string& name);

}  // namespace backlash::reading
