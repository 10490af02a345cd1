// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/source_location.h"

#include <fmt/format.h>

namespace backlash {

std::string to_string(const SourceLocation& where) {
  std::string text = where.file;
  if (where.line > 0)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ":", where.line, where.column);
  if (!where.path.empty()) text += (text.empty() ? "" : ": ") + where.path;
  return text;
}

}  // namespace backlash
