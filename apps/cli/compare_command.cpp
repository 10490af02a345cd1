// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "backlash/study/collect.h"
#include "backlash/study/compare.h"
#include "commands.h"
#include "interrupt.h"
#include "model_file.h"
#include "numbers.h"
#include "picture_file.h"
#include "progress.h"
#include "simulation_arguments.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

using CompareJson = nlohmann::ordered_json;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// One way to run the model.
struct Variant {
  std::string name{};
  SimulationArguments simulation{};
};

/// "method=moreau,step=1e-6".
Variant parse_variant(const std::string& text, SimulationArguments simulation) {
  for (const std::string& part : split(text)) {
    const std::size_t between = part.find('=');
    if (between == std::string::npos || between == 0)
      throw InputError(
          fmt::format("--variant: found '{}', expected options as method=moreau,step=1e-6", part));
    std::string key = part.substr(0, between);
    std::ranges::replace(key, '-', '_');
    if (key == "method")
      simulation.method = part.substr(between + 1);
    else
      simulation.options.emplace_back(key, part.substr(between + 1));
  }
  return {text, std::move(simulation)};
}

/// Each method, with each solver if it has solvers; then the variants.
std::vector<Variant> variants_of(const CompareArguments& a, const std::string& usual_method) {
  std::vector<Variant> variants;
  const std::vector<std::string> solvers = split(a.solvers);
  std::vector<std::string> methods = split(a.methods);
  if (methods.empty() && !solvers.empty()) methods.push_back(usual_method);
  for (const std::string& method : methods) {
    const bool solves = find_option(find_integrator(method).options, "solver") != nullptr;
    SimulationArguments simulation = a.simulation;
    simulation.method = method;
    if (!solves || solvers.empty()) variants.push_back({method, simulation});
    for (const std::string& solver : solvers) {
      if (!solves) break;
      Variant variant{fmt::format("{} {}", method, solver), simulation};
      variant.simulation.options.emplace_back("solver", solver);
      variants.push_back(std::move(variant));
    }
  }
  for (const std::string& text : a.variants) variants.push_back(parse_variant(text, a.simulation));
  if (variants.size() < 2)
    throw InputError(
        "what is to be compared? Name two runs, or a model with --methods, --solvers or --variant "
        "that give at least two runs");
  return variants;
}

bool is_compliant(const Model& model, const std::string& law) {
  const auto found = std::ranges::find(model.laws, law, &NamedLaw::name);
  return found != model.laws.end() && std::holds_alternative<CompliantDescription>(found->law);
}

/// A law of the command line is for the methods that have a use for it.
Model model_for(const ModelArguments& a, const std::string& method) {
  const Model whole = read_model_with(a);
  ModelArguments own = a;
  std::erase_if(own.laws, [&](const std::string& text) {
    return is_compliant(whole, parse_law_override(text).name) != (method == "compliant");
  });
  return read_model_with(own);
}

ComparedRun run_variant(const CompareArguments& a, const Variant& variant) try {
  const std::string method =
      variant.simulation.method.value_or(read_model_with(a.model).simulation.method);
  Model model = model_for(a.model, method);
  apply(variant.simulation, model.simulation, model.output);
  if (model.title.empty()) model.title = a.model.file.filename().string();
  Ticker ticker;
  Progress progress(a.json ? Progress::Wanted::no : Progress::Wanted::yes);
  long steps = 0;
  CollectedRun run = collect_run(model, [&](double t) {
    ++steps;
    if (ticker.due()) progress.show({0, t, model.simulation.until, steps, ticker.elapsed()});
    return !interrupted();
  });
  if (run.report.status == RunStatus::failed)
    fmt::print(stderr, "backlash: {}: {}\n", variant.name, run.report.message);
  return {variant.name, std::move(run.results)};
} catch (const InputError& error) {
  throw InputError(fmt::format("{}: {}", variant.name, error.what()));
}

/// What names of files differ in, as the names of the runs.
std::vector<ComparedRun> read_runs(const std::vector<std::string>& files) {
  std::vector<ComparedRun> runs;
  for (const std::string& file : files) runs.push_back({file, read_run_after_trial(file)});
  return runs;
}

