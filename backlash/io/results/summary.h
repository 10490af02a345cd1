// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/results/run_description.h"
#include "backlash/run/run_report.h"

namespace backlash {

/// The text of summary.json (docs/reference/results.md).
std::string summary_json(const RunDescription& description, const RunReport& figures);

}  // namespace backlash
