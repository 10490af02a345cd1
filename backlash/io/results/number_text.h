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

/// A text that grows at its end.
class TextBuffer {
 public:
  explicit TextBuffer(std::size_t expected) : text_(expected + number_room, '\0') {}

  void put(double value) {
    require(number_room);
    char* const out = text_.data() + size_;
    size_ += static_cast<std::size_t>(write(out, value) - out);
  }
  /// A number and the character behind it.
  void put(double value, char after) {
    require(number_room + 1);
    char* const out = text_.data() + size_;
    char* end = write(out, value);
    *end++ = after;
    size_ += static_cast<std::size_t>(end - out);
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
  void clear() {
    size_ = 0;
    recent_ = {};
  }

 private:
  static constexpr std::size_t longest = 24;  ///< number: a sign, 17 digits, point and exponent

  /// As write_number(); a number that stands in the text already is copied from there: many are in
  /// a table twice, or again in the next row.
  char* write(char* out, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) {
      *out = '0';
      return out + 1;
    }
    Recent& recent = recent_[(bits * 0x9e3779b97f4a7c15) >> 56];
    if (recent.bits == bits) {
      std::array<char, longest> copy;
      std::memcpy(copy.data(), text_.data() + recent.place, longest);
      std::memcpy(out, copy.data(), longest);
      return out + recent.length;
    }
    char* const end = write_number(out, value);
    recent = {bits, static_cast<std::uint32_t>(out - text_.data()),
              static_cast<std::uint32_t>(end - out)};
    return end;
  }
  void require(std::size_t more) {
    if (text_.size() - size_ < more) text_.resize(2 * text_.size() + more);
  }

  /// A number that was written, and where.
  struct Recent {
    std::uint64_t bits = 0;
    std::uint32_t place = 0, length = 0;
  };
  std::array<Recent, 256> recent_{};
  std::string text_;      ///< with room at its end
  std::size_t size_ = 0;  ///< of what was put
};

}  // namespace backlash
