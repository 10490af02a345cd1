// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/item_error.h"
#include "backlash/results/recorder.h"
#include "backlash/results/run_description.h"
#include "backlash/run/run_progress.h"

namespace backlash {

/// A run that is about to take its first step.
struct RunStart {
  const System& system;  ///< lives as long as the run
  const State& state;    ///< at the start, also of a run that is resumed
  double until = 0;      ///< [s]
  const RunDescription& description;
  const RecorderOptions& recorded;           ///< what the user wants to see of it
  const std::vector<std::string>& warnings;  ///< of checks and assembly
  /// How far it has come, as it goes on: whoever saves it may resume the run (RunRequest).
  const RunProgress& progress;
};

/// Who watches a run. Nothing that it does changes the motion.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  virtual void begin(const RunStart&) {}

  /// When it wants to know the next state at the latest [s], see StepLimits; −∞: after every step.
  virtual double due() const { return INFINITY; }

  /// After each step. False ends the run.
  virtual bool observe(const State&, const StepResult&) { return true; }

  /// After the last one; `failure` is the step that failed, or null.
  virtual void end(const State&, const StepResult* /*failure*/) {}

  /// What it recorded that is no number, if it looked: it ends the run.
  virtual std::optional<NotFiniteRow> not_finite() const { return {}; }

  /// The largest loads of the run, if it looked at them; part of the report.
  virtual RunLoads loads() const { return {}; }

  /// Quantities of the model that were not defined in some rows, likewise.
  virtual std::vector<UndefinedQuantity> undefined_quantities() const { return {}; }
};

/// Keeps what the user wants to see of a run.
class RunRecorder : public RunObserver {
 public:
  void begin(const RunStart& start) override {
    recorder_.emplace(start.system, start.state, start.recorded);
    const std::optional<NotFiniteRow> row = not_finite();
    if (row) throw ItemError(row->source.value_or(Origin{}), row->text);
  }
  double due() const override { return recorder_->due(); }
  bool observe(const State& state, const StepResult& result) override {
    recorder_->observe(state, result);
    return !recorder_->not_finite();
  }
  void end(const State& state, const StepResult* failure) override {
    if (failure) recorder_->observe_failure(*failure);
    recorder_->finish(state);
  }

  std::optional<NotFiniteRow> not_finite() const override {
    return recorder_ ? recorder_->not_finite() : std::nullopt;
  }

  RunLoads loads() const override { return recorder_ ? recorder_->loads() : RunLoads{}; }

  std::vector<UndefinedQuantity> undefined_quantities() const override {
    return recorder_ ? recorder_->undefined_quantities() : std::vector<UndefinedQuantity>{};
  }

  /// What it remembers, and back: see Recorder.
  std::string save_recorder() const {
    require_begun();
    return recorder_->save();
  }
  void restore_recorder(const std::string& bytes, const State& state) {
    require_begun();
    recorder_->restore(bytes, state);
  }

  /// What was recorded and not yet taken; who takes it clears it.
  Recording& recording() {
    require_begun();
    return recorder_->recording();
  }
  /// Times of output so far, the start among them.
  long rows() const { return recorder_ ? recorder_->rows() : 0; }

 private:
  void require_begun() const {
    if (!recorder_) throw InputError("nothing is recorded before a run has begun");
  }

  std::optional<Recorder> recorder_;  ///< from the start of the run on
};

}  // namespace backlash
