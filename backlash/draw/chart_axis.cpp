// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/chart_axis.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace backlash {
namespace {

/// Three decades below a unit and above it.
constexpr std::array<std::pair<int, const char*>, 7> prefixes{
    {{-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}}};

/// Whether a prefix can stand before it: m, s, N, J and what begins with them.
bool takes_prefix(const std::string& unit) {
  if (unit.empty() || std::string_view("msNJW").find(unit[0]) == std::string_view::npos)
    return false;
  return unit.size() == 1 || unit[1] == ' ' || unit[1] == '/';
}

/// "m/s^2" → "m/s²", "N m" → "N·m".
std::string typeset(const std::string& unit) {
  std::string text;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < unit.size() && unit[i] == ' ' && unit.find(" or ") == std::string::npos;
    if (unit.compare(i, 2, "^2") == 0 || unit.compare(i, 2, "^3") == 0)
      text += unit[++i] == '2' ? "²" : "³";
    else
      text += between ? std::string("·") : std::string(1, unit[i]);
  }
  return text;
}

/// A common part of values that hardly differ, rounded to where they begin to; else 0.
double common_offset(double low, double high) {
  const double range = high - low, size = std::max(std::abs(low), std::abs(high));
  if (range <= 0 || size < 2000 * range) return 0;
  const double unit = std::pow(10, std::ceil(std::log10(range)));
  return std::round(0.5 * (low + high) / unit) * unit;
}

int decimals_of(double step) {
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

std::string label_of(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text[0] == '-' ? "−" + text.substr(1) : text;
}

/// A little room beyond the values.
std::pair<double, double> padded(double low, double high, AxisScale scale) {
  if (scale == AxisScale::logarithmic) {
    const double part = std::max(1.12, std::pow(high / low, 0.03));
    return {low / part, high * part};
  }
  const double range = high - low, size = std::max(std::abs(low), std::abs(high));
  if (range <= 1e-12 * size || range == 0) {
    const double room = size > 0 ? 0.1 * size : 1;
    return {low - room, high + room};
  }
  return {low - 0.04 * range, high + 0.04 * range};
}

}  // namespace

ShownUnit shown_unit(const std::string& unit, double low, double high) {
  ShownUnit shown{.unit = unit == "-" ? "" : typeset(unit)};
  shown.offset = common_offset(low, high);
  if (shown.offset != 0)
    shown.offset_text =
        fmt::format(" {} {:.12g}{}{}", shown.offset > 0 ? "−" : "+", std::abs(shown.offset),
                    shown.unit.empty() ? "" : " ", shown.unit);
  const double size = std::max(std::abs(low - shown.offset), std::abs(high - shown.offset));
  if (!(size > 0) || (size >= 0.2 && size < 1e4)) return shown;
  const int wanted = 3 * static_cast<int>(std::floor(std::log10(size * 2) / 3));
  const int exponent = takes_prefix(unit) ? std::clamp(wanted, -9, 9) : wanted;
  if (exponent == 0) return shown;
  shown.factor = std::pow(10.0, -exponent);
  const auto prefix = std::ranges::find(prefixes, exponent, &std::pair<int, const char*>::first);
  if (takes_prefix(unit) && prefix != prefixes.end())
    shown.unit = prefix->second + shown.unit;
  else
    shown.unit = power_of_ten(exponent) + (shown.unit.empty() ? "" : " " + shown.unit);
  return shown;
}

std::string power_of_ten(int exponent) {
  constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : fmt::format("{}", std::abs(exponent)))
    text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

Ticks linear_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / decade;
  const double step = decade * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  Ticks ticks;
  const auto first = static_cast<long>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(high / step + 1e-9));
  for (long i = first; i <= last; ++i) {
    ticks.at.push_back(static_cast<double>(i) * step);
    ticks.labels.push_back(label_of(ticks.at.back(), decimals_of(step)));
  }
  return ticks;
}

Ticks logarithmic_ticks(double low, double high, int count) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int stride = std::max(1, (last - first + count) / std::max(1, count));
  const bool few = last - first < 2;
  Ticks ticks;
  for (int e = first - 1; e <= last; ++e)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, e);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      const bool labelled =
          digit == 1 ? (e - first) % stride == 0 : few && (digit == 2 || digit == 5);
      if (!labelled) {
        if (stride == 1 || digit == 1) ticks.minor.push_back(value);
        continue;
      }
      ticks.at.push_back(value);
      ticks.labels.push_back(digit == 1 ? power_of_ten(e)
                                        : fmt::format("{}·{}", digit, power_of_ten(e)));
    }
  return ticks;
}

AxisMap make_axis(const ChartAxis& axis, std::pair<double, double> values, double length,
                  double spacing) {
  AxisMap map{.scale = axis.scale};
  const int count = std::max(2, static_cast<int>(length / spacing));
  if (axis.scale == AxisScale::logarithmic) {
    map.unit.unit = axis.unit == "-" ? "" : typeset(axis.unit);
    std::tie(map.low, map.high) =
        axis.range ? *axis.range : padded(values.first, values.second, axis.scale);
    map.ticks = logarithmic_ticks(map.low, map.high, count);
  } else {
    const auto [low, high] = axis.range ? *axis.range : values;
    map.unit = shown_unit(axis.unit, low, high);
    std::tie(map.low, map.high) = axis.range ? std::pair(map.unit(low), map.unit(high))
                                             : padded(map.unit(low), map.unit(high), axis.scale);
    map.ticks = linear_ticks(map.low, map.high, count);
  }
  map.label = axis.name + map.unit.offset_text;
  if (axis.unit == "-" && map.unit.unit.empty()) map.unit.unit = "–";  // a number without a unit
  if (!map.unit.unit.empty())
    map.label += fmt::format("{}[{}]", map.label.empty() ? "" : " ", map.unit.unit);
  return map;
}

double text_width(const std::string& text, double size) {
  const auto letters = std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return 0.57 * size * static_cast<double>(letters);
}

}  // namespace backlash
