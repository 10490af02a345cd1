// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backlash/draw/chart.h"
#include "backlash/results/run_results.h"

namespace backlash {

struct RunChartOptions {
  std::optional<std::string> against{};             ///< a channel in the place of the time
  std::optional<std::pair<double, double>> time{};  ///< from, to [s]; without it all
  bool impacts = false;                             ///< whether they are marked
  bool equal_scale = false;                         ///< a length along x is as long along y
};

/// Channels of a run over its time, or against another channel: one chart for each unit. Throws
/// InputError for a channel that does not exist.
ChartPage run_charts(const Results& results, const std::vector<std::string>& channels,
                     const RunChartOptions& options);

/// What a page says of a run below its title: its method, and where it ends if not as it should.
std::vector<std::string> run_notes(const Results& results);

/// What several names have in common, for the axis that they share: "gap" of left.gap and
/// right.gap, "guide.gap" of guide.gap1 and guide.gap2, "slider" of slider.x and slider.y; else
/// nothing.
std::string common_name(const std::vector<std::string>& names);

/// The value of a series at a time, between two rows in proportion; NaN outside.
double value_at(const Series& series, double t);

}  // namespace backlash
