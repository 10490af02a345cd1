// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "backlash/base/source_location.h"

namespace backlash {

enum class Severity {
  note,     ///< good to know
  warning,  ///< the run will start, but its results may not be what is wanted
  error     ///< the model cannot run
};

constexpr std::string_view name(Severity severity) {
  return severity == Severity::note ? "note" : severity == Severity::warning ? "warning" : "error";
}

/// Something about a model that its author should know.
struct Finding {
  Severity severity = Severity::note;
  std::string item{};  ///< "joint 'guide'"; empty: the whole model
  SourceLocation where{};
  std::string message{};  ///< what is the case, with numbers and units
  std::string advice{};   ///< what to do about it
};

}  // namespace backlash
