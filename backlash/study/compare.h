// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "backlash/results/run_results.h"
#include "backlash/study/difference.h"

/// Several runs of one mechanism side by side. The first is what the others are compared with.
namespace backlash {

struct ComparedRun {
  std::string name{};
  Results results{};
};

struct CompareOptions {
  std::vector<std::string> channels{};  ///< patterns; none: motion of all bodies
  double tolerance = 0.01;              ///< of the range of a channel: see DifferenceOptions
  double impact_time = NAN;  ///< [s]; NaN: a thousandth of the time, or two rows if that is more
};

/// One run beside the first.
struct RunComparison {
  std::string name{};
  std::vector<SeriesDifference> differences{};  ///< one for each channel
  ImpactMatch impacts{};
  double agree_until = NAN;  ///< in all channels [s]
};

struct Comparison {
  std::string title{};
  std::string reference{};        ///< name of the first run
  double t_start = 0, t_end = 0;  ///< that all runs have [s]
  double tolerance = 0, impact_time = 0;
  std::vector<std::string> channels{};
  std::vector<std::string> left_out{};  ///< asked for or usual, but not in all runs
  std::vector<std::string> notes{};     ///< of each run: method, and where it ends
  std::vector<RunComparison> runs{};    ///< all but the first
};

/// Throws InputError for fewer than two runs, and for channels that the runs do not share.
Comparison compare_runs(std::span<const ComparedRun> runs, const CompareOptions& options);

/// One HTML page that needs nothing else: the numbers, and charts of the channels that differ most.
std::string comparison_page(std::span<const ComparedRun> runs, const Comparison& comparison);

}  // namespace backlash
