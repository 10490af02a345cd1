// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/io/model/option_text.h"
#include "backlash/study/converge.h"
#include "commands.h"
#include "interrupt.h"
#include "model_file.h"
#include "numbers.h"
#include "picture_file.h"
#include "progress.h"
#include "simulation_arguments.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

/// JSON knows no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

std::string_view word(Divergence divergence) {
  switch (divergence) {
    case Divergence::none:
      return "none";
    case Divergence::undecided:
      return "undecided";
    case Divergence::sensitive:
      return "sensitive";
    default:
      return "discontinuous";
  }
}

Json quantity_json(const RefinedQuantity& q) {
  return {{"name", q.name},
          {"unit", q.unit},
          {"verdict", name(q.estimate.verdict)},
          {"order", number(q.estimate.order)},
          {"limit", number(q.estimate.limit)},
          {"limit_error", number(q.estimate.limit_error)},
          {"value", number(q.estimate.value)},
          {"error", number(q.estimate.error)},
          {"scale", q.scale},
          {"values", numbers(q.values)}};
}

Json level_json(const ConvergeLevel& level, const std::string& key) {
  return {{key, level.h},
          {"status", level.status},
          {"message", level.message},
          {"steps", level.steps},
          {"hard_impacts", level.impacts}};
}

std::string outcome_json(const ConvergeOutcome& out) {
  Json levels = Json::array(), quantities = Json::array(), agreements = Json::array();
  for (const ConvergeLevel& level : out.levels)
    levels.push_back(level_json(level, out.refined.key));
  for (const RefinedQuantity& q : out.quantities) quantities.push_back(quantity_json(q));
  for (const Agreement& a : out.agreements)
    agreements.push_back(
        {{"channel", a.channel}, {"until", numbers(a.until)}, {"divergence", word(a.divergence)}});
  const Json json{{"format", "backlash convergence"},
                  {"format_version", 1},
                  {"program_version", version()},
                  {"title", out.title},
                  {"method", out.method},
                  {"refined", out.refined.key},
                  {"ratio", out.refined.ratio},
                  {"tolerance", out.options.tolerance},
                  {"t_start", out.t_start},
                  {"t_end", out.t_end},
                  {"converged", out.converged()},
                  {"agree_until", number(out.agree_until)},
                  {"suggested", number(out.suggestion)},
                  {"stopped", out.stopped},
                  {"levels", levels},
                  {"quantities", quantities},
                  {"agreements", agreements}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string_view meaning(Convergence verdict) {
  switch (verdict) {
    case Convergence::exact:
      return "the same at every step";
    case Convergence::regular:
      return "converges";
    case Convergence::irregular:
      return "converges, unevenly";
    case Convergence::settled:
      return "settled, without an order";
    case Convergence::undecided:
      return "not decided by these runs";
    default:
      return "DOES NOT CONVERGE";
  }
}

/// As many digits as the error leaves, and one more.
std::string value_text(double value, double error) {
  if (!std::isfinite(value)) return "-";
  if (!(error > 0)) return fmt::format("{:.12g}", value);
  const int decimals = std::clamp(static_cast<int>(1 - std::floor(std::log10(error))), 0, 15);
  const std::string plain = fmt::format("{:.{}f}", value, decimals);
  return plain.size() <= 19 ? plain : fmt::format("{:.12g}", value);
}

std::string quantity_row(const RefinedQuantity& q) {
  const ConvergenceEstimate& e = q.estimate;
  return fmt::format(
      "  {:<36} {:>19} {:>10} {:<6} {:>5}  {}\n", q.name, value_text(e.limit, e.limit_error),
      std::isfinite(e.limit_error) ? fmt::format("± {:.1e}", e.limit_error) : "",
      q.unit == "-" ? "" : q.unit, std::isfinite(e.order) ? fmt::format("{:.2f}", e.order) : "-",
      meaning(e.verdict));
}

/// The channel whose runs part first.
const Agreement& first_to_part(const ConvergeOutcome& out) {
  return *std::ranges::min_element(out.agreements, {}, &Agreement::trusted);
}

std::string parting_text(const ConvergeOutcome& out) {
  const Agreement& first = first_to_part(out);
  if (first.divergence == Divergence::undecided)
    return fmt::format(
        "Coarser runs part at t = {:.4g} s, in {} first; the finest agree to the end. More "
        "--levels "
        "decide whether the motion converges after that time.\n",
        out.agree_until, first.channel);
  std::string text = fmt::format(
      "The motion does not converge after t = {:.4g} s: there the finest runs part, in {} "
      "first.\n",
      out.agree_until, first.channel);
  text +=
      first.divergence == Divergence::sensitive
          ? fmt::format(
                "The two coarsest runs part at {:.4g} s, finer ones later: the motion is "
                "sensitive, as chaos is,\nand each digit more buys only a little time. Later, only "
                "statistics can be compared.\n",
                first.until.front())
          : fmt::format(
                "A finer step does not move that time: the motion jumps with its data there, and "
                "the step decides which way it goes\n(impacts at the same time, grazing, a corner "
                "before the other). No step gives the answer.\n");
  return text + fmt::format(
                    "Before that time numbers can be trusted: backlash converge … --until {:.3g}\n",
                    0.9 * out.agree_until);
}

std::string closing_text(const ConvergeOutcome& out) {
  if (out.parted()) return parting_text(out);
  if (!out.converged()) return "Not every number converges: see above.\n";
  std::string text =
      fmt::format("All numbers converge, and all runs agree to the end, t = {:g} s.\n", out.t_end);
  if (std::isfinite(out.suggestion))
    text += fmt::format("Suggested: {} {} keeps the error of each below {:g} of its range.\n",
                        command_line_name(out.refined.key), out.suggestion, out.options.tolerance);
  return text;
}

std::string outcome_text(const ConvergeOutcome& out) {
  std::string text = fmt::format("{}\n", out.title);
  text += fmt::format("  {:<36} {:>10} {:>14}  {}\n",
                      "method " + out.method + ", " + out.refined.key, "steps", "hard impacts", "");
  for (const ConvergeLevel& level : out.levels)
    text += fmt::format("  {:<36} {:>10} {:>14}  {}\n", with_unit(level.h, out.refined.unit),
                        level.steps, level.impacts,
                        level.status == "done" ? "" : level.status + ": " + level.message);
  if (!out.stopped.empty()) text += fmt::format("  no finer run: {}\n", out.stopped);
  text += fmt::format("\n  {:<36} {:>19} {:>10} {:<6} {:>5}\n", "number", "limit", "error", "",
                      "order");
  for (const RefinedQuantity& q : out.quantities) text += quantity_row(q);
  return text + "\n" + closing_text(out);
}

ConvergeOptions options_of(const ConvergeArguments& a) {
  ConvergeOptions options{.channels = a.channels};
  if (a.tolerance) options.tolerance = parse_positive(*a.tolerance, "--allowed-error");
  if (a.levels) options.max_levels = parse_count(*a.levels, 4, "--levels");
  if (a.impacts) options.impacts = parse_count(*a.impacts, 0, "--first-impacts");
  options.min_levels = std::min(options.min_levels, options.max_levels);
  return options;
}

}  // namespace

int run_converge(const ConvergeArguments& a) {
  if (!a.output.empty()) require_picture_name(a.output);
  const ConvergeOptions options = options_of(a);
  Model model = read_model_with(a.model);
  apply(a.simulation, model.simulation, model.output);
  if (model.title.empty()) model.title = a.model.file.filename().string();
  catch_interrupts();
  Ticker ticker;
  Progress progress(a.json ? Progress::Wanted::no : Progress::Wanted::yes);
  long steps = 0;
  const ConvergeOutcome out = converge(model, options, [&](int, double t) {
    ++steps;
    if (ticker.due()) progress.show({0, t, model.simulation.until, steps, ticker.elapsed()});
    return !interrupted();
  });
  progress.clear();
  if (!a.output.empty() && !out.quantities.empty())
    write_picture(a.output, chart_svg(converge_charts(out)));
  fmt::print("{}", a.json ? outcome_json(out) : outcome_text(out));
  if (!a.output.empty() && a.output != "-" && !a.json) fmt::print("{}\n", a.output.string());
  if (out.quantities.empty())
    fmt::print(stderr, "backlash: nothing can be said of convergence: {}\n", out.stopped);
  return out.converged() && out.stopped != "interrupted" ? exit_done : exit_failed;
}

}  // namespace backlash::cli
