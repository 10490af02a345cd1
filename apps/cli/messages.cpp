// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "backlash/base/printable.h"
#include "colour.h"

namespace backlash::cli {

void print_message(std::string_view text) {
  constexpr std::string_view warning = "warning: ";
  const bool warns = text.starts_with(warning);
  if (warns) text.remove_prefix(warning.size());
  const std::string line = (warns ? "backlash: " + coloured(warning, Colour::warning, stderr)
                                  : coloured("backlash: ", Colour::error, stderr)) +
                           printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != stream) return;
}

}  // namespace backlash::cli
