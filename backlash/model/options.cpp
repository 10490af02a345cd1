// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/options.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {
namespace {

/// "1e-8", not "1e-08".
std::string number_text(double number) {
  std::string text = fmt::format("{}", number);
  const std::size_t zero = text.find("e-0");
  if (zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

}  // namespace

const Option* find_option(const Options& options, std::string_view key) {
  const auto found = std::ranges::find(options, key, &Option::key);
  return found == options.end() ? nullptr : &*found;
}

void set_option(Options& options, Option option) {
  const auto found = std::ranges::find(options, option.key, &Option::key);
  if (found == options.end())
    options.push_back(std::move(option));
  else
    *found = std::move(option);
}

void set_option(Options& options, std::string key, OptionValue value) {
  set_option(options, {.key = std::move(key), .value = std::move(value)});
}

std::string to_string(const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return number_text(*number);
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace backlash
