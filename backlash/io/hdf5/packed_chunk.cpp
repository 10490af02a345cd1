// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/hdf5/packed_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace backlash {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::size_t longest_match = 258, shortest_match = 3, longest_stored = 65535;

/// Bits in the order in which deflate reads them, from the lowest on.
struct Code {
  std::uint32_t bits = 0;
  int count = 0;
};

/// Codes of Huffman's are read from their highest bit on.
constexpr std::uint32_t reversed(std::uint32_t bits, int count) {
  std::uint32_t result = 0;
  for (int i = 0; i < count; ++i) result |= ((bits >> i) & 1U) << (count - 1 - i);
  return result;
}

/// The fixed code of a literal or of a length (RFC 1951, 3.2.6).
constexpr Code fixed_code(std::uint32_t symbol) {
  if (symbol < 144) return {reversed(0x30 + symbol, 8), 8};
  if (symbol < 256) return {reversed(0x190 + symbol - 144, 9), 9};
  if (symbol < 280) return {reversed(symbol - 256, 7), 7};
  return {reversed(0xc0 + symbol - 280, 8), 8};
}

constexpr std::array<Code, 256> make_literals() {
  std::array<Code, 256> codes{};
  for (std::uint32_t i = 0; i < 256; ++i) codes[i] = fixed_code(i);
  return codes;
}
constexpr std::array<Code, 256> literals = make_literals();

/// Lengths (RFC 1951, 3.2.5): groups of four symbols, each with one more bit behind it.
constexpr std::array<Code, longest_match + 1> make_lengths() {
  std::array<Code, longest_match + 1> codes{};
  std::uint32_t length = shortest_match;
  for (std::uint32_t symbol = 257; symbol < 285; ++symbol) {
    const int extra = symbol < 265 ? 0 : static_cast<int>(symbol - 261) / 4;
    const Code first = fixed_code(symbol);
    for (std::uint32_t i = 0; i < (1U << extra) && length <= longest_match; ++i)
      codes[length++] = {first.bits | i << first.count, first.count + extra};
  }
  codes[longest_match] = fixed_code(285);
  return codes;
}
constexpr std::array<Code, longest_match + 1> lengths = make_lengths();

/// A distance (RFC 1951, 3.2.5): pairs of symbols, from the third pair on with one more bit each.
Code distance_code(std::size_t distance) {
  std::uint32_t symbol = 0, first = 1;
  int extra = 0;
  while (distance >= first + (1U << extra)) {
    first += 1U << extra;
    ++symbol;
    extra = symbol < 4 ? 0 : static_cast<int>(symbol / 2) - 1;
  }
  return {reversed(symbol, 5) | static_cast<std::uint32_t>(distance - first) << 5, 5 + extra};
}

/// Puts bits into bytes, from the lowest on; there is room for eight bytes behind them.
class BitWriter {
 public:
  explicit BitWriter(unsigned char* out) : out_(out) {}

  void put(Code code) {
    bits_ |= std::uint64_t{code.bits} << count_;
    count_ += code.count;
    std::memcpy(out_, &bits_, sizeof bits_);
    const int whole = count_ / 8;
    out_ += whole;
    bits_ >>= 8 * whole;
    count_ -= 8 * whole;
  }
  /// Up to the next byte.
  unsigned char* end() {
    if (count_ > 0) *out_++ = static_cast<unsigned char>(bits_);
    return out_;
  }

 private:
  unsigned char* out_;
  std::uint64_t bits_ = 0;  ///< fewer than eight between two puts
  int count_ = 0;
};

/// How many bytes from `at` on are those `period` before.
std::size_t repeated(Bytes plane, std::size_t at, std::size_t period) {
  std::size_t i = at;
  for (; i + 8 <= plane.size(); i += 8) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, &plane[i], 8);
    std::memcpy(&b, &plane[i - period], 8);
    if (a != b) return i - at + static_cast<std::size_t>(std::countr_zero(a ^ b)) / 8;
  }
  while (i < plane.size() && plane[i] == plane[i - period]) ++i;
  return i - at;
}

/// How many bytes are not those `period` before.
std::size_t count_changes(Bytes plane, std::size_t period) {
  std::size_t changes = std::min(period, plane.size());
  constexpr std::size_t part = 128;  // counted in bytes, for the compiler to do many at once
  for (std::size_t i = period; i < plane.size(); i += part) {
    const std::size_t end = std::min(i + part, plane.size());
    unsigned char sum = 0;
    for (std::size_t k = i; k < end; ++k)
      sum = static_cast<unsigned char>(sum + (plane[k] != plane[k - period]));
    changes += sum;
  }
  return changes;
}

