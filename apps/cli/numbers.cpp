// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "numbers.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::cli {
namespace {

/// False unless the whole text is one number that fits.
template <class Number>
bool parse(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

double parse_positive(const std::string& text, const std::string& option) {
  double value = 0;
  if (parse(text, value) && std::isfinite(value) && value > 0) return value;
  throw InputError(
      fmt::format("{} is '{}', expected a positive finite number such as 1e-8", option, text));
}

double parse_exaggeration(const std::string& text) {
  const double factor = parse_positive(text, "--exaggerate");
  if (factor < 1 || factor > 1000)
    throw InputError(fmt::format("--exaggerate: found {}, expected from 1 to 1000", text));
  return factor;
}

int parse_count(const std::string& text, int least, const std::string& option) {
  int value = 0;
  if (parse(text, value) && value >= least) return value;
  throw InputError(
      fmt::format("{} is '{}', expected a whole number of at least {}", option, text, least));
}

}  // namespace backlash::cli
