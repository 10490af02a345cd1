// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"

#include <cmath>

#include <fmt/format.h>

namespace backlash {
namespace {

std::string placed(const SourceLocation& where, const std::string& message) {
  const std::string place = to_string(where);
  return place.empty() ? message : fmt::format("{}: {}", place, message);
}

}  // namespace

InputError::InputError(const SourceLocation& where, const std::string& message)
    : std::runtime_error(placed(where, message)), where_(where), message_(message) {}

void require_in_range(double value, double lower, double upper, std::string_view quantity,
                      std::string_view unit) {
  if (lower <= value && value <= upper) return;
  throw InputError(
      fmt::format("{} must lie in [{}, {}] {}, is {}", quantity, lower, upper, unit, value));
}

void require_positive(double value, std::string_view quantity, std::string_view unit) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError(
      fmt::format("{} must be positive and finite [{}], is {}", quantity, unit, value));
}

void require_not_negative(double value, std::string_view quantity, std::string_view unit) {
  if (value >= 0 && std::isfinite(value)) return;
  throw InputError(
      fmt::format("{} must be zero or positive and finite [{}], is {}", quantity, unit, value));
}

void require_finite(double value, std::string_view quantity) {
  if (!std::isfinite(value))
    throw InputError(fmt::format("{} must be finite, is {}", quantity, value));
}

void require_finite(const MatrixView& values, std::string_view quantity) {
  for (Eigen::Index j = 0; j < values.cols(); ++j)
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, j))) continue;
      const std::string where =
          values.cols() == 1 ? fmt::format("[{}]", i) : fmt::format("({}, {})", i, j);
      throw InputError(fmt::format("{}{} must be finite, is {}", quantity, where, values(i, j)));
    }
}

void require_index(Eigen::Index index, Eigen::Index size, std::string_view quantity) {
  if (0 <= index && index < size) return;
  throw InputError(size > 0
                       ? fmt::format("{} must lie in [0, {}], is {}", quantity, size - 1, index)
                       : fmt::format("{} is {}, but there are none", quantity, index));
}

void require_size(Eigen::Index found, Eigen::Index expected, std::string_view quantity) {
  if (found == expected) return;
  throw InputError(fmt::format("{} must have size {}, has {}", quantity, expected, found));
}

}  // namespace backlash
