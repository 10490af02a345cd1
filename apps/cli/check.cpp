// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/draw/drawing.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/io/results/atomic_file.h"
#include "commands.h"
#include "estimate.h"
#include "findings.h"
#include "law_report.h"
#include "messages.h"
#include "model_file.h"
#include "numbers.h"
#include "rest_report.h"
#include "simulation_arguments.h"
#include "table_row.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string> names_of(const std::vector<BilateralInfo>& rows) {
  std::vector<std::string> names;
  for (const BilateralInfo& row : rows) names.push_back(row.name);
  return names;
}

std::string counted(int n, const char* one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

void print(const Finding& f) {
  fmt::print("{}\n", one_line(f, stdout));
  if (!f.advice.empty()) fmt::print("    {}\n", f.advice);
}

/// The gap that is least, or deepest.
std::string describe_contacts(const CheckReport& report) {
  const System& system = *report.assembly.system;
  if (system.info().contacts.empty()) return "none";
  if (report.contacts.empty()) return "none that is near at the start";
  std::vector<std::string> least;  // lengths and angles do not compare
  for (const GapUnit unit : {GapUnit::metre, GapUnit::radian}) {
    const ContactFrame* nearest = nullptr;
    for (const ContactFrame& contact : report.contacts)
      if (system.info().contacts[static_cast<std::size_t>(contact.key.pair)].unit == unit &&
          (!nearest || contact.gap < nearest->gap))
        nearest = &contact;
    if (!nearest) continue;
    const bool rounding = std::abs(nearest->gap) < 1e-12 * system.info().length;
    least.push_back(fmt::format("{:.4g} {} ({})", rounding ? 0 : nearest->gap, name(unit),
                                system.contact_name(nearest->key)));
  }
  return fmt::format("{}; at the start the least gap is {}", report.contacts.size(),
                     fmt::join(least, " and "));
}

std::string describe_moves(const std::vector<Adjustment>& adjusted) {
  std::vector<std::string> moves;
  for (const Adjustment& change : adjusted)
    moves.push_back(fmt::format("{} {:.6g} → {:.6g}", change.coordinate, change.from, change.to));
  return listed(moves);
}

void print_figures(const Model& model, const CheckReport& report) {
  const AssemblyReport& a = report.assembly.report;
  const SystemInfo& info = report.assembly.system->info();
  print_row("bodies", fmt::format("{}: {}", a.bodies, listed(info.bodies)));
  const auto drives =
      std::ranges::count_if(model.joints, [](const Joint& j) { return j.drive.has_value(); });
  print_row("degrees of freedom",
            fmt::format("{} by counting (Grübler), {} by the rank of the constraints{}",
                        a.dofs_by_counting, a.dofs,
                        drives > 0 ? fmt::format("; {} of them driven", drives) : ""));
  print_row("coordinates",
            fmt::format("{}: {}", info.position_names.size(), listed(info.position_names)));
  print_row("loops closed by", listed(a.loops));
  print_row("redundant constraints", listed(names_of(a.redundant)));
  print_row("moved to close them", describe_moves(a.adjusted));
  if (a.rest) {
    print_row(
        "begins at rest",
        fmt::format("found in {} iterations; {}; moved to it {}", a.rest->equilibrium.iterations,
                    describe_stability(report.assembly), describe_moves(a.rest->moved)));
    print_row("carried by", describe_loads(report.assembly));
  }
  print_row("contacts", describe_contacts(report));
  const LawUses uses{model, report};
  for (const NamedLaw& law : model.laws)
    print_row(fmt::format("law {}", law.name), describe_law(law, &uses));
  print_row("fastest free motion",
            report.fastest_rate > 0
                ? fmt::format("{:.4g} 1/s: {:.3g} in a step (stable below 2)", report.fastest_rate,
                              report.fastest_rate * report.trial.step)
                : std::string("none"));
  const bool automatic = model.simulation.method == "moreau" && equal_step(model.simulation) == 0;
  print_row("first steps",
            fmt::format("{} of {}{:g} s, to t = {:g} s of {:g} s{}", report.trial.steps,
                        automatic ? "up to " : "", report.trial.step, report.trial.t,
                        model.simulation.until,
                        report.impacts.empty() ? "" : "; compliant contacts counted as rigid"));
}

void print_report(const CheckArguments& a, const Model& model, const CheckReport& report,
                  const RunEstimate& estimate) {
  fmt::print("{}: {}\n", a.model.file.string(), model.title.empty() ? "no title" : model.title);
  if (report.assembly.system) print_figures(model, report);
  if (estimate.known) print_row("the whole run", describe(estimate));
  for (const Finding& finding : report.findings) print(finding);
  fmt::print("{}, {}, {}\n", counted(count(report, Severity::error), "error"),
             counted(count(report, Severity::warning), "warning"),
             counted(count(report, Severity::note), "note"));
}

Json findings_json(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& f : findings)
    json.push_back({{"severity", name(f.severity)},
                    {"item", f.item},
                    {"file", f.where.file},
                    {"line", f.where.line},
                    {"column", f.where.column},
                    {"path", f.where.path},
                    {"message", f.message},
                    {"advice", f.advice}});
  return json;
}

