// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "model_file.h"

#include <system_error>

namespace backlash::cli {

std::vector<LawOverride> laws_of(const ModelArguments& arguments) {
  std::vector<LawOverride> laws;
  for (const std::string& text : arguments.laws) laws.push_back(parse_law_override(text));
  return laws;
}

Model read_model_with(const ModelArguments& arguments) {
  std::vector<ParameterOverride> overrides;
  for (const std::string& text : arguments.set) overrides.push_back(parse_override(text));
  return read_model(arguments.file, overrides, laws_of(arguments), arguments.include_from);
}

std::vector<ModelText> texts_of(const Model& model, const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::vector<ModelText> texts;
  for (const auto& [part, text] : model.files) {
    std::error_code error;
    const std::filesystem::path name = std::filesystem::proximate(part, folder, error);
    texts.push_back({error ? part : name.generic_string(), text});
  }
  return texts;
}

std::filesystem::path default_folder(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(file, error);
  std::string name = file == "-" ? "model" : file.stem().string();
  if (file != "-" && name == "model" && whole.parent_path().has_filename())
    name = whole.parent_path().filename().string();
  return name + "-results";
}

}  // namespace backlash::cli
