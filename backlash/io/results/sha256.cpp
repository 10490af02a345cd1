// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace backlash {
namespace {

using Word = std::uint32_t;

/// The first 32 bits of the fractional part of x.
Word fraction_bits(long double x) { return static_cast<Word>((x - std::floor(x)) * 4294967296.0L); }

/// The constants of the standard: roots of the first primes.
struct Constants {
  std::array<Word, 64> rounds{};  ///< cube roots
  std::array<Word, 8> start{};    ///< square roots

  Constants() {
    for (unsigned prime = 2, i = 0; i < 64; ++prime) {
      bool divisible = false;
      for (unsigned d = 2; d * d <= prime; ++d) divisible = divisible || prime % d == 0;
      if (divisible) continue;
      if (i < 8) start[i] = fraction_bits(std::sqrt(static_cast<long double>(prime)));
      rounds[i++] = fraction_bits(std::cbrt(static_cast<long double>(prime)));
    }
  }
};

/// Mixes one block of 64 bytes into the hash.
void mix(const char* block, const Constants& constants, std::array<Word, 8>& hash) {
  using std::rotr;
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < 64; ++i)
    w[i / 4] = (w[i / 4] << 8) | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] + (rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3)) +
           (rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10));
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word first = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                       constants.rounds[i] + w[i];
    const Word second = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const std::array<Word, 8> mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash[i] += mixed[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::array<Word, 8> hash = constants.start;
  std::string rest(bytes.substr(bytes.size() / 64 * 64));
  for (std::size_t i = 0; i + 64 <= bytes.size(); i += 64) mix(bytes.data() + i, constants, hash);
  rest.push_back(static_cast<char>(0x80));
  rest.resize(rest.size() <= 56 ? 56 : 120);
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (int shift = 56; shift >= 0; shift -= 8) rest.push_back(static_cast<char>(bits >> shift));
  for (std::size_t i = 0; i < rest.size(); i += 64) mix(rest.data() + i, constants, hash);
  std::string text;
  for (const Word word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace backlash
