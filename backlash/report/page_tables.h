// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "backlash/report/page_data.h"
#include "backlash/report/thinning.h"
#include "backlash/results/run_results.h"

/// The parts of a report's page.
namespace backlash::page {

/// Which row of the contacts' table belongs to which row of the states'.
struct ContactRows {
  Rows states{};                 ///< for each row of the contacts
  std::vector<Rows> contacts{};  ///< for each contact its rows of the contacts' table
};
ContactRows contact_rows(const Results& results);

/// All channels, thinned, and the times that they share.
nlohmann::ordered_json channels_json(const Results& results, const ContactRows& contacts,
                                     const ThinningOptions& options, PageNumbers& numbers);

/// Where bodies and contacts are, for the player.
nlohmann::ordered_json frames_json(const Results& results, const ContactRows& contacts,
                                   std::size_t points, PageNumbers& numbers);

nlohmann::ordered_json events_json(const Results& results, PageNumbers& numbers);

/// When contacts stuck and slid.
nlohmann::ordered_json intervals_json(const Results& results, const ContactRows& contacts);

/// Of the impacts [s], ascending.
std::vector<double> impact_times(const Results& results);

/// The rows around impacts, as far as they are few.
Rows rows_around_impacts(const Results& results, std::size_t most);

}  // namespace backlash::page
