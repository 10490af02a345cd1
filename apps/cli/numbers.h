// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Numbers on the command line. They are read here and not by CLI11, which takes "nan", "1e999" and
/// numbers that do not fit. All throw InputError naming the option, what was found and what was
/// expected.
namespace backlash::cli {

/// A finite number > 0.
double parse_positive(const std::string& text, const std::string& option);

/// How many times as large play is drawn: from 1 to 1000.
double parse_exaggeration(const std::string& text);

/// A whole number ≥ least.
int parse_count(const std::string& text, int least, const std::string& option);

}  // namespace backlash::cli
