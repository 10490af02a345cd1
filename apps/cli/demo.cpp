// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/csv.h"
#include "commands.h"
#include "interrupt.h"

namespace backlash::cli {
namespace {

/// A mechanism that the program knows by heart.
struct Demo {
  const char* name;
  const char* summary;
  std::unique_ptr<System> (*make)();
  State (*start)(const System&);
  double step, until, every;  ///< unless the user says otherwise [s]
};

const std::array demos{
    Demo{"slider-crank", "slider with play in its guide, crank thrown at 150 rad/s (paper 001)",
         [] { return std::unique_ptr<System>(new SliderCrank); },
         [](const System& system) { return slider_crank_start(system); }, 1e-5, 0.1, 1e-4},
    Demo{"cam-follower", "follower of a file-cutting machine on its six-lobed cam (paper 000)",
         [] { return std::unique_ptr<System>(new CamFollower); }, cam_follower_start, 1e-4, 0.3,
         1e-4},
};

const Demo& find_demo(const std::string& name) {
  std::string names;
  for (const Demo& demo : demos) {
    if (demo.name == name) return demo;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", demo.name);
  }
  throw InputError(fmt::format("demo '{}' does not exist; there are: {}", name, names));
}

ForceVelocity parse_force_velocity(const std::string& text) {
  if (text == "start") return ForceVelocity::start;
  if (text == "midpoint") return ForceVelocity::midpoint;
  throw InputError(fmt::format("--force-velocity must be start or midpoint, is '{}'", text));
}

/// What the summary tells, once the run is over.
struct Report {
  RunSummary run;
  EnergyLedger start, end;
  double t = 0;          ///< reached [s]
  double wall_time = 0;  ///< [s], with output
  bool interrupted = false;
  std::string trouble;  ///< empty if there was none

  double imbalance() const { return energy_imbalance(start, end); }
};

std::string describe_trouble(const StepResult& result, const System& system, double t) {
  std::string text = fmt::format("the step from t = {} s failed: {}", t, name(result.status));
  if (result.status == StepStatus::contact_not_solved)
    text += fmt::format(" (relative residual {:.3g}, {} after {} iterations)",
                        result.relative_residual, name(result.solver_status), result.iterations);
  if (result.element >= 0 && result.status == StepStatus::not_finite)
    text += fmt::format(" ({})",
                        system.info().velocity_names[static_cast<std::size_t>(result.element)]);
  return text;
}

Report run(const System& system, State& state, Moreau& integrator, const DemoArguments& a,
           std::optional<CsvWriter>& writer) {
  constexpr std::size_t block = 1 << 16;  // numbers between two writes
  Report report;
  report.start = energy_ledger(system, state);
  Recorder recorder(system, state, *a.every);
  const auto begin = std::chrono::steady_clock::now();
  const auto save = [&] {
    writer ? writer->write(recorder.recording()) : recorder.recording().clear();
  };
  report.run = simulate(integrator, state, *a.step, *a.until,
                        [&](const State& now, const StepResult& result) {
                          recorder.observe(now, result);
                          if (recorder.recording().states.size() > block) save();
                          return !interrupted();
                        });
  recorder.finish(state);
  save();
  report.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.end = energy_ledger(system, state);
  report.t = state.t;
  report.interrupted = interrupted();
  return report;
}

void print_table(const Demo& demo, const DemoArguments& a, const Report& r) {
  const EnergyLedger &start = r.start, &end = r.end;
  const auto row = [](const char* what, const std::string& value) {
    fmt::print("  {:<24}{}\n", what, value);
  };
  fmt::print("{}: {}\n", demo.name, demo.summary);
  row("method",
      fmt::format("Moreau midpoint, force velocity {}, solver {}", a.force_velocity, a.solver));
  row("time", fmt::format("0 … {:.6g} s in {} steps of {:g} s", r.t, r.run.steps, *a.step));
  row("impacts", fmt::format("{} (counted contact by contact)", r.run.impacts));
  row("largest penetration", fmt::format("{:.3g} m", r.run.largest_penetration));
  row("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end", start.mechanical(),
                            end.mechanical()));
  row("work of contacts", fmt::format("{:.6g} J; dissipated {:.6g} J, {:.6g} J of it in impacts",
                                      end.contacts, end.contact_loss, end.impact_loss));
  row("energy balance", fmt::format("{:+.3g} J made by the method itself ({:+.2g} of the energy "
                                    "at the start)",
                                    r.imbalance(), r.imbalance() / start.mechanical()));
  row("worst residual", fmt::format("{:.3g} (relative)", r.run.worst_residual));
  row("wall time", fmt::format("{:.3g} s, {:.3g} µs a step with output", r.wall_time,
                               r.wall_time * 1e6 / static_cast<double>(std::max(1L, r.run.steps))));
  if (!a.output.empty())
    row("results",
        fmt::format("{0}/states.csv, {0}/contacts.csv, {0}/events.csv", a.output.string()));
}

void print_json(const Demo& demo, const DemoArguments& a, const Report& r) {
  const nlohmann::ordered_json json{
      {"demo", demo.name},
      {"solver", a.solver},
      {"force_velocity", a.force_velocity},
      {"step", *a.step},
      {"t", r.t},
      {"steps", r.run.steps},
      {"impacts", r.run.impacts},
      {"largest_penetration", r.run.largest_penetration},
      {"worst_residual", r.run.worst_residual},
      {"energy_start", r.start.mechanical()},
      {"energy_end", r.end.mechanical()},
      {"contact_work", r.end.contacts},
      {"contact_loss", r.end.contact_loss},
      {"impact_loss", r.end.impact_loss},
      {"energy_imbalance", r.imbalance()},
      {"wall_time", r.wall_time},
      {"status", r.trouble.empty() ? (r.interrupted ? "interrupted" : "done") : r.trouble},
  };
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

std::string list_demos() {
  std::string text;
  for (const Demo& demo : demos) text += fmt::format("\n  {}: {}", demo.name, demo.summary);
  return text;
}

int run_demo(DemoArguments a) {
  const Demo& demo = find_demo(a.name);
  a.step = a.step.value_or(demo.step);
  a.until = a.until.value_or(demo.until);
  a.every = a.every.value_or(demo.every);
  const std::unique_ptr<System> system = demo.make();
  State state = demo.start(*system);
  validate_run(state.t, *a.step, *a.until);
  MoreauOptions options;
  options.solver = a.solver;
  options.solver_options.tolerance = a.tolerance;
  options.force_velocity = parse_force_velocity(a.force_velocity);
  Moreau integrator(*system, options);
  std::optional<CsvWriter> writer;
  if (!a.output.empty())
    writer.emplace(a.output, system->info(),
                   a.force ? CsvWriter::Existing::replace : CsvWriter::Existing::keep);

  catch_interrupts();
  Report report = run(*system, state, integrator, a, writer);
  if (report.run.status != StepStatus::done)
    report.trouble = describe_trouble(integrator.last_result(), *system, state.t);
  if (a.json)
    print_json(demo, a, report);
  else if (!a.quiet)
    print_table(demo, a, report);
  if (!report.trouble.empty()) fmt::print(stderr, "backlash: {}\n", report.trouble);
  if (report.interrupted) fmt::print(stderr, "backlash: interrupted at t = {} s\n", state.t);
  return report.trouble.empty() && !report.interrupted ? exit_done : exit_failed;
}

}  // namespace backlash::cli
