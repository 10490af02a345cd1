// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace backlash {

/// Where the user said a thing, so that a check can point at it.
struct SourceLocation {
  std::string file{};  ///< empty: not from a file
  int line = 0;        ///< from 1
  int column = 0;      ///< from 1
  std::string path{};  ///< in the model: "joints.guide.clearance"
};

/// "model.yaml:12:5: joints.guide" with what is known of it.
std::string to_string(const SourceLocation& where);

}  // namespace backlash
