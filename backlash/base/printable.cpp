// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/printable.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Bytes of the character that begins at i (RFC 3629); 0: none does.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const unsigned char first = byte_at(text, i);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte_at(text, i + k) & 0xc0) != 0x80) return 0;
  const unsigned char second = byte_at(text, i + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool too_large = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// C0 and C1 control characters, delete, ends of lines and paragraphs that are no line feed
/// (U+2028, U+2029), and those that turn the direction of the text round them (U+202A to U+202E,
/// U+2066 to U+2069).
bool is_control(std::string_view text, std::size_t i) {
  const unsigned char c = byte_at(text, i);
  if (c == 0xe2 && i + 2 < text.size()) {
    const unsigned char second = byte_at(text, i + 1), third = byte_at(text, i + 2);
    return (second == 0x80 && third >= 0xa8 && third <= 0xae) ||
           (second == 0x81 && third >= 0xa6 && third <= 0xa9);
  }
  if (c == 0xc2 && i + 1 < text.size()) return byte_at(text, i + 1) < 0xa0;
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

/// Without the middle, if it is longer than so many bytes; characters stay whole.
std::string shortened(std::string_view line) {
  constexpr std::size_t most = 600;
  if (line.size() <= most) return std::string(line);
  const auto is_inside = [&](std::size_t i) { return (byte_at(line, i) & 0xc0) == 0x80; };
  std::size_t head = most / 2, tail = line.size() - most / 2;
  while (head > 0 && is_inside(head)) --head;
  while (tail < line.size() && is_inside(tail)) ++tail;
  return fmt::format("{} … {}", line.substr(0, head), line.substr(tail));
}

}  // namespace

std::size_t find_not_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text, i)) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string plain_text(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t good = std::min(find_not_text(text), text.size());
    plain += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    plain += fmt::format("\\x{:02x}", byte_at(text, 0));
    text.remove_prefix(1);
  }
  return plain;
}

std::string printable(std::string_view text, int lines) {
  const std::string plain = plain_text(text);
  std::string result;
  for (std::string_view rest = plain; !rest.empty(); --lines) {
    if (lines == 0) return result + "\n…";
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!result.empty()) result += '\n';
    result += shortened(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

}  // namespace backlash
