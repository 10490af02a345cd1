// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "run_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/integrators/integrator_table.h"
#include "colour.h"
#include "table_row.h"

namespace backlash::cli {
namespace {

/// "52 (counted contact by contact), then 31 small bounces to rest that took 1e-5 J; …", and the
/// hardest.
std::string impacts_text(const RunReport& f) {
  std::string text = fmt::format("{} (counted contact by contact)", f.run.impacts);
  if (f.run.small_bounces > 0)
    text += fmt::format(", and {} small bounces that come to rest and take {:.3g} J in all",
                        f.run.small_bounces, f.run.small_bounce_loss);
  const HardestImpact& hardest = f.run.hardest;
  if (std::isnan(hardest.t)) return text;
  const bool metres = f.hardest_unit == GapUnit::metre;
  return text + fmt::format("; the hardest at t = {:.6g} s in {}: {:.4g} {}, {:.4g} {}, {:.3g} J",
                            hardest.t, f.hardest_at, hardest.speed, metres ? "m/s" : "rad/s",
                            hardest.impulse, metres ? "N s" : "N m s", hardest.energy);
}

const NamedValue* find_value(const RunDescription& run, std::string_view name) {
  const auto found = std::ranges::find(run.options, name, &NamedValue::name);
  return found == run.options.end() ? nullptr : &*found;
}

/// "moreau: solver auto, scheme midpoint, …": choices, and numbers that have no unit.
std::string method_text(const RunDescription& run) {
  const IntegratorEntry& method = find_integrator(text_of(*find_value(run, "method")));
  std::string text = method.name;
  const char* before = ": ";
  for (const OptionInfo& option : method.options) {
    const bool shown = option.kind == OptionInfo::Kind::choice ||
                       (option.kind == OptionInfo::Kind::number && option.unit.empty());
    const NamedValue* value = shown ? find_value(run, option.key) : nullptr;
    if (!value) continue;
    text += fmt::format("{}{} {}", before, option.key, text_of(*value));
    before = ", ";
  }
  return text;
}

std::string steps_text(const RunDescription& run, const RunSummary& summary) {
  std::string text = fmt::format("{} steps", summary.steps);
  const NamedValue* step = find_value(run, "step");
  if (step && std::holds_alternative<double>(step->value))
    text += fmt::format(" of {} s", text_of(*step));
  else if (step && summary.steps > 0)
    text += fmt::format(" of {:.3g} to {:.3g} s, {} rejected", summary.smallest_step,
                        summary.largest_step, summary.rejected_steps);
  if (summary.evaluations > 0)
    text += fmt::format(", {} rejected, {} evaluations of the forces", summary.rejected_steps,
                        summary.evaluations);
  return text;
}

/// Lengths and angles, of the contacts that have them, and as a part of the play.
std::string penetration_text(const RunReport& f) {
  const RunSummary& run = f.run;
  const std::string length = fmt::format("{:.3g} m", run.largest_penetration);
  const std::string angle = fmt::format("{:.3g} rad", run.largest_angular_penetration);
  std::string text = length;
  if (run.largest_angular_penetration > 0)
    text = run.largest_penetration == 0 ? angle : length + ", " + angle;
  if (!std::isnan(run.deepest.t))
    text += fmt::format("; {:.2g} % of the play of {}", 100 * run.deepest.of_play, f.deepest_at);
  return text;
}

void print_warning(const std::string& text) {
  fmt::print("  {}{:<17}{}\n", coloured("warning", Colour::warning, stdout), "", text);
}

/// What should make the user look twice.
void print_warnings(const RunReport& report) {
  const RunSummary& run = report.run;
  if (!report.warnings.empty())
    print_row("warnings", fmt::format("{} before the run, see above; also in summary.json",
                                      report.warnings.size()));
  for (const std::string& warning : report.run_warnings) print_warning(warning);
  if (run.fallback_steps > 0)
    print_row("fallback", fmt::format("{} steps that the solver did not solve were solved by auto",
                                      run.fallback_steps));
  if (run.warned_steps > 0)
    print_row(
        "warning",
        fmt::format("{} steps were taken at the shortest length, whatever their error{}",
                    run.warned_steps,
                    run.impacts > 0 ? "; contacts may begin deeper in them than the limit" : ""));
  if (!std::isnan(run.undetermined.t))
    print_row("shared forces",
              fmt::format("from t = {:.6g} s on, {} holds, by itself or with others, in more ways "
                          "than the motion determines: what its forces do together is right, how "
                          "they share it is not unique",
                          run.undetermined.t, report.undetermined_at));
  if (run.imprecise_steps > 0)
    print_row("redundant rows",
              fmt::format("{} steps, where loops or contacts are nearly redundant, were solved "
                          "less precisely than asked for",
                          run.imprecise_steps));
  if (run.jammed_steps > 0)
    print_row("jammed contacts",
              fmt::format("{} steps, where no motion does all that contacts ask for: they neither "
                          "bounced nor closed their gaps",
                          run.jammed_steps));
}

/// A load that never rose above zero has no time of its own.
std::string at_time(const PeakLoad& peak) {
  return std::isnan(peak.t) ? "throughout" : fmt::format("at t = {:.6g} s", peak.t);
}

/// What the first number of a joint's load is.
const char* load_unit(ReactionKind reaction) {
  return reaction == ReactionKind::torque ? "N m" : "N";
}

/// "B 412 N at t = 0.0123 s": the hardest loaded joints first, all of them or three.
void print_joint_loads(const RunReport& f, Verbosity verbosity) {
  std::vector<const JointLoad*> loaded;
  for (const JointLoad& joint : f.loads.joints)
    if (joint.force.value > 0) loaded.push_back(&joint);
  std::ranges::stable_sort(loaded, [](const JointLoad* a, const JointLoad* b) {
    return a->force.value > b->force.value;
  });
  constexpr std::size_t usual = 3;
  const std::size_t shown =
      verbosity == Verbosity::all ? loaded.size() : std::min(usual, loaded.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{} {:.4g} {} {}", i > 0 ? "; " : "", loaded[i]->joint,
                        loaded[i]->force.value, load_unit(loaded[i]->reaction),
                        at_time(loaded[i]->force));
  if (shown < loaded.size()) text += fmt::format("; all {} are in summary.json", loaded.size());
  if (shown > 0) print_row("peak joint forces", text);
}

/// "main: peak 3.1 N m at …, mean …; power peak …, mean …, work …".
void print_drives(const RunReport& f) {
  for (const DriveLoad& drive : f.loads.drives) {
    const char* const unit = drive.unit == GapUnit::metre ? "N" : "N m";
    print_row("drive", fmt::format("{}: {:.4g} {} {}, mean {:.4g} {}; {:.4g} W {}, mean {:.4g} W",
                                   drive.joint, drive.load.value, unit, at_time(drive.load),
                                   drive.mean_load(), unit, drive.power.value, at_time(drive.power),
                                   drive.mean_power()));
  }
}

void print_contact_load(const RunReport& f) {
  std::vector<std::string> peaks;
  const auto add = [&](const PeakContact& contact, const char* unit) {
    if (contact.force.value > 0)
      peaks.push_back(fmt::format("{:.4g} {} {} in {}", contact.force.value, unit,
                                  at_time(contact.force), contact.contact));
  };
  add(f.loads.contact, "N");
  add(f.loads.angular_contact, "N m");
  if (!peaks.empty()) print_row("peak contact force", fmt::format("{}", fmt::join(peaks, "; ")));
}

/// What only few want to know.
void print_details(const RunOutcome& outcome) {
  const RunSummary& run = outcome.report.run;
  const double steps = static_cast<double>(std::max(1L, run.steps));
  for (const NamedValue& option : outcome.description.options)
    print_row(fmt::format("option {}", option.name), text_of(option));
  for (const NamedValue& parameter : outcome.description.parameters)
    print_row(fmt::format("parameter {}", parameter.name), text_of(parameter));
  print_row("steps taken",
            fmt::format("{:.3g} to {:.3g} s, {} rejected", run.steps > 0 ? run.smallest_step : 0.0,
                        run.largest_step, run.rejected_steps));
  print_row("solver iterations", fmt::format("{} in all, {:.3g} a step", run.solver_iterations,
                                             static_cast<double>(run.solver_iterations) / steps));
  print_row("solved by auto instead", fmt::format("{} steps", run.fallback_steps));
  print_row("work of drives", fmt::format("{:.6g} J", outcome.report.end.bilaterals));
  print_row("work of forces",
            fmt::format("{:.6g} J of those without a potential", outcome.report.end.applied));
  print_row("work of dry friction", fmt::format("{:.6g} J in joints", outcome.report.end.relays));
}

void print_table(const RunOutcome& outcome, const RunTable& table) {
  const RunReport& f = outcome.report;
  const RunDescription& description = outcome.description;
  const double steps = static_cast<double>(std::max(1L, f.run.steps - table.steps_before));
  fmt::print("{}\n", description.title);
  print_row("method", method_text(description));
  for (const std::string& law : table.laws) print_row("law", law);
  print_row("time",
            fmt::format("{:.6g} … {:.6g} s in {}", f.t_start, f.t, steps_text(description, f.run)));
  print_row("impacts", impacts_text(f));
  print_contact_load(f);
  print_joint_loads(f, table.verbosity);
  print_drives(f);
  print_row("largest penetration", penetration_text(f));
  print_row("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end",
                                  f.start.mechanical(), f.end.mechanical()));
  print_row("work of contacts",
            fmt::format("{:.6g} J; dissipated {:.6g} J, {:.6g} J of it in impacts", f.end.contacts,
                        f.end.contact_loss, f.end.impact_loss));
  print_row("energy balance",
            fmt::format("{:+.3g} J made by the method itself ({:+.2g} of the energy at hand)",
                        f.made_by_method(), f.made_by_method() / f.energy_at_hand));
  if (find_value(description, "solver"))
    print_row("worst residual", fmt::format("{:.3g} (relative)", f.run.worst_residual));
  if (table.verbosity == Verbosity::all) print_details(outcome);
  print_warnings(f);
  print_row("wall time", fmt::format("{:.3g} s, {:.3g} µs per step with output", f.wall_time,
                                     f.wall_time * 1e6 / steps));
}

}  // namespace

std::string text_of(const NamedValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value.value);
}

void print_run(const RunOutcome& outcome, const RunTable& table) {
  print_table(outcome, table);
  if (!table.files.empty())
    print_row("results", fmt::format("{}: {}", table.folder, fmt::join(table.files, ", ")));
}

}  // namespace backlash::cli
