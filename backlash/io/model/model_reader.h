// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/input_error.h"
#include "backlash/model/model.h"

namespace backlash {

/// A parameter's value from outside the file, as `--set name=value` gives it.
struct ParameterOverride {
  std::string name{};
  std::string value{};  ///< as in the file: "0.5 mm", "2*b"
};

/// "c=0.5 mm" taken apart. Throws InputError.
ParameterOverride parse_override(std::string_view text);

/// A law in the place of one of the file, as `--law name=law` gives it.
struct LawOverride {
  std::string name{};
  std::string law{};  ///< the name of another law, or a mapping as in the file
};

/// "steel={restitution: 0.4}" taken apart. Throws InputError.
LawOverride parse_law_override(std::string_view text);

/// All that is wrong with a model file, in the order of the file; what() has a line for each.
class ModelFileError : public InputError {
 public:
  explicit ModelFileError(std::vector<InputError> errors);
  const std::vector<InputError>& errors() const { return errors_; }
  std::vector<std::string> lines() const;  ///< of what(): the first errors, and how many follow

 private:
  std::vector<InputError> errors_;
};

/// Reads a model file and the files that it includes, from its own folder, folders below, and the
/// folders `include_from`. A mapping of `laws` that gives no restitution or no friction has those
/// of the law that it replaces. Throws InputError "file:line:column: path.in.model: what was found,
/// what was expected", which is a ModelFileError if the file could be taken apart.
Model read_model(const std::filesystem::path& path,
                 std::span<const ParameterOverride> overrides = {},
                 std::span<const LawOverride> laws = {},
                 std::span<const std::filesystem::path> include_from = {});

/// The same for a text that is no file; `name` stands for the file in messages. It cannot include
/// others.
Model parse_model(std::string_view text, const std::string& name,
                  std::span<const ParameterOverride> overrides = {},
                  std::span<const LawOverride> laws = {});

/// JSON Schema (draft 7) of the model file, from the tables that read it.
std::string model_schema();

/// The keys of the model file as Markdown, from the same tables.
std::string model_reference();

}  // namespace backlash
