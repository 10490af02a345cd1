// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/source_location.h"

namespace backlash {

/// A number in SI, a whole number, true or false, or a name.
using OptionValue = std::variant<double, std::int64_t, bool, std::string>;

/// An option of a method that somebody chose.
struct Option {
  std::string key{};
  OptionValue value{};
  SourceLocation where{};  ///< on the command line: its path is "--key"
};

/// All that were chosen; the others have their defaults. Which there are, and what they mean, the
/// table of integrators says.
using Options = std::vector<Option>;

/// The option of that key, or null.
const Option* find_option(const Options& options, std::string_view key);

/// Chooses it, in the place of what was chosen before.
void set_option(Options& options, Option option);
void set_option(Options& options, std::string key, OptionValue value);

/// As it is written in a model file: "1e-08", "true", "rk4".
std::string to_string(const OptionValue& value);

}  // namespace backlash
