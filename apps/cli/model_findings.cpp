// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "model_findings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "backlash/check/check.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/model_reader.h"
#include "run_table.h"
#include "simulation_arguments.h"

namespace backlash::cli {
namespace {

/// A folder for the files of a model, gone in the end.
class ModelFolder {
 public:
  explicit ModelFolder(const std::vector<ModelText>& files) {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("backlash-{:08x}{:08x}", random(), random());
    for (const ModelText& text : files) {
      const std::filesystem::path file = path_ / std::filesystem::path(text.file).relative_path();
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << text.text;
    }
  }
  ~ModelFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Whether a name stays inside of the folder that it is in.
bool stays_inside(const std::string& name) {
  const std::filesystem::path path(name);
  return !path.is_absolute() && std::ranges::find(path, "..") == path.end();
}

/// Laws as they were in the run.
std::vector<LawOverride> laws_of(const RunDescription& run) {
  std::vector<LawOverride> laws;
  for (const NamedValue& value : run.options)
    if (std::holds_alternative<std::string>(value.value) && value.name.starts_with("law."))
      laws.push_back({value.name.substr(4), std::get<std::string>(value.value)});
  return laws;
}

/// Parameters that were not, in the run, what the file says.
std::vector<ParameterOverride> changed_parameters(const RunDescription& run, const Model& model) {
  std::vector<ParameterOverride> changed;
  for (const Parameter& parameter : model.parameters) {
    const auto found = std::ranges::find(run.parameters, parameter.name, &NamedValue::name);
    const double* value =
        found == run.parameters.end() ? nullptr : std::get_if<double>(&found->value);
    if (value && *value != parameter.value)
      changed.push_back({parameter.name, fmt::format("{} {}", *value, parameter.unit)});
  }
  return changed;
}

/// Method and steps as they were in the run.
void apply_options(const RunDescription& run, Model& model) {
  SimulationArguments arguments;
  const auto find = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = std::ranges::find(run.options, name, &NamedValue::name);
    return found == run.options.end() ? std::nullopt : std::optional(text_of(*found));
  };
  arguments.method = find("method");
  arguments.until = find("until");
  const std::optional<std::string> step = find("step");
  if (step && *step != "auto") arguments.options.emplace_back("step", *step);
  apply(arguments, model.simulation, model.output);
}

}  // namespace

void add_findings(const Results& results, ReportOptions& options) {
  const std::vector<ModelText>& files = results.run.model;
  if (files.empty()) {
    options.findings_missing = "the results hold no model";
    return;
  }
  if (!std::ranges::all_of(files, stays_inside, &ModelText::file)) {
    options.findings_missing = "the model has parts outside of its folder";
    return;
  }
  try {
    const ModelFolder folder(files);
    const std::filesystem::path file = folder.path() / files.front().file;
    const std::vector<LawOverride> laws = laws_of(results.run);
    Model model = read_model(file, {}, laws);
    if (const auto changed = changed_parameters(results.run, model); !changed.empty())
      model = read_model(file, changed, laws);
    apply_options(results.run, model);
    options.findings = check(model).findings;
    const std::string prefix = folder.path().string() + "/";
    for (Finding& finding : options.findings)
      if (finding.where.file.starts_with(prefix)) finding.where.file.erase(0, prefix.size());
  } catch (const std::exception& error) {
    options.findings_missing = error.what();
  }
}

}  // namespace backlash::cli
