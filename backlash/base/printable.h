// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text from outside that is shown to people: a terminal obeys control characters, and files that
/// hold bytes which are no UTF-8 cannot be read by others.
namespace backlash {

/// Where the first byte stands that is no text: a control character other than tab, line feed and
/// carriage return, or one that is not UTF-8. npos: there is none.
std::size_t find_not_text(std::string_view text);

/// The same text with each such byte written as \xNN.
std::string plain_text(std::string_view text);

/// The same with the middle of long ones left out: at most `lines` lines of a few hundred
/// characters.
std::string printable(std::string_view text, int lines = 12);

}  // namespace backlash
