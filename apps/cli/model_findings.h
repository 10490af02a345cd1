// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/report/report.h"

namespace backlash::cli {

/// What check says of the model that the results hold, with the parameters and options of the run;
/// or why it cannot be asked.
void add_findings(const Results& results, ReportOptions& options);

}  // namespace backlash::cli
