// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backlash/draw/chart.h"
#include "backlash/model/model.h"
#include "backlash/study/convergence.h"
#include "backlash/study/difference.h"

/// Runs of one model with finer and finer steps, and what they show of its numbers.
namespace backlash {

struct ConvergeOptions {
  std::vector<std::string> channels{};  ///< patterns; none: positions of joints, or of bodies
  double tolerance = 1e-3;              ///< of the range of a channel: error that is allowed
  int min_levels = 5, max_levels = 8;   ///< how many runs, at least and at most
  int impacts = 3;                      ///< times of so many first impacts are looked at
};

/// What is made finer from run to run.
struct RefinedOption {
  std::string key{};   ///< "step", "step_tolerance" or "relative_tolerance"
  std::string unit{};  ///< "s"; empty: a part
  double first = 0;    ///< of the coarsest run
  double ratio = 2;    ///< of each to the next
};

/// A number that every run gives.
struct RefinedQuantity {
  std::string name{};  ///< "slider.x at the end", "largest slider.vx", "time of impact 1"
  std::string unit{};
  std::string channel{};         ///< where it comes from; empty: impacts, energy
  double scale = 1;              ///< what the tolerance is a part of
  std::vector<double> values{};  ///< one for each run
  ConvergenceEstimate estimate{};
};

enum class Divergence {
  none,          ///< the finest runs agree to the end
  undecided,     ///< so do the finest two pairs, but not yet three
  sensitive,     ///< finer runs agree for longer: errors grow as they do in chaos
  discontinuous  ///< they part at one time, however fine: the motion jumps there with its data
};

/// How long runs of successive levels agree, in one channel.
struct Agreement {
  std::string channel{};
  std::vector<double> until{};  ///< for each pair of levels; the end of the run: to the end [s]
  double trusted = 0;           ///< until when the finest runs agree [s]
  Divergence divergence = Divergence::none;
};

struct ConvergeLevel {
  double h = 0;  ///< the refined option
  std::string status{}, message{};
  long steps = 0;
  int impacts = 0;
};

struct ConvergeOutcome {
  std::string title{}, method{};
  RefinedOption refined{};
  ConvergeOptions options{};
  double t_start = 0, t_end = 0;  ///< [s]
  double impact_time = 0;         ///< see DifferenceOptions [s]
  std::vector<ConvergeLevel> levels{};
  std::vector<RefinedQuantity> quantities{};
  std::vector<Agreement> agreements{};
  double agree_until = NAN;  ///< in all channels, of the finest runs [s]
  double suggestion = NAN;   ///< of the refined option; NaN: there is none
  std::string stopped{};     ///< why there are no more levels, if they were wanted

  /// Whether every number has a limit.
  bool converged() const;
  /// Whether the runs part before the end.
  bool parted() const { return agree_until < t_end; }
};

/// Told the level and the time reached [s]; false ends the study with the levels that are done.
using ConvergeWatch = std::function<bool(int level, double t)>;

/// Halves the step, or divides the tolerance of a method with variable steps by ten, until all
/// numbers are known to the tolerance. Throws InputError for what is wrong with the model or the
/// options.
ConvergeOutcome converge(const Model& model, const ConvergeOptions& options,
                         const ConvergeWatch& watch = {});

/// Differences and errors over the step, log–log, and how long the runs agree.
ChartPage converge_charts(const ConvergeOutcome& outcome);

}  // namespace backlash
