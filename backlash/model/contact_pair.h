// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "backlash/base/source_location.h"

namespace backlash {

/// A shape of a body.
struct ShapeName {
  std::string body{};
  std::string shape{};
  bool operator==(const ShapeName&) const = default;
};

/// Each shape of A may touch each of B that belongs to another body.
struct ContactPair {
  std::string name{};
  std::vector<ShapeName> A{};  ///< groups and whole bodies are spelled out
  std::vector<ShapeName> B{};
  std::string law{};
  /// Where on the profiles of A and B the closest points are at the start, if the user says so.
  std::optional<std::array<double, 2>> guess{};
  bool active = true;  ///< at the start; events may turn it
  SourceLocation where{};
};

}  // namespace backlash
