// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace backlash {

/// A file that a model was read from.
struct ModelText {
  std::string file;  ///< its name
  std::string text;  ///< all that is in it
  bool operator==(const ModelText&) const = default;
};

}  // namespace backlash
