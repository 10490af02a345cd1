// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/number_text.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "backlash/io/results/powers_of_ten.h"

namespace backlash {
namespace {

constexpr std::uint64_t ten_to_8 = 100000000, ten_to_16 = ten_to_8 * ten_to_8;

/// digits · 10^exponent, with 16 or 17 digits, of which the last ones may be zeros.
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

Decimal shortest_by_fmt(double x) {
  const auto found = fmt::detail::dragonbox::to_decimal(x);
  Decimal result{found.significand, found.exponent};
  for (; result.digits < ten_to_16 / 10; --result.exponent) result.digits *= 10;
  return result;
}

/// The decimal of fewest digits, the nearest of these, that is nearer to x > 0 than to any other
/// number (R. Giulietti, "The Schubfach way to render doubles", 2021): with x = c 2^q in units of
/// 10^k, 10^k ≤ 2^q < 10^(k + 1), the multiple of ten nearer than half of 2^q, or else the nearest
/// integer. In fixed point: where its last bits would decide, and of powers of two, fmt does it.
Decimal shortest(double x) {
  constexpr int mantissa_bits = 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const int biased = static_cast<int>(bits >> mantissa_bits);
  if (mantissa == 0 || biased == 0) return shortest_by_fmt(x);
  const std::uint64_t c = mantissa | std::uint64_t{1} << mantissa_bits;
  const int q = biased - 1023 - mantissa_bits;
  const int k = floor_log10_of_power_of_two(q);
  const int log2 = q + floor_log2_of_power_of_ten(-k);  // 0 … 3
  const PowerOfTen& unit = power_of_ten(-k);

  // x = (integer + fraction/2⁶⁴) 10^k, to a unit of the fraction
  const std::uint64_t scaled = c << (log2 + 1);
  const WideProduct upper = wide_product(scaled, unit.high);
  const std::uint64_t fraction = upper.low + wide_product(scaled, unit.low).high;
  const std::uint64_t integer = upper.high + (fraction < upper.low ? 1 : 0);

  // in units of 10^k/2⁶⁰
  const std::uint64_t tens = integer / 10;
  const std::uint64_t above = (integer - 10 * tens) << 60 | fraction >> 4;
  const std::uint64_t below = (std::uint64_t{10} << 60) - above;
  const std::uint64_t half_spacing = unit.high >> (4 - log2);
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  const bool uncertain =
      above - half_spacing + 2 <= 4 || below - half_spacing + 2 <= 4 || fraction - half + 2 <= 4;
  if (uncertain) return shortest_by_fmt(x);
  const bool up = below < half_spacing;
  const std::uint64_t ten = 10 * (tens + (up ? 1 : 0));
  const std::uint64_t one = integer + (fraction > half ? 1 : 0);
  return {up || above < half_spacing ? ten : one, k};
}

/// Eight digits of n < 10⁸ as values of bytes, the first in the lowest byte.
inline std::uint64_t eight_digits(std::uint64_t n) {
  const std::uint64_t fours = n + ((std::uint64_t{1} << 32) - 10000) * ((n * 0x68db8bb) >> 40);
  const std::uint64_t twos =
      fours + ((1U << 16) - 100) * (((fours * 0x147b) >> 19) & 0x0000007f0000007f);
  const std::uint64_t ones = twos + ((1U << 8) - 10) * (((twos * 0x67) >> 10) & 0x000f000f000f000f);
  return __builtin_bswap64(ones);
}

/// 17 digits as text, in three parts.
struct Digits {
  char first;
  std::uint64_t next, last;  ///< eight each, as they lie in memory
  int count;                 ///< without the zeros at the end

  explicit Digits(std::uint64_t n) : first(static_cast<char>('0' + n / ten_to_16)) {
    const std::uint64_t rest = n % ten_to_16;
    next = eight_digits(rest / ten_to_8);
    last = eight_digits(rest % ten_to_8);
    count = last != 0 ? 17 - std::countl_zero(last) / 8
                      : 1 + (next != 0 ? 8 - std::countl_zero(next) / 8 : 0);
    constexpr std::uint64_t zeros = 0x3030303030303030;
    next += zeros;
    last += zeros;
  }
  /// All but the first.
  void write_rest(char* out) const {
    std::memcpy(out, &next, sizeof next);
    std::memcpy(out + sizeof next, &last, sizeof last);
  }
  void write(char* out) const {
    *out = first;
    write_rest(out + 1);
  }
};

/// d.ddde±XX, where the first digit stands for 10^exponent.
char* write_scientific(const Digits& digits, int exponent, char* out) {
  out[0] = digits.first;
  out[1] = '.';
  digits.write_rest(out + 2);
  out += digits.count > 1 ? digits.count + 1 : 1;
  out[0] = 'e';
  out[1] = exponent < 0 ? '-' : '+';
  out += 2;
  const auto size = static_cast<unsigned>(std::abs(exponent));
  if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
  out[0] = static_cast<char>('0' + size / 10 % 10);
  out[1] = static_cast<char>('0' + size % 10);
  return out + 2;
}

/// Digits with the point, or the zeros, that the exponent of the first one asks for.
char* write_fixed(const Digits& digits, int exponent, char* out) {
  if (exponent < 0) {
    std::memcpy(out, "0.000000", 8);
    out += 1 - exponent;
    digits.write(out);
    return out + digits.count;
  }
  const int whole = exponent + 1;  // digits before the point
  if (whole < 8) {
    // the first seven digits with the point among them, over those that are one place behind
    digits.write_rest(out + 2);
    const std::uint64_t begin = digits.next << 8 | static_cast<unsigned char>(digits.first);
    const std::uint64_t before = (std::uint64_t{1} << (8 * whole)) - 1;
    const std::uint64_t with_point =
        (begin & before) | std::uint64_t{'.'} << (8 * whole) | (begin & ~before) << 8;
    std::memcpy(out, &with_point, sizeof with_point);
  } else {
    std::array<char, 32> all{};
    digits.write(all.data());
    std::memcpy(out, all.data(), 16);
    out[whole] = '.';
    std::memcpy(out + whole + 1, all.data() + whole, 9);
  }
  return out + (digits.count > whole ? digits.count + 1 : whole);
}

}  // namespace

char* write_number(char* out, double value) {
  if (value == 0) {
    if (std::signbit(value)) *out++ = '-';
    *out++ = '0';
    return out;
  }
  if (!std::isfinite(value)) return fmt::format_to(out, "{}", value);
  Decimal decimal = shortest(std::abs(value));
  if (decimal.digits < ten_to_16) {
    decimal.digits *= 10;
    --decimal.exponent;
  }
  const Digits digits(decimal.digits);
  const int exponent = decimal.exponent + 16;  // of the first digit
  *out = '-';
  out += value < 0 ? 1 : 0;
  return exponent < -4 || exponent >= 16 ? write_scientific(digits, exponent, out)
                                         : write_fixed(digits, exponent, out);
}

}  // namespace backlash
