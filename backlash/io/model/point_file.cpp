// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/point_file.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/include.h"

namespace backlash::reading {
namespace {

/// Takes the next field of a line.
std::string_view next_field(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r", separators = ",; \t\r";
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(blanks)));
  const std::size_t end = std::min(line.size(), line.find_first_of(separators));
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end);
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(blanks)));
  if (!line.empty() && (line.front() == ',' || line.front() == ';')) line.remove_prefix(1);
  return field;
}

std::optional<double> number_in(std::string_view field) {
  double value = 0;
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// What is wrong with a line, but not what stands there: the file may be anything, and not the
/// user's to see.
std::string_view trouble_in(std::string_view second, bool x, bool y) {
  if (!x) return "what stands first is no finite number";
  if (second.empty()) return "found one number";
  if (!y) return "what stands second is no finite number";
  return "found more than two values";
}

}  // namespace

std::vector<Vec2> read_point_file(const std::filesystem::path& path) {
  std::string text = read_text(path);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte-order mark, of UTF-8
  std::vector<Vec2> points;
  int number = 0;
  bool named = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.size(), text.find('\n', begin));
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::string_view first = next_field(line), second = next_field(line);
    if (first.empty() || first.starts_with('#')) continue;
    const std::optional<double> x = number_in(first), y = number_in(second);
    const bool names = points.empty() && !named && !x && !number_in(second);
    if (x && y && line.find_first_not_of(" \t\r") == std::string_view::npos) {
      points.emplace_back(*x, *y);
    } else if (names) {
      named = true;
    } else {
      throw InputError(fmt::format("{}:{}: expected two numbers, x and y, in each line; {}",
                                   path.generic_string(), number,
                                   trouble_in(second, x.has_value(), y.has_value())));
    }
  }
  if (points.empty())
    throw InputError(
        fmt::format("{}: there are no points in it; expected two numbers, x and y, in "
                    "each line",
                    path.generic_string()));
  return points;
}

}  // namespace backlash::reading
