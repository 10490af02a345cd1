// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace backlash {

/// What a program left behind.
struct ProgramResult {
  int exit_code = -1;  ///< 128 + the signal, if one ended it
  std::string out;     ///< standard output
  std::string err;     ///< standard error
};

/// Run a program with these arguments, no shell between, and wait for its end.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace backlash
