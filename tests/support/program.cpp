// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "support/files.h"

namespace backlash {

RunningProgram::RunningProgram(const std::string& program,
                               const std::vector<std::string>& arguments) {
  const std::string out = folder_ / "out", err = folder_ / "err";
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  // Shells ignore SIGINT in what they start in the background, nohup SIGHUP, and children inherit
  // it.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error =
      posix_spawn(&process_, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("cannot start " + program);
}

RunningProgram::~RunningProgram() {
  if (process_ == 0) return;
  send(SIGKILL);
  waitpid(process_, nullptr, 0);
}

void RunningProgram::send(int signal) const { kill(process_, signal); }

ProgramResult RunningProgram::wait() {
  int status = 0;
  const pid_t process = std::exchange(process_, 0);
  if (waitpid(process, &status, 0) != process) throw std::runtime_error("lost a program");
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = file_text(folder_ / "out"),
          .err = file_text(folder_ / "err")};
}

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments) {
  return RunningProgram(program, arguments).wait();
}

ProgramResult run_shell(const std::string& command) {
  return run_program("/bin/sh", {"-c", command});
}

}  // namespace backlash
