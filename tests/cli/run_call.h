// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/paths.h"
#include "support/program.h"

namespace backlash::test_run {

inline const std::string slider_crank = source_folder() + "/examples/slider_crank/model.yaml";

/// `backlash run` with these arguments.
inline ProgramResult run(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"run"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program(program_file(), all);
}

}  // namespace backlash::test_run
