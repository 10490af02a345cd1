// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include <chrono>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/io/results/results_folder.h"
#include "interrupt.h"
#include "messages.h"
#include "progress.h"
#include "run_table.h"

namespace backlash::cli {
namespace {

/// Results are written at least this often, for those who look at them while the run goes on, and
/// for those whose run is killed.
constexpr double longest_wait = 2;  ///< [s] of wall time

/// But not brought to the disk more often than this, which takes time.
constexpr double shortest_wait = 0.1;  ///< [s] of wall time

/// Records a run, writes what was recorded from time to time, and shows how far it has come.
class ProgramObserver final : public RunRecorder {
 public:
  ProgramObserver(const OutputArguments& output, Resumable& resumable)
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
                                 .resumed = resumed,
                                 .lock = resumable_.lock ? &*resumable_.lock : nullptr});
    RunRecorder::begin(start);
    run_progress_ = &start.progress;
    steps_before_ = start.progress.summary.steps;
    if (resumed) restore_recorder(resumed->recorder, start.progress.state);
    save();
    save_checkpoint();
  }

  /// Steps that were taken before this part of a run that goes on.
  long steps_before() const { return steps_before_; }

  bool observe(const State& state, const StepResult& result) override {
    ++steps_;
    const bool finite = RunRecorder::observe(state, result);
    const bool full = (rows() > saved_ && rows() % block_ == 0) ||
                      recording().events.size() > 65536 || recording().steps.size() > 65536;
    const bool tick = ticker_.due();
    if (tick) progress_.show({t_start_, state.t, until_, steps_, ticker_.elapsed()});
    if (full)
      try_to_save(ticker_.elapsed() - flushed_at_ > shortest_wait ? Saved::resumable : Saved::rows);
    else if (tick && ticker_.elapsed() - flushed_at_ > longest_wait)
      try_to_save(Saved::resumable);
    return finite && trouble_.empty() && !interrupted();
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
      report.message += (report.message.empty() ? "" : "; ") + trouble_;
      report.status = RunStatus::failed;
    }
    if (!folder_) return;
    try {
      folder_->finish(report);
    } catch (const std::runtime_error& error) {
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
    if (!folder_) return;
    flushed_at_ = ticker_.elapsed();
    if (resumable_.call.empty()) return folder_->flush();
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
  }

  void try_to_save(Saved what) {
    try {
      save();
      if (what == Saved::resumable) save_checkpoint();
    } catch (const InputError& error) {  // a result that is no number, which the run may know of
      if (!not_finite()) trouble_ = error.what();
    } catch (const std::runtime_error& error) {
      trouble_ = error.what();
    }
  }

  const OutputArguments& output_;
  Resumable& resumable_;
  std::string run_;                            ///< digest() of its description
  const RunProgress* run_progress_ = nullptr;  ///< of the run, while it goes on
  std::optional<ResultsFolder> folder_;        ///< if something is written
  Progress progress_;
  Ticker ticker_;
  double t_start_ = 0, until_ = 0;  ///< [s]
  long block_ = 1;                  ///< rows
  long saved_ = 0;                  ///< rows
  double flushed_at_ = 0;           ///< [s] of wall time
  double elapsed_ = 0;              ///< [s] of wall time
  long steps_ = 0;
  long steps_before_ = 0;  ///< of a run that goes on
  std::string trouble_;    ///< of writing
};

/// Of this moment, in the words of ISO 8601.
std::string date_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace

int run_job(const StartRun& start, RunRequest request, const OutputArguments& output,
            const std::vector<std::string>& laws, Resumable resumable) {
  catch_interrupts();
  request.steps = output.steps;
  request.provenance = {.date = date_now(), .command = output.command};
  if (resumable.checkpoint) request.resume = resumable.checkpoint->progress;
  ProgramObserver observer(output, resumable);
  RunOutcome outcome = start(request, observer);
  RunReport& report = outcome.report;
  observer.finish(report);
  if (output.json) {
    fmt::print("{}", summary_json(outcome.description, report));
  } else if (!output.quiet) {
    print_run(outcome, {.laws = laws,
                        .folder = output.folder.string(),
                        .files = observer.files(),
                        .steps_before = observer.steps_before(),
                        .verbosity = output.verbose ? Verbosity::all : Verbosity::usual});
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
