// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Numbers and text as the page of a report holds them (docs/reference/report.md).
namespace backlash {

/// Numbers that stand one after another behind the text. The bytes of each are taken apart, all
/// first ones, then all second ones, and so on, which makes them easier to compress.
class PageNumbers {
 public:
  /// Each returns the entry for the text that says where the numbers are and what they are.
  nlohmann::ordered_json add(std::span<const double> values);
  nlohmann::ordered_json add(std::span<const float> values);
  nlohmann::ordered_json add(std::span<const std::uint32_t> values);

  /// Ascending integers, as differences of one to the next.
  nlohmann::ordered_json add_ascending(std::span<const std::uint32_t> values);

  /// Ascending times, as multiples of the 2³² part of their span: as second differences.
  nlohmann::ordered_json add_times(std::span<const double> t);

  const std::string& bytes() const { return bytes_; }

 private:
  template <class Number>
  nlohmann::ordered_json append(std::span<const Number> values, const char* type);

  std::string bytes_;
};

/// Text and numbers compressed (zlib), in base64.
std::string packed(const nlohmann::ordered_json& text, const PageNumbers& numbers);

std::string base64(std::string_view bytes);

}  // namespace backlash