/// A block of repetitions and of bytes between them, with fixed codes.
unsigned char* put_repetitions(Bytes plane, std::size_t period, unsigned char* out) {
  BitWriter bits(out);
  bits.put({0b010, 3});  // not the last block; fixed codes
  const Code distance = distance_code(period);
  for (std::size_t i = 0; i < plane.size();) {
    std::size_t same = i < period ? 0 : repeated(plane, i, period);
    if (same < shortest_match) {
      bits.put(literals[plane[i++]]);
      continue;
    }
    i += same;
    while (same >= shortest_match) {
      // No rest is left that is too short for a match.
      const std::size_t length =
          same > longest_match ? std::min(longest_match, same - shortest_match) : same;
      bits.put(lengths[length]);
      bits.put(distance);
      same -= length;
    }
  }
  bits.put(fixed_code(256));
  // An empty stored block ends the byte.
  bits.put({0, 3});
  unsigned char* end = bits.end();
  constexpr unsigned char empty[] = {0, 0, 0xff, 0xff};
  std::memcpy(end, empty, sizeof empty);
  return end + sizeof empty;
}

unsigned char* put_stored(Bytes plane, unsigned char* out) {
  while (!plane.empty()) {
    const Bytes part = plane.first(std::min(plane.size(), longest_stored));
    const auto size = static_cast<unsigned>(part.size());
    *out++ = 0;
    for (const unsigned word : {size, ~size}) {
      *out++ = static_cast<unsigned char>(word);
      *out++ = static_cast<unsigned char>(word >> 8);
    }
    std::memcpy(out, part.data(), part.size());
    out += part.size();
    plane = plane.subspan(part.size());
  }
  return out;
}

/// Eight bytes in eight words, turned about: byte i of word k becomes byte k of word i.
void turn_about(std::array<std::uint64_t, 8>& x) {
  const auto exchange = [&](std::size_t i, std::size_t k, int shift, std::uint64_t mask) {
    const std::uint64_t t = ((x[i] >> shift) ^ x[k]) & mask;
    x[k] ^= t;
    x[i] ^= t << shift;
  };
  for (const std::size_t i : {0, 2, 4, 6}) exchange(i, i + 1, 8, 0x00ff00ff00ff00ff);
  for (const std::size_t i : {0, 1, 4, 5}) exchange(i, i + 2, 16, 0x0000ffff0000ffff);
  for (const std::size_t i : {0, 1, 2, 3}) exchange(i, i + 4, 32, 0x00000000ffffffff);
}

/// The bytes of values in planes: all first bytes, then all second ones …
void shuffle(const ValueBytes& values, unsigned char* planes) {
  const std::size_t size = values.value_size, count = values.bytes.size() / size;
  const unsigned char* in = values.bytes.data();
  std::size_t i = 0;
  if (size == 8)
    for (; i + 8 <= count; i += 8) {
      std::array<std::uint64_t, 8> x{};
      std::memcpy(x.data(), in + 8 * i, sizeof x);
      turn_about(x);
      for (std::size_t b = 0; b < 8; ++b) std::memcpy(planes + b * count + i, &x[b], 8);
    }
  for (; i < count; ++i)
    for (std::size_t b = 0; b < size; ++b) planes[b * count + i] = in[i * size + b];
}

/// Adler's sum of bytes (RFC 1950), of sixteen at once: of x₁ … x_n its parts are 1 + Σ x_i and
/// n + Σ (n + 1 − i) x_i, modulo 65521.
class AdlerSum {
 public:
  void add(Bytes bytes) {
    while (bytes.size() >= lanes) {
      const std::size_t groups = std::min(bytes.size() / lanes, most_groups);
      add_groups(bytes.data(), groups);
      bytes = bytes.subspan(groups * lanes);
    }
    for (const unsigned char c : bytes) {
      a_ += c;
      b_ += a_;
    }
    a_ %= modulus;
    b_ %= modulus;
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(b_ << 16 | a_); }

 private:
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t most_groups = 22;  ///< 255 · 22 · 23 / 2 has room in 16 bits
  static constexpr std::uint64_t modulus = 65521;

