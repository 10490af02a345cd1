// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/check/check.h"
#include "backlash/integrators/integrator_table.h"
#include "findings.h"
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

/// Fewer than the run itself has, for it takes them again.
long trial_steps(const SimulationOptions& simulation) {
  constexpr double share = 0.02, least = 20, most = 2000;
  const double step = equal_step(simulation);
  const double steps = step > 0 ? simulation.until / step : most / share;
  return static_cast<long>(std::clamp(share * steps, least, most));
}

/// What `check` says, as far as it warns: errors the run finds itself.
void add_findings(const Model& model, RunRequest& request) {
  const CheckReport report = check(model, {.trial_steps = trial_steps(model.simulation)});
  request.unstable_step = report.unstable_step;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::warning)
      request.warnings.push_back(without_severity(finding));
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
  add_findings(model, request);
  const auto start = [&](const RunRequest& whole, RunObserver& observer) {
    return run(model, whole, observer);
  };
  return run_job(start, request, output, law_lines(model));
}

}  // namespace backlash::cli
