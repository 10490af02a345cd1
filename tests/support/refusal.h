// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/input_error.h"
#include "support/models.h"

namespace backlash::test {

/// What a model file is refused for.
inline std::string refusal(const std::string& text) {
  try {
    assembled(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace backlash::test