  using EightBytes [[gnu::vector_size(8)]] = unsigned char;
  using EightWords [[gnu::vector_size(16)]] = std::uint16_t;
  static EightWords eight_at(const unsigned char* bytes) {
    EightBytes eight;
    std::memcpy(&eight, bytes, sizeof eight);
    return __builtin_convertvector(eight, EightWords);
  }

  void add_groups(const unsigned char* bytes, std::size_t groups) {
    EightWords sum[2]{}, before[2]{};  // of each lane, and of sums before a group
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t half = 0; half < 2; ++half) {
        before[half] += sum[half];
        sum[half] += eight_at(bytes + g * lanes + 8 * half);
      }
    std::uint32_t all = 0, weighted = 0, all_before = 0;
    for (std::size_t j = 0; j < lanes; ++j) {
      const std::uint32_t of_lane = sum[j / 8][j % 8];
      all += of_lane;
      all_before += before[j / 8][j % 8];
      weighted += static_cast<std::uint32_t>(lanes - j) * of_lane;
    }
    b_ += a_ * groups * lanes + lanes * std::uint64_t{all_before} + weighted;
    a_ += all;
    if (b_ >= std::uint64_t{1} << 56) b_ %= modulus;
  }

  std::uint64_t a_ = 1, b_ = 0;
};

/// Whether the beginning of a plane does not repeat.
bool looks_random(Bytes plane, std::size_t period) {
  constexpr std::size_t looked_at = 512;
  if (plane.size() < 2 * looked_at) return false;
  const Bytes part = plane.first(looked_at);
  return 4 * count_changes(part, 1) > 3 * looked_at &&
         (period >= looked_at || 4 * count_changes(part, period) > 3 * looked_at);
}

/// Whether all values are the first one.
bool are_all_equal(const ValueBytes& values) {
  return values.bytes.size() <= values.value_size ||
         std::memcmp(values.bytes.data(), values.bytes.data() + values.value_size,
                     values.bytes.size() - values.value_size) == 0;
}

}  // namespace

void ChunkPacker::begin(std::size_t size) {
  constexpr std::size_t room = 4096;  // for headers, of which there are few
  if (packed_.size() < size + size / 16 + room) packed_.resize(size + size / 16 + room);
  out_ = packed_.data();
  *out_++ = 0x78;  // deflate, with a window of 32 kB (RFC 1950)
  *out_++ = 0x01;
}

/// A byte that does not repeat costs about 20 bits with what follows it, and 8 if it is stored.
void ChunkPacker::put_plane(Bytes plane, std::size_t period) {
  if (looks_random(plane, period)) {
    out_ = put_stored(plane, out_);
    return;
  }
  std::size_t changes = count_changes(plane, 1);
  std::size_t best = 1;
  if (period > 1 && period <= 32768) {
    const std::size_t other = count_changes(plane, period);
    if (other < changes) {
      changes = other;
      best = period;
    }
  }
  out_ = 3 * changes < plane.size() ? put_repetitions(plane, best, out_) : put_stored(plane, out_);
}

/// The last block, which is empty, and the sum of what was packed (RFC 1950).
void ChunkPacker::end() {
  constexpr unsigned char last[] = {1, 0, 0, 0xff, 0xff};
  std::memcpy(out_, last, sizeof last);
  out_ += sizeof last;
  AdlerSum adler;
  adler.add(shuffled_);
  const std::uint32_t sum = adler.value();
  for (const int shift : {24, 16, 8, 0}) *out_++ = static_cast<unsigned char>(sum >> shift);
}

Bytes ChunkPacker::pack(const ValueBytes& values, std::size_t period) {
  const std::size_t size = values.value_size, count = values.bytes.size() / size;
  const bool constant = are_all_equal(values);
  const Bytes first = values.bytes.first(std::min(size, values.bytes.size()));
  if (constant && count == constant_count_ && std::ranges::equal(first, constant_))
    return packed_constant_;
  shuffled_.resize(values.bytes.size());
  shuffle(values, shuffled_.data());
  begin(values.bytes.size());
  for (std::size_t b = 0; b < size; ++b)
    put_plane(Bytes(shuffled_).subspan(b * count, count), period);
  end();
  const Bytes packed = Bytes(packed_).first(static_cast<std::size_t>(out_ - packed_.data()));
  if (!constant) return packed;
  constant_.assign(first.begin(), first.end());
  packed_constant_.assign(packed.begin(), packed.end());
  constant_count_ = count;
  return packed_constant_;
}

}  // namespace backlash
