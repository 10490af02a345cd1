// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/results/results_folder.h"
#include "interrupt.h"
#include "messages.h"
#include "progress.h"

namespace backlash::cli {
namespace {

/// Results are written at least this often, for those who look at them while the run goes on, and
/// for those whose run is killed.
constexpr double longest_wait = 2;  ///< [s] of wall time

/// Records a run, writes what was recorded from time to time, and shows how far it has come.
class ProgramObserver final : public RunRecorder {
 public:
  ProgramObserver(const OutputArguments& output, const Resumable& resumable)
      : output_(output),
        resumable_(resumable),
        progress_(output.quiet ? Progress::Wanted::no : Progress::Wanted::yes) {}

  void begin(const RunStart& start) override {
    t_start_ = start.state.t;
    until_ = start.until;
    block_ = rows_per_block(start.system.info());
    if (!output_.quiet)
      for (const std::string& warning : start.warnings) print_message("warning: " + warning);
    const Checkpoint* const resumed = resumable_.checkpoint ? &*resumable_.checkpoint : nullptr;
    run_ = digest(start.description);
    if (resumed && resumed->run != run_)
      throw InputError(
          fmt::format("the run in '{}' cannot be resumed: its model has changed since it was begun",
                      output_.folder.string()));
    if (!output_.folder.empty())
      folder_.emplace(
          output_.folder, start.system.info(), start.description,
          ResultsFolder::Options{.formats = parse_formats(output_.formats),
                                 .existing = output_.force ? Existing::replace : Existing::keep,
                                 .recorded = start.recorded,
                                 .resumed = resumed});
    RunRecorder::begin(start);
    run_progress_ = &start.progress;
    if (resumed) restore_recorder(resumed->recorder, start.progress.state);
    save();
    save_checkpoint();
  }

  bool observe(const State& state, const StepResult& result) override {
    ++steps_;
    RunRecorder::observe(state, result);
    const bool full = (rows() > saved_ && rows() % block_ == 0) ||
                      recording().events.size() > 65536 || recording().steps.size() > 65536;
    const bool tick = ticker_.due();
    if (tick) progress_.show({t_start_, state.t, until_, steps_, ticker_.elapsed()});
    if (full || (tick && ticker_.elapsed() - saved_at_ > longest_wait))
      try_to_save(Saved::resumable);
    return trouble_.empty() && !interrupted();
  }

  void end(const State& state, const StepResult* failure) override {
    progress_.clear();
    // What follows, the row of an end between two rows, is not part of a run that is resumed.
    if (trouble_.empty() && state.t < until_) try_to_save(Saved::resumable);
    RunRecorder::end(state, failure);
    if (trouble_.empty()) try_to_save(Saved::rows);
    elapsed_ = ticker_.elapsed();
  }

  /// Ends the files, with what the report says; and the report, with what became of the files.
  void finish(RunReport& report) {
    report.wall_time = elapsed_;
    if (!trouble_.empty()) {
      report.message = trouble_;
      report.status = RunStatus::failed;
    }
    if (!folder_) return;
    try {
      folder_->finish(report);
    } catch (const IoError& error) {
      if (report.message.empty()) report.message = error.what();
      report.status = RunStatus::failed;
    }
  }

  /// Names of the files; none if nothing is written.
  std::vector<std::string> files() const {
    return folder_ ? folder_->files() : std::vector<std::string>{};
  }

 private:
  enum class Saved { rows, resumable };

  void save_checkpoint() {
    if (!folder_ || resumable_.call.empty()) return;
    Checkpoint saved{.call = resumable_.call,
                     .run = run_,
                     .progress = backlash::save(*run_progress_),
                     .recorder = save_recorder()};
    folder_->checkpoint(saved);
  }

  void save() {
    if (folder_)
      folder_->write(recording());
    else
      recording().clear();
    saved_ = rows();
    saved_at_ = ticker_.elapsed();
  }

  void try_to_save(Saved what) {
    try {
      save();
      if (what == Saved::resumable) save_checkpoint();
    } catch (const std::runtime_error& error) {  // an IoError, or a result that is no number
      trouble_ = error.what();
    }
  }

