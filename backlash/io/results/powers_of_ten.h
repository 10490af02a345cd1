// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace backlash {

/// 10^n = (high 2⁶⁴ + low) 2^(⌊n log₂ 10⌋ − 127), rounded down to 128 bits.
struct PowerOfTen {
  std::uint64_t high = 0;  ///< its highest bit is set
  std::uint64_t low = 0;
};

/// Those that numbers need.
inline constexpr int least_power_of_ten = -292, largest_power_of_ten = 324;

/// Of an n from least_power_of_ten to largest_power_of_ten.
const PowerOfTen& power_of_ten(int n);

/// ⌊n log₂ 10⌋ for |n| ≤ 1000.
constexpr int floor_log2_of_power_of_ten(int n) { return (n * 1741647) >> 19; }

/// ⌊n log₁₀ 2⌋ for |n| ≤ 2000.
constexpr int floor_log10_of_power_of_two(int n) { return (n * 315653) >> 20; }

/// high 2⁶⁴ + low.
struct WideProduct {
  std::uint64_t high, low;
};

inline WideProduct wide_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace backlash
