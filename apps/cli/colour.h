// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace backlash::cli {

enum class Colour { error, warning };

/// The text in a colour, where `stream` is a terminal that shows colours and NO_COLOR is not set;
/// otherwise as it is.
std::string coloured(std::string_view text, Colour colour, std::FILE* stream);

}  // namespace backlash::cli
