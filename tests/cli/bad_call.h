// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program.h"

namespace backlash {

/// A command line that the program must refuse.
struct BadCall {
  const char* name;
  std::vector<std::string> arguments;
  std::string complaint;  ///< part of the sentence that says why

  friend std::ostream& operator<<(std::ostream& out, const BadCall& call) {
    return out << call.name;
  }
};

/// That it ended with exit code 2 and one sentence.
inline void expect_refused(const ProgramResult& result, const BadCall& call) {
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, ::testing::StartsWith("backlash: "));
  EXPECT_THAT(result.err, ::testing::HasSubstr(call.complaint));
  EXPECT_EQ(result.out, "");
}

inline std::string name_of(const ::testing::TestParamInfo<BadCall>& call) {
  return call.param.name;
}

}  // namespace backlash
