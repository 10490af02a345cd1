// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace backlash::cli {

/// "backlash: …" on standard error, without anything that a terminal
/// would obey. If standard error is closed or full the message is lost, and nothing else.
void print_message(std::string_view text);

/// For the first line of a program: standard streams that are closed become /dev/null, so that no
/// file is opened in their place and written to by mistake.
void open_standard_streams();

}  // namespace backlash::cli
