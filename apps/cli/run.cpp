// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/method.h"
#include "law_report.h"
#include "model_file.h"
#include "runner.h"

namespace backlash::cli {
namespace {

/// What the command line says goes before what the file says.
void apply(const RunArguments& a, Model& model) {
  SimulationOptions& s = model.simulation;
  s.method = a.method.value_or(s.method);
  s.solver = a.solver.value_or(s.solver);
  s.step = a.step.value_or(s.step);
  s.until = a.until.value_or(s.until);
  model.output.every = a.every.value_or(model.output.every);
}

std::vector<RecordedPoint> points_of(const Model& model, const SystemInfo& info) {
  std::vector<RecordedPoint> points;
  for (const OutputPoint& point : model.output.points) {
    int body = -1;
    for (std::size_t i = 0; i < info.bodies.size(); ++i)
      if (info.bodies[i] == point.at.body) body = static_cast<int>(i);
    points.push_back({point.name, body, Vec3(point.at.p_B.x(), point.at.p_B.y(), 0)});
  }
  return points;
}

/// What is to be remembered of how the model was run.
std::vector<NamedValue> options_of(const RunArguments& a, const Model& model) {
  const bool absolute = model.simulation.coordinates == Coordinates::absolute;
  std::vector<NamedValue> options{{"coordinates", absolute ? "absolute" : "joint"}};
  for (const LawOverride& law : laws_of(a.model)) options.push_back({"law." + law.name, law.law});
  for (const NamedLaw& named : model.laws) {
    const auto* law = std::get_if<CompliantDescription>(&named.law);
    const std::optional<double> delivered = law ? delivered_restitution(*law) : std::nullopt;
    if (!delivered) continue;
    options.push_back(
        {fmt::format("law.{}.restitution", named.name), law->restitution.value_or(1)});
    options.push_back({fmt::format("law.{}.delivered_restitution", named.name), *delivered});
  }
  return options;
}

/// What compliant laws are and deliver.
std::vector<std::string> laws_of(const Model& model) {
  std::vector<std::string> texts;
  for (const NamedLaw& law : model.laws)
    if (std::holds_alternative<CompliantDescription>(law.law))
      texts.push_back(fmt::format("{}: {}", law.name, describe_law(law)));
  return texts;
}

std::vector<NamedValue> parameters_of(const Model& model) {
  std::vector<NamedValue> values;
  for (const Parameter& parameter : model.parameters)
    values.push_back({parameter.name, parameter.value});
  return values;
}

/// Options that the chosen method has no use for are errors, not ignored.
void require_used(const RunArguments& a, const Method& method) {
  const auto* compliant = std::get_if<CompliantOptions>(&method);
  if (!compliant) return;
  if (a.step && compliant->integrator != OdeMethod::rk4)
    throw InputError(
        fmt::format("--step: the integrator {} chooses its steps; say how accurate they are to be "
                    "with simulation.relative_tolerance, or choose simulation.integrator: rk4",
                    name(compliant->integrator)));
  if (a.solver) throw InputError("--solver: the method compliant has no contact problems to solve");
}

}  // namespace

int run_run(const RunArguments& a) {
  Model model = read_model_with(a.model);
  apply(a, model);
  OutputArguments output = a.output;
  if (output.folder.empty()) output.folder = default_folder(a.model.file);
  const Assembly assembly = assemble(model);
  if (!output.quiet)
    for (const std::string& warning : assembly.report.warnings)
      fmt::print(stderr, "backlash: warning: {}\n", warning);
  const Method method = method_of(model.simulation, assembly.system->info());
  require_used(a, method);
  return run_job({.title = model.title.empty() ? a.model.file.filename().string() : model.title,
                  .system = *assembly.system,
                  .state = assembly.start,
                  .method = method,
                  .step = model.simulation.step,
                  .until = model.simulation.until,
                  .recorded = {.every = model.output.every,
                               .points = points_of(model, assembly.system->info())},
                  .laws = laws_of(model),
                  .options = options_of(a, model),
                  .model = texts_of(model, a.model.file),
                  .parameters = parameters_of(model)},
                 output);
}

}  // namespace backlash::cli
