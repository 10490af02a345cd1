// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Fewer rows of long runs, so that a page can hold them.
namespace backlash {

/// Rows of a table, in ascending order.
using Rows = std::vector<std::uint32_t>;

struct ThinningOptions {
  std::size_t points = 20000;                  ///< of one channel, at most about
  std::span<const std::uint32_t> always = {};  ///< rows that are kept whatever they hold, ascending
};

/// What was kept of a channel.
struct ThinnedRows {
  Rows rows{};
  bool every_extremum = true;  ///< else those of each of equally many rows
};

/// All rows, if they are few. Else the first and the last, those on both sides of a missing value
/// (NaN), every local extremum, and some between them; where there are too many extrema, the least
/// and the largest value of equally many rows.
ThinnedRows thinned(std::span<const double> values, const ThinningOptions& options);

/// Rows spread evenly over the time, and both rows around each of `moments` [s]; as long as they
/// are not too many, in which case some moments have none of their own.
Rows spread_rows(std::span<const double> t, std::span<const double> moments, std::size_t points);

}  // namespace backlash
