// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backlash/check/finding.h"
#include "backlash/results/run_results.h"

/// The page that a run becomes: one file, to be looked at in a browser.
namespace backlash {

/// What a report says besides the results.
struct ReportOptions {
  std::vector<std::string> shown{};  ///< channels that it opens with; they exist
  std::vector<Finding> findings{};   ///< of the model, as check finds them
  std::string findings_missing{};    ///< why there are none, if the model could not be checked
  std::size_t points = 20000;        ///< of one channel, at most about; longer runs are thinned
  std::size_t all_points = 3000000;  ///< of all channels
};

/// Fills the page `viewer`, which has a place for the data. Throws InputError for results without
/// rows.
std::string report_page(const Results& results, const ReportOptions& options,
                        std::string_view viewer);

}  // namespace backlash