Json assembly_json(const CheckReport& report) {
  const AssemblyReport& a = report.assembly.report;
  Json contacts = Json::array(), adjusted = Json::array();
  const SystemInfo& info = report.assembly.system->info();
  for (const ContactFrame& contact : report.contacts)
    contacts.push_back(
        {{"name", report.assembly.system->contact_name(contact.key)},
         {"gap", contact.gap},
         {"unit", name(info.contacts[static_cast<std::size_t>(contact.key.pair)].unit)}});
  for (const Adjustment& change : a.adjusted)
    adjusted.push_back(
        {{"coordinate", change.coordinate}, {"from", change.from}, {"to", change.to}});
  Json json{{"bodies", info.bodies},
            {"coordinates", info.position_names},
            {"degrees_of_freedom_by_counting", a.dofs_by_counting},
            {"degrees_of_freedom", a.dofs},
            {"loops", a.loops},
            {"redundant", names_of(a.redundant)},
            {"adjusted", adjusted},
            {"contacts", contacts},
            {"impacts", impacts_json(report)},
            {"fastest_rate", report.fastest_rate},
            {"trial", {{"steps", report.trial.steps}, {"t", report.trial.t}}}};
  if (a.rest) json["rest"] = rest_json(report.assembly);
  return json;
}

void print_json(const Model& model, const CheckReport& report, const RunEstimate& estimate) {
  Json json{{"format", "backlash check"},
            {"format_version", 1},
            {"program_version", version()},
            {"title", model.title},
            {"can_run", count(report, Severity::error) == 0}};
  if (report.assembly.system) {
    json["assembly"] = assembly_json(report);
    json["laws"] = laws_json({model, report});
  }
  if (estimate.known)
    json["estimate"] = {{"steps", estimate.steps},
                        {"wall_time", estimate.wall_time},
                        {"rows", estimate.rows},
                        {"bytes", estimate.bytes}};
  json["findings"] = findings_json(report.findings);
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void draw(const CheckArguments& a, const Model& model, const Assembly& assembly) {
  const double factor = a.exaggerate ? parse_exaggeration(*a.exaggerate) : 1;
  PartFile out(a.drawing);
  out.append(mechanism_drawing(model, *assembly.system, assembly.start, factor));
  out.publish();
}

Finding finding_of(const InputError& error) {
  return {.severity = Severity::error, .where = error.where(), .message = error.message()};
}

/// Errors that concern no line of their own are those of how the model is to be computed.
void place_errors(const CheckArguments& a, const Model& model, std::vector<Finding>& findings) {
  const SourceLocation& simulation = model.simulation.where;
  for (Finding& finding : findings) {
    if (finding.severity != Severity::error || !finding.where.file.empty()) continue;
    finding.where = simulation;
    if (simulation.file.empty())
      finding.where = {.file = a.model.file.string(), .line = 1, .column = 1};
  }
}

/// Reads the model; if that is not possible, what is wrong with it, each with its place, for JSON.
std::vector<Finding> read(const CheckArguments& a, Model& model) {
  try {
    model = read_model_with(a.model);
    apply(a.simulation, model.simulation, model.output);
    return {};
  } catch (const ModelFileError& error) {
    if (!a.json) throw;
    std::vector<Finding> findings;
    for (const InputError& each : error.errors()) findings.push_back(finding_of(each));
    return findings;
  } catch (const InputError& error) {
    if (!a.json) throw;
    return {finding_of(error)};
  } catch (const std::runtime_error& error) {  // it cannot be read at all
    if (!a.json) throw;
    return {{.severity = Severity::error, .message = error.what()}};
  }
}

}  // namespace

int run_check(const CheckArguments& a) {
  if (!a.drawing.empty() && a.drawing.extension() != ".svg")
    throw InputError(fmt::format("--draw {}: the name must end with .svg", a.drawing.string()));
  Model model;
  CheckReport report;
  report.findings = read(a, model);
  place_errors(a, model, report.findings);
  if (!report.findings.empty()) {
    print_json({}, report, {});
    return exit_wrong_input;
  }
  report = check(model);
  const bool right = count(report, Severity::error) == 0;
  const RunEstimate estimate = right ? estimate_run(model) : RunEstimate{};
  if (estimate.refusal) report.findings.push_back(finding_of(*estimate.refusal));
  place_errors(a, model, report.findings);
  const bool can_run = right && !estimate.refusal;
  if (a.json)
    print_json(model, report, estimate);
  else
    print_report(a, model, report, estimate);
  const Assembly& drawn = report.assembly.system ? report.assembly : report.attempt;
  if (!a.drawing.empty() && !drawn.system)
    throw InputError(
        fmt::format("{} was not drawn: the model cannot be put together", a.drawing.string()));
  if (!a.drawing.empty()) draw(a, model, drawn);
  if (!a.drawing.empty() && !report.assembly.system)
    print_message(
        fmt::format("{} shows how near the joints come to each other", a.drawing.string()));
  return can_run ? exit_done : exit_wrong_input;
}

}  // namespace backlash::cli
