// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

#include "backlash/check/finding.h"

namespace backlash::cli {

/// "model.yaml:12:5: warning: parameter 'k': nothing uses it"; in colours, if the stream shows
/// them.
std::string one_line(const Finding& finding, std::FILE* stream);

/// The same without the severity, for who says it himself.
std::string without_severity(const Finding& finding);

}  // namespace backlash::cli
