// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace backlash {

/// What a program left behind.
struct ProgramResult {
  int exit_code = -1;  ///< 128 + the signal, if one ended it
  std::string out;     ///< standard output
  std::string err;     ///< standard error
};

/// A program that was started with these arguments, no shell between. It is killed with the object.
class RunningProgram {
 public:
  RunningProgram(const std::string& program, const std::vector<std::string>& arguments);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send(int signal) const;
  ProgramResult wait();  ///< for its end

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;  ///< 0: it has ended
};

/// Run a program and wait for its end.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments);

/// The same for a command line of the shell, for what only a shell can set: limits, folders.
ProgramResult run_shell(const std::string& command);

}  // namespace backlash
