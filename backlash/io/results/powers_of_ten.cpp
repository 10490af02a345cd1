// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/powers_of_ten.h"

#include <array>
#include <bit>
#include <cstddef>

namespace backlash {
namespace {

/// A large whole number, in words from the lowest on.
struct Large {
  static constexpr int words = 27;
  std::array<std::uint32_t, words> word{};

  /// As many words as are not zero.
  constexpr std::size_t size() const {
    std::size_t n = words;
    while (n > 0 && word[n - 1] == 0) --n;
    return n;
  }
  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
      carry += std::uint64_t{word[i]} * factor;
      word[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// Rounded down, so that dividing in several steps is as exact as dividing at once.
  constexpr void divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = words; i-- > 0;) {
      rest = rest << 32 | word[i];
      word[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
  }
  /// Its highest 128 bits, from its first one on.
  constexpr PowerOfTen leading() const {
    const std::size_t n = size();
    const int shift = std::countl_zero(word[n - 1]);
    std::array<std::uint32_t, 5> top{};
    for (std::size_t i = 0; i < top.size() && i < n; ++i) top[i] = word[n - 1 - i];
    std::array<std::uint64_t, 4> part{};
    for (std::size_t i = 0; i < part.size(); ++i)
      part[i] = ((std::uint64_t{top[i]} << 32 | top[i + 1]) << shift) >> 32;
    return {part[0] << 32 | part[1], part[2] << 32 | part[3]};
  }
};

using Table = std::array<PowerOfTen, largest_power_of_ten - least_power_of_ten + 1>;

/// 10^n has the digits of 5^n, in binary. Those of 5^−n are those of a power of two over 5^n, which
/// is large enough for 128 of them.
constexpr Table make_table() {
  Table table{};
  constexpr auto zero = static_cast<std::size_t>(-least_power_of_ten);
  Large five;
  five.word[0] = 1;
  for (std::size_t n = zero; n < table.size(); ++n, five.multiply(5)) table[n] = five.leading();
  Large inverse;
  inverse.word[Large::words - 1] = 1U << 31;
  for (std::size_t n = zero; n-- > 0;) {
    inverse.divide(5);
    table[n] = inverse.leading();
  }
  return table;
}

constexpr Table table = make_table();

}  // namespace

const PowerOfTen& power_of_ten(int n) {
  return table[static_cast<std::size_t>(n - least_power_of_ten)];
}

}  // namespace backlash