  const OutputArguments& output_;
  const Resumable& resumable_;
  std::string run_;                            ///< digest() of its description
  const RunProgress* run_progress_ = nullptr;  ///< of the run, while it goes on
  std::optional<ResultsFolder> folder_;        ///< if something is written
  Progress progress_;
  Ticker ticker_;
  double t_start_ = 0, until_ = 0;  ///< [s]
  long block_ = 1;                  ///< rows
  long saved_ = 0;                  ///< rows
  double saved_at_ = 0;             ///< [s] of wall time
  double elapsed_ = 0;              ///< [s] of wall time
  long steps_ = 0;
  std::string trouble_;  ///< of writing
};

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

void print_row(const char* what, const std::string& value) {
  fmt::print("  {:<24}{}\n", what, value);
}

/// What should make the user look twice.
void print_warnings(const RunReport& report) {
  const RunSummary& run = report.run;
  if (!report.warnings.empty())
    print_row("warnings", fmt::format("{} before the run, see above; also in summary.json",
                                      report.warnings.size()));
  for (const std::string& warning : report.run_warnings) print_row("warning", warning);
  if (run.fallback_steps > 0)
    print_row("fallback", fmt::format("{} steps that the solver did not solve were solved by auto",
                                      run.fallback_steps));
  if (run.warned_steps > 0)
    print_row("warning",
              fmt::format("{} contacts began deeper than the limit, at the shortest step",
                          run.warned_steps));
  if (!std::isnan(run.undetermined.t))
    print_row("shared forces",
              fmt::format("from t = {:.6g} s on, contacts ({} is one) hold in more ways than the "
                          "motion determines: what they do together is right, how they share it "
                          "is not unique",
                          run.undetermined.t, report.undetermined_at));
  if (run.imprecise_steps > 0)
    print_row("redundant rows",
              fmt::format("{} steps, where loops or contacts are nearly redundant, were solved "
                          "less precisely than asked for",
                          run.imprecise_steps));
}

void print_table(const RunOutcome& outcome, const std::vector<std::string>& laws) {
  const RunReport& f = outcome.report;
  const RunDescription& description = outcome.description;
  const double steps = static_cast<double>(std::max(1L, f.run.steps));
  fmt::print("{}\n", description.title);
  print_row("method", method_text(description));
  for (const std::string& law : laws) print_row("law", law);
  print_row("time",
            fmt::format("{:.6g} … {:.6g} s in {}", f.t_start, f.t, steps_text(description, f.run)));
  print_row("impacts", impacts_text(f));
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
  print_warnings(f);
  print_row("wall time", fmt::format("{:.3g} s, {:.3g} µs per step with output", f.wall_time,
                                     f.wall_time * 1e6 / steps));
}

}  // namespace

std::string text_of(const NamedValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value.value);
}

int run_job(const StartRun& start, RunRequest request, const OutputArguments& output,
            const std::vector<std::string>& laws, const Resumable& resumable) {
  catch_interrupts();
  request.steps = output.steps;
  if (resumable.checkpoint) request.resume = resumable.checkpoint->progress;
  ProgramObserver observer(output, resumable);
  RunOutcome outcome = start(request, observer);
  RunReport& report = outcome.report;
  observer.finish(report);
  if (output.json) {
    fmt::print("{}", summary_json(outcome.description, report));
  } else if (!output.quiet) {
    print_table(outcome, laws);
    if (const std::vector<std::string> files = observer.files(); !files.empty())
      print_row("results", fmt::format("{}: {}", output.folder.string(), fmt::join(files, ", ")));
  }
  std::fflush(stdout);
  if (report.status == RunStatus::failed) print_message(report.message);
  if (report.status == RunStatus::interrupted)
    print_message(fmt::format("interrupted at t = {} s{}", report.t,
                              observer.files().empty() || resumable.call.empty()
                                  ? ""
                                  : fmt::format("; 'backlash run --resume {}' goes on from there",
                                                output.folder.string())));
  return report.status == RunStatus::done ? exit_done : exit_failed;
}

}  // namespace backlash::cli
