// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/run/run.h"

/// What the program prints of a run that is over.
namespace backlash::cli {

/// The value of an option, as it is written.
std::string text_of(const NamedValue& value);

enum class Verbosity {
  usual,
  all  ///< every option, joint and count
};

/// What is printed besides the outcome.
struct RunTable {
  std::vector<std::string> laws{};   ///< lines about compliant contacts
  std::string folder{};              ///< of the results
  std::vector<std::string> files{};  ///< that are in it; none: nothing was written
  long steps_before = 0;             ///< of a run that goes on: taken in a time of their own
  Verbosity verbosity = Verbosity::usual;
};

void print_run(const RunOutcome& outcome, const RunTable& table);

}  // namespace backlash::cli