bool is_model(const std::string& input) {
  const std::string ending = std::filesystem::path(input).extension();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

std::vector<ComparedRun> compared_runs(CompareArguments& a) {
  const bool wants_model = !a.methods.empty() || !a.solvers.empty() || !a.variants.empty();
  const bool has_model = std::ranges::any_of(a.inputs, is_model);
  if (!wants_model && !has_model) return read_runs(a.inputs);
  if (a.inputs.size() > 1 || !has_model)
    throw InputError("--methods, --solvers and --variant run one model: name a single .yaml file");
  a.model.file = a.inputs.front();
  catch_interrupts();
  std::vector<ComparedRun> runs;
  for (const Variant& variant : variants_of(a, read_model_with(a.model).simulation.method))
    if (!interrupted()) runs.push_back(run_variant(a, variant));
  return runs;
}

CompareJson json_number(double value) {
  return std::isfinite(value) ? CompareJson(value) : CompareJson(nullptr);
}

CompareJson json_of(const SeriesDifference& d) {
  return {{"channel", d.channel},
          {"unit", d.unit},
          {"scale", d.scale},
          {"max", json_number(d.max)},
          {"t_max", json_number(d.t_max)},
          {"rms", json_number(d.rms)},
          {"last", json_number(d.last)},
          {"t_disagree", json_number(d.t_disagree)}};
}

CompareJson json_of(const ImpactMatch& m) {
  return {{"reference", m.reference},
          {"other", m.other},
          {"matched_reference", m.matched_reference},
          {"matched_other", m.matched_other},
          {"largest_shift", m.largest_shift},
          {"largest_speed_difference", m.largest_speed_difference},
          {"t_first_unmatched", json_number(m.t_first_unmatched)}};
}

std::string comparison_json(const Comparison& c) {
  CompareJson runs = CompareJson::array();
  for (const RunComparison& run : c.runs) {
    CompareJson differences = CompareJson::array();
    for (const SeriesDifference& d : run.differences) differences.push_back(json_of(d));
    runs.push_back({{"name", run.name},
                    {"agree_until", run.agree_until},
                    {"impacts", json_of(run.impacts)},
                    {"differences", differences}});
  }
  const CompareJson json{{"format", "backlash comparison"},
                         {"format_version", 1},
                         {"program_version", version()},
                         {"title", c.title},
                         {"reference", c.reference},
                         {"t_start", c.t_start},
                         {"t_end", c.t_end},
                         {"tolerance", c.tolerance},
                         {"impact_time", c.impact_time},
                         {"left_out", c.left_out},
                         {"notes", c.notes},
                         {"runs", runs}};
  return json.dump(2, ' ', false, CompareJson::error_handler_t::replace) + "\n";
}

/// "0.064", "104"
std::string percent(double share) {
  return share < 1 ? fmt::format("{:.2g}", 100 * share) : fmt::format("{:.0f}", 100 * share);
}

std::string run_text(const RunComparison& run, const Comparison& c) {
  std::string text = fmt::format("{} beside {}: ", run.name, c.reference);
  text += run.agree_until < c.t_end ? fmt::format("agree until t = {:.5g} s\n", run.agree_until)
                                    : fmt::format("agree to the end, t = {:g} s\n", c.t_end);
  const ImpactMatch& m = run.impacts;
  if (m.reference + m.other > 0)
    text += fmt::format(
        "  hard impacts matched: {} of {} and {} of {}, at most {:.2g} s apart{}\n",
        m.matched_reference, m.reference, m.matched_other, m.other, m.largest_shift,
        m.all() ? "" : fmt::format("; first without a partner at {:.5g} s", m.t_first_unmatched));
  text += fmt::format("  {:<28} {:>12} {:>9} {:>11} {:>12} {:<6} {}\n", "channel", "largest",
                      "of range", "at t [s]", "RMS", "", "disagrees from");
  for (const SeriesDifference& d : run.differences)
    text +=
        fmt::format("  {:<28} {:>12.4g} {:>8} % {:>10.5g} {:>12.4g} {:<6} {}\n", d.channel, d.max,
                    percent(d.max / d.scale), d.t_max, d.rms, d.unit == "-" ? "" : d.unit,
                    d.agree() ? "never" : fmt::format("{:.5g} s", d.t_disagree));
  return text;
}

std::string comparison_text(const Comparison& c) {
  std::string text = c.title + "\n";
  for (const std::string& note : c.notes) text += fmt::format("  {}\n", note);
  text += fmt::format(
      "  disagreement: beyond {:g} of the range of a channel for longer than {:g} s; impacts: "
      "matched within that "
      "time\n",
      c.tolerance, c.impact_time);
  if (!c.left_out.empty())
    text += fmt::format("  {} channels are not in all runs\n", c.left_out.size());
  for (const RunComparison& run : c.runs) text += "\n" + run_text(run, c);
  return text;
}

void require_page_name(const std::filesystem::path& file) {
  if (file.empty() || file.extension() == ".html" || file.extension() == ".json") return;
  throw InputError(fmt::format("{}: a comparison is an .html or a .json file", file.string()));
}

}  // namespace

int run_compare(CompareArguments a) {
  require_page_name(a.output);
  CompareOptions options{.channels = a.channels};
  if (a.tolerance) options.tolerance = parse_positive(*a.tolerance, "--allowed-difference");
  if (a.impact_time)
    options.impact_time =
        parse_quantity(*a.impact_time, "s", {NumberRange::Kind::positive}, "--impact-time");
  const std::vector<ComparedRun> runs = compared_runs(a);
  if (interrupted()) {
    fmt::print(stderr, "backlash: interrupted\n");
    return exit_failed;
  }
  const Comparison comparison = compare_runs(runs, options);
  if (!a.output.empty())
    write_text(a.output, a.output.extension() == ".html" ? comparison_page(runs, comparison)
                                                         : comparison_json(comparison));
  fmt::print("{}", a.json ? comparison_json(comparison) : comparison_text(comparison));
  if (!a.output.empty() && !a.json) fmt::print("\n{}\n", a.output.string());
  const bool whole =
      std::ranges::none_of(runs, [](const ComparedRun& run) { return run.results.partial(); });
  return whole ? exit_done : exit_failed;
}

}  // namespace backlash::cli
