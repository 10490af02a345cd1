// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/report/page_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include <zlib.h>
#include <nlohmann/json.hpp>

namespace backlash {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

template <class Number>
Json PageNumbers::append(std::span<const Number> values, const char* type) {
  const std::size_t offset = bytes_.size(), count = values.size();
  bytes_.resize(offset + count * sizeof(Number));
  const char* from = reinterpret_cast<const char*>(values.data());
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    char* to = bytes_.data() + offset + byte * count;
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i * sizeof(Number) + byte];
  }
  return {{"at", offset}, {"count", count}, {"type", type}};
}

Json PageNumbers::add(std::span<const double> values) { return append(values, "f64"); }
Json PageNumbers::add(std::span<const float> values) { return append(values, "f32"); }
Json PageNumbers::add(std::span<const std::uint32_t> values) { return append(values, "u32"); }

Json PageNumbers::add_ascending(std::span<const std::uint32_t> values) {
  std::vector<std::uint32_t> steps(values.begin(), values.end());
  for (std::size_t i = steps.size(); i-- > 1;) steps[i] -= steps[i - 1];
  return append(std::span<const std::uint32_t>(steps), "u32 steps");
}

Json PageNumbers::add_times(std::span<const double> t) {
  const double start = t.empty() ? 0 : t.front();
  const double span = t.empty() ? 0 : t.back() - start;
  const double tick = span > 0 ? span / 4294967295.0 : 1;
  std::vector<std::uint32_t> n(t.size());
  for (std::size_t i = 0; i < t.size(); ++i)
    n[i] = static_cast<std::uint32_t>(
        std::clamp(std::round((t[i] - start) / tick), 0.0, 4294967295.0));
  for (int order = 0; order < 2; ++order)  // differences modulo 2³²
    for (std::size_t i = n.size(); i-- > 1;) n[i] -= n[i - 1];
  Json entry = append(std::span<const std::uint32_t>(n), "time");
  entry["start"] = start;
  entry["tick"] = tick;
  return entry;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned value = 0;
    for (std::size_t k = 0; k < 3; ++k)
      value = value << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(k <= left ? letters[value >> (18 - 6 * k) & 63] : '=');
  }
  return text;
}

std::string packed(const Json& text, const PageNumbers& numbers) {
  std::string whole = text.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto length = static_cast<std::uint32_t>(whole.size());
  whole.insert(0, reinterpret_cast<const char*>(&length), sizeof length);
  whole += numbers.bytes();
  uLongf size = compressBound(static_cast<uLong>(whole.size()));
  std::string bytes(size, '\0');
  constexpr int level = 5;  // smaller takes longer: levels above gain a few percent
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(whole.data()), static_cast<uLong>(whole.size()),
                level) != Z_OK)
    throw std::runtime_error("the report could not be compressed: not enough memory");
  bytes.resize(size);
  return base64(bytes);
}

}  // namespace backlash
