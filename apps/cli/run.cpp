// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "law_report.h"
#include "model_file.h"
#include "runner.h"
#include "simulation_arguments.h"

namespace backlash::cli {
namespace {

/// What compliant laws are and deliver.
std::vector<std::string> law_lines(const Model& model) {
  std::vector<std::string> lines;
  for (const NamedLaw& law : model.laws)
    if (std::holds_alternative<CompliantDescription>(law.law))
      lines.push_back(fmt::format("{}: {}", law.name, describe_law(law)));
  return lines;
}

}  // namespace

int run_run(const RunArguments& a) {
  Model model = read_model_with(a.model);
  apply(a.simulation, model.simulation, model.output);
  if (model.title.empty()) model.title = a.model.file.filename().string();
  OutputArguments output = a.output;
  if (output.folder.empty()) output.folder = default_folder(a.model.file);
  RunRequest request{.texts = texts_of(model, a.model.file)};
  for (const LawOverride& law : laws_of(a.model))
    request.options.push_back({"law." + law.name, law.law});
  const auto start = [&](const RunRequest& whole, RunObserver& observer) {
    return run(model, whole, observer);
  };
  return run_job(start, request, output, law_lines(model));
}

}  // namespace backlash::cli
