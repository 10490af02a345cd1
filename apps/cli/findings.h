// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/check/finding.h"

namespace backlash::cli {

/// "model.yaml:12:5: warning: parameter 'k': nothing uses it".
std::string one_line(const Finding& finding);

/// The same without the severity, for who says it himself.
std::string without_severity(const Finding& finding);

}  // namespace backlash::cli
