// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/archive.h"
#include "backlash/dynamics/state.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/simulate.h"

namespace backlash {

/// Watches whether the end of a run is out of reach: whether steps have become so short that more
/// than `max_steps` are left at their pace, whatever the method (theory 4.40).
class ReachWatch {
 public:
  /// `equal_step`: of the integrator [s]; steps of that length are what was asked for.
  ReachWatch(const SystemInfo& info, const SimulationOptions& simulation, double equal_step);

  /// After each step. False: the end is out of reach, see describe().
  bool accepts(const State& state, const StepResult& result);

  /// How far away it is, why, and what to change.
  std::string describe(const System& system, const StepResult& last, const RunSummary& run) const;

  void archive(Archive& a) {
    a(t_, steps_, met_, rejected_, slow_, met_before_, rejected_before_, last_met_, mean_step_,
      steps_left_, best_step_);
  }

 private:
  std::string describe_cause(const System& system, const StepResult& last,
                             const RunSummary& run) const;

  const SimulationOptions* simulation_;
  double equal_step_, max_steps_;
  long window_;                                ///< steps whose pace counts
  bool may_stop_;                              ///< an event may end the run before its end
  double t_ = NAN;                             ///< start of the window [s]
  long steps_ = 0, met_ = 0, rejected_ = 0;    ///< in it
  long slow_ = 0;                              ///< windows in a row at whose pace it is too far
  long met_before_ = 0, rejected_before_ = 0;  ///< in the last window
  ContactKey last_met_{};                      ///< if any did
  double mean_step_ = 0, steps_left_ = 0;      ///< in the last window [s]; after it
  double best_step_ = 0;                       ///< the longest of such means [s]
};

}  // namespace backlash
