// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace backlash::cli {

/// A line of a table on standard output: what it is about, and what there is to say.
inline void print_row(std::string_view what, std::string_view value) {
  fmt::print("  {:<23} {}\n", what, value);
}

}  // namespace backlash::cli
