// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "backlash/integrators/option_info.h"
#include "backlash/io/model/value.h"

/// Options of methods as users write them, in a file or on the command line: with units, as
/// formulas.
namespace backlash {

/// "relative_tolerance" as the command line has it: "--relative-tolerance".
std::string command_line_name(std::string_view key);

/// An option as the command line gives it: "--theta", "0.6". Throws InputError.
Option parse_option(const OptionInfo& option, const std::string& text);

/// A number as the command line gives it, in SI; `unit` is the SI unit that it is expected in, and
/// `name` that of the option. Throws InputError.
double parse_quantity(const std::string& text, std::string_view unit, const NumberRange& range,
                      const std::string& name);

namespace reading {

Dimension dimension_of(const OptionInfo& option);
OptionValue read_option(const OptionInfo& option, const Value& value);

}  // namespace reading
}  // namespace backlash
