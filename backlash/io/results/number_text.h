// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    size_ = static_cast<std::size_t>(write_number(text_.data() + size_, value) - text_.data());
  }
  /// A number and the character behind it.
  void put(double value, char after) {
    require(number_room + 1);
    char* end = write_number(text_.data() + size_, value);
    *end++ = after;
    size_ = static_cast<std::size_t>(end - text_.data());
  }
  /// Again what was put from `begin` on.
  void repeat(std::size_t begin, std::size_t length) {
    require(length);
    std::memcpy(text_.data() + size_, text_.data() + begin, length);
    size_ += length;
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

 private:
  void require(std::size_t more) {
    if (text_.size() - size_ < more) text_.resize(2 * text_.size() + more);
  }

  std::string text_;      ///< with room at its end
  std::size_t size_ = 0;  ///< of what was put
};

}  // namespace backlash
