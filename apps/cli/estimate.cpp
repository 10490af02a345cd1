// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/results/columns.h"
#include "backlash/run/run.h"

namespace backlash::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_trial = 0.03;  ///< [s] of wall time

/// Bytes that a number takes in both files, as measured: 11 as text, with its comma, and 3 of the 8
/// that are compressed.
constexpr double bytes_per_number = 14;

/// Records a run for a moment, and counts.
class TrialObserver final : public RunRecorder {
 public:
  void begin(const RunStart& start) override {
    t_start_ = t_ = start.state.t;
    rows_ = start.description.expected_rows;
    contact_columns_ = static_cast<double>(contact_columns(start.system.info()).size());
    RunRecorder::begin(start);
    const SystemInfo& info = start.system.info();
    require_finite(recording(), info, state_channels(info, start.recorded),
                   recording().new_contacts);
    count();
    begun_ = Clock::now();
  }

  bool observe(const State& state, const StepResult& result) override {
    const bool finite = RunRecorder::observe(state, result);
    ++steps_;
    t_ = state.t;
    count();
    return finite && elapsed() < longest_trial;
  }

  RunEstimate estimate(double until) const {
    const double passed = t_ - t_start_, whole = until - t_start_;
    if (!(passed > 0)) return {};
    RunEstimate e{.steps = std::round(steps_ * whole / passed),
                  .wall_time = elapsed() * whole / passed,
                  .rows = rows_ > 0 ? rows_ : static_cast<double>(rows()) * whole / passed,
                  .known = true};
    e.bytes = bytes_per_number * numbers_ / static_cast<double>(rows()) * e.rows;
    return e;
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  void count() {
    numbers_ += static_cast<double>(recording().states.size()) +
                contact_columns_ * static_cast<double>(recording().contacts.size());
    recording().clear();
  }

  double t_start_ = 0, t_ = 0;  ///< [s]
  double steps_ = 0, rows_ = 0, contact_columns_ = 0, numbers_ = 0;
  Clock::time_point begun_{};
};

std::string in_words(double seconds) {
  if (seconds < 100) return fmt::format("{:.1g} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1g} h", seconds / 3600);
}

std::string size_in_words(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", std::max(1.0, std::round(bytes / 1e3)));
  return bytes < 1e9 ? fmt::format("{:.2g} MB", bytes / 1e6)
                     : fmt::format("{:.3g} GB", bytes / 1e9);
}

}  // namespace

RunEstimate estimate_run(const Model& model) {
  TrialObserver observer;
  try {
    run(model, {}, observer);
  } catch (const InputError& error) {
    return {.refusal = error};
  }
  RunEstimate estimate = observer.estimate(model.simulation.until);
  const double step = equal_step(model.simulation);
  estimate.equal_steps = step > 0;
  if (estimate.equal_steps) estimate.steps = std::ceil(model.simulation.until / step * (1 - 1e-12));
  return estimate;
}

std::string describe(const RunEstimate& e) {
  if (!e.known) return "not known";
  return fmt::format("{}{:.0f} steps, about {}; {:.0f} rows, about {} of results",
                     e.equal_steps ? "" : "about ", e.steps, in_words(e.wall_time), e.rows,
                     size_in_words(e.bytes));
}

}  // namespace backlash::cli
