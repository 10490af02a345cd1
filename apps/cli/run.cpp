// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/archive.h"
#include "backlash/base/input_error.h"
#include "backlash/check/check.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/results/read_run.h"
#include "findings.h"
#include "law_report.h"
#include "model_file.h"
#include "runner.h"
#include "simulation_arguments.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

void archive_call(Archive& a, RunArguments& call, std::filesystem::path& folder) {
  const auto pass = [&](std::filesystem::path& path) {
    std::string text = path.string();
    a(text);
    path = text;
  };
  std::vector<std::string> include_from(call.model.include_from.begin(),
                                        call.model.include_from.end());
  pass(folder);
  pass(call.model.file);
  a(call.model.set, call.model.laws, include_from);
  call.model.include_from.assign(include_from.begin(), include_from.end());
  SimulationArguments& s = call.simulation;
  a(s.method, s.options, s.until, s.every, s.energy_error, s.coordinates, s.initial_penetration);
  a(call.output.formats, call.output.steps);
}

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
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::warning)
      request.warnings.push_back(without_severity(finding));
}

/// All that a run depends on, and the folder that its paths are relative to.
std::string save_call(RunArguments call) {
  std::filesystem::path here = std::filesystem::current_path();
  Archive archive;
  archive_call(archive, call, here);
  return archive.bytes();
}

/// The call that began a run, in the folder where that was; what is printed is up to this one.
RunArguments resumed_call(const RunArguments& now, const std::string& saved) {
  RunArguments call;
  std::filesystem::path there;
  Archive archive(saved);
  archive_call(archive, call, there);
  archive.require_end();
  if (call.model.file == "-")
    throw InputError(fmt::format(
        "the model of the run in '{}' came through standard input: it cannot be resumed",
        now.resume.string()));
  call.output.folder = std::filesystem::absolute(now.resume);
  call.output.command = now.output.command;
  call.output.quiet = now.output.quiet;
  call.output.verbose = now.output.verbose;
  call.output.json = now.output.json;
  std::error_code gone;
  std::filesystem::current_path(there, gone);
  if (gone)
    throw InputError(fmt::format("the run in '{}' was begun in the folder '{}', which is gone",
                                 now.resume.string(), there.string()));
  return call;
}

/// A call that resumes a run says nothing else of it.
void require_only_resume(const RunArguments& a) {
  const SimulationArguments& s = a.simulation;
  if (a.model.file.empty() && a.model.set.empty() && a.model.laws.empty() &&
      a.model.include_from.empty() && !s.method && s.options.empty() && !s.until && !s.every &&
      !s.energy_error && !s.coordinates && !s.initial_penetration && a.output.folder.empty() &&
      !a.output.force && !a.output.steps)
    return;
  throw InputError(
      "--resume goes on with the model and the options that the run had; leave out all others but "
      "--quiet and --json");
}

int run_model(const RunArguments& a, Resumable resumable) {
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
  return run_job(start, request, output, law_lines(model), std::move(resumable));
}

}  // namespace

int run_run(const RunArguments& a) {
  if (a.resume.empty()) {
    if (a.model.file.empty()) throw InputError("MODEL is required (see 'backlash run --help')");
    return run_model(a, {.call = save_call(a)});
  }
  require_only_resume(a);
  read_checkpoint(a.resume);  // where there is none, nothing is locked
  // What is read from now on is nobody else's: another may have gone on with the run meanwhile.
  Resumable resumable{.lock = FolderLock(std::filesystem::absolute(a.resume))};
  resumable.checkpoint = read_checkpoint(a.resume);
  resumable.call = resumable.checkpoint->call;
  try_reading(a.resume, [&] { read_run(a.resume); });
  const RunArguments call = resumed_call(a, resumable.call);
  return run_model(call, std::move(resumable));
}

}  // namespace backlash::cli
