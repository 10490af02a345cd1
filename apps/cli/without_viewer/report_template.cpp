// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "report_template.h"

/// In the place of the page of apps/viewer, where Node.js is missing.
namespace backlash::cli {

std::string_view report_template() { return {}; }

}  // namespace backlash::cli
