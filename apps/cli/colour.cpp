// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "colour.h"

#include <unistd.h>

#include <cstdlib>

namespace backlash::cli {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool shows_colours(std::FILE* stream) {
  return isatty(fileno(stream)) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

}  // namespace

std::string coloured(std::string_view text, Colour colour, std::FILE* stream) {
  if (!shows_colours(stream)) return std::string(text);
  const char* const begin = colour == Colour::error ? "\033[1;31m" : "\033[1;33m";
  return begin + std::string(text) + "\033[0m";
}

}  // namespace backlash::cli
