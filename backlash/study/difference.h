// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "backlash/results/run_results.h"

/// How far two runs of one mechanism are apart (theory 12).
namespace backlash {

struct DifferenceOptions {
  double tolerance = 0.01;  ///< of the range of a channel: from there on two runs disagree
  /// A difference beyond the tolerance that lasts no longer is the same impact at another time [s].
  double impact_time = 0;
};

/// One channel of two runs; the first is the reference.
struct SeriesDifference {
  std::string channel{}, unit{};
  double scale = 0;                   ///< what the tolerance is a part of: the range, as a rule
  double t_start = NAN, t_end = NAN;  ///< of the time that both runs have [s]
  double max = NAN, t_max = NAN;      ///< largest difference, and when [s]
  double rms = NAN;                   ///< root of its mean square over the time
  double last = NAN;                  ///< difference at t_end
  /// When the runs begin to disagree for good, or for longer than the impact time [s]; NaN: never.
  double t_disagree = NAN;

  bool agree() const { return std::isnan(t_disagree); }
};

/// At the rows of both; between rows values are taken in proportion. `least_scale`: noise of a
/// channel that should be constant is not measured by itself.
SeriesDifference difference(const Series& reference, const Series& other,
                            const DifferenceOptions& options, double least_scale);

/// The largest less the least value; 0 without any.
double range_of(const Series& series);

/// A billionth of the largest range among channels with the unit, and no less than the round-off of
/// what does not move: see difference().
double least_scale(const std::vector<Series>& channels, const std::string& unit);

/// `b − a` at the rows of both, in the time that both have; NaN where one of them has no value.
Series difference_series(const Series& a, const Series& b);

/// The impacts among some events that count, in the order of their times: those that approach with
/// at least a hundredth of the fastest, for bounces that come to rest are without end. Speeds tell
/// of impacts by every method; contacts whose gap is an angle are measured by each other.
std::vector<RunEvent> hard_impacts(const std::vector<RunEvent>& events);

/// Impacts of two runs, paired contact by contact.
struct ImpactMatch {
  int reference = 0, other = 0;                  ///< hard impacts of each
  int matched_reference = 0, matched_other = 0;  ///< of these, with a partner in the other run
  double largest_shift = 0;                      ///< of a pair in time [s]
  double largest_speed_difference = 0;           ///< of a pair, as a part of the faster of the two
  double t_first_unmatched = NAN;                ///< [s]; NaN: all have partners

  bool all() const { return matched_reference == reference && matched_other == other; }
};

/// Each impact at most once, with the nearest in time of the same contact, no farther than `within`
/// [s]. A hard impact may be paired with a weaker one.
ImpactMatch match_impacts(const std::vector<RunEvent>& reference,
                          const std::vector<RunEvent>& other, double within);

}  // namespace backlash
