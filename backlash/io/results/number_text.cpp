// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/number_text.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace backlash {
namespace {

/// "00", "01", … "99" in a row.
constexpr std::array<char, 200> make_pairs() {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
constexpr std::array<char, 200> digit_pairs = make_pairs();

/// Eight digits of n < 10⁸.
inline void write_eight(std::uint32_t n, char* out) {
  const std::uint32_t high = n / 10000, low = n % 10000;
  std::memcpy(out, &digit_pairs[2 * (high / 100)], 2);
  std::memcpy(out + 2, &digit_pairs[2 * (high % 100)], 2);
  std::memcpy(out + 4, &digit_pairs[2 * (low / 100)], 2);
  std::memcpy(out + 6, &digit_pairs[2 * (low % 100)], 2);
}

/// Digits of a number below 10¹⁷, with room behind them for copies of a fixed length.
struct Digits {
  std::array<char, 24 + 32> text;
  const char* first = nullptr;
  int count = 0;

  explicit Digits(std::uint64_t n) {
    constexpr std::uint64_t part = 100000000;
    const std::uint64_t rest = n / part;
    write_eight(static_cast<std::uint32_t>(n % part), &text[16]);
    write_eight(static_cast<std::uint32_t>(rest % part), &text[8]);
    text[7] = static_cast<char>('0' + rest / part);
    first = &text[7];
    while (*first == '0') ++first;
    count = static_cast<int>(&text[24] - first);
  }
};

constexpr std::size_t most_digits = 24;  ///< that are copied, needed or not

/// d.ddde±XX, where the first digit stands for 10^exponent.
char* write_scientific(const Digits& digits, int exponent, char* out) {
  *out++ = digits.first[0];
  if (digits.count > 1) {
    *out++ = '.';
    std::memcpy(out, digits.first + 1, most_digits);
    out += digits.count - 1;
  }
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  const auto size = static_cast<unsigned>(std::abs(exponent));
  if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
  std::memcpy(out, &digit_pairs[2 * (size % 100)], 2);
  return out + 2;
}

/// Digits with the point, or the zeros, that the exponent of the first one asks for.
char* write_fixed(const Digits& digits, int exponent, char* out) {
  if (exponent < 0) {
    std::memcpy(out, "0.000000", 8);
    std::memcpy(out += 1 - exponent, digits.first, most_digits);
    return out + digits.count;
  }
  const int whole = exponent + 1;
  std::memcpy(out, digits.first, most_digits);
  if (digits.count <= whole) {
    std::memset(out + digits.count, '0', static_cast<std::size_t>(whole - digits.count));
    return out + whole;
  }
  out[whole] = '.';
  std::memcpy(out + whole + 1, digits.first + whole, most_digits);
  return out + digits.count + 1;
}

}  // namespace

char* write_number(char* out, double value) {
  if (value == 0) {
    if (std::signbit(value)) *out++ = '-';
    *out++ = '0';
    return out;
  }
  if (!std::isfinite(value)) return fmt::format_to(out, "{}", value);
  const auto decimal = fmt::detail::dragonbox::to_decimal(std::abs(value));
  const Digits digits(decimal.significand);
  const int exponent = decimal.exponent + digits.count - 1;  // of the first digit
  if (value < 0) *out++ = '-';
  return exponent < -4 || exponent >= 16 ? write_scientific(digits, exponent, out)
                                         : write_fixed(digits, exponent, out);
}

}  // namespace backlash
