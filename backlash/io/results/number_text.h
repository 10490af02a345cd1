// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace backlash {

/// Characters that write_number() may write, and write over, at most.
inline constexpr std::size_t number_room = 64;

/// Writes the shortest text that reads back to the same bits, as fmt writes it with "{}", in a
/// fraction of the time: tables are made of little else. Returns its end.
char* write_number(char* out, double value);

/// Remembers the texts of the last numbers: in tables many are there twice, or again in the next
/// row.
class NumberCache {
 public:
  /// As write_number().
  char* write(char* out, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) {
      *out = '0';
      return out + 1;
    }
    Entry& entry = entries_[(bits * 0x9e3779b97f4a7c15) >> 56];
    if (entry.bits == bits) {
      std::memcpy(out, entry.text.data(), longest);
      return out + entry.length;
    }
    char* const end = write_number(out, value);
    entry.bits = bits;
    entry.length = end - out;
    std::memcpy(entry.text.data(), out, longest);
    return end;
  }

 private:
  static constexpr std::size_t longest = 24;  ///< text: a sign, 17 digits, point and exponent
  struct Entry {
    std::uint64_t bits = 0;
    std::ptrdiff_t length = 0;
    std::array<char, longest> text{};
  };
  std::array<Entry, 256> entries_{};
};

/// A text that grows at its end.
class TextBuffer {
 public:
  explicit TextBuffer(std::size_t expected) : text_(expected + number_room, '\0') {}

  void put(double value) {
    require(number_room);
    size_ = static_cast<std::size_t>(cache_.write(text_.data() + size_, value) - text_.data());
  }
  /// A number and the character behind it.
  void put(double value, char after) {
    require(number_room + 1);
    char* end = cache_.write(text_.data() + size_, value);
    *end++ = after;
    size_ = static_cast<std::size_t>(end - text_.data());
  }
  void put(char c) {
    require(1);
    text_[size_++] = c;
  }
  void put(std::string_view words) {
    require(words.size());
    words.copy(text_.data() + size_, words.size());
    size_ += words.size();
  }

  std::size_t size() const { return size_; }
  std::string_view text() const { return {text_.data(), size_}; }
  void clear() { size_ = 0; }

 private:
  void require(std::size_t more) {
    if (text_.size() - size_ < more) text_.resize(2 * text_.size() + more);
  }

  NumberCache cache_;
  std::string text_;      ///< with room at its end
  std::size_t size_ = 0;  ///< of what was put
};

}  // namespace backlash
