// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"

namespace backlash::test {

/// A call that must throw InputError, and a part of the sentence that says why.
struct Misuse {
  std::function<void()> call;
  std::string complaint;
};

inline void expect_refused(const std::vector<Misuse>& table) {
  for (const Misuse& misuse : table)
    EXPECT_THAT(misuse.call,
                ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(misuse.complaint)));
}

}  // namespace backlash::test
