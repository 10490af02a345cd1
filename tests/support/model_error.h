// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test {

/// What is said of a model file; "accepted": nothing.
inline std::string model_error(const std::string& text,
                               std::span<const ParameterOverride> set = {}) {
  try {
    parse_model(text, "m.yaml", set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A text with its first `before` replaced.
inline std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

}  // namespace backlash::test
