// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "trial_reading.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/io/results/read_run.h"

namespace backlash::cli {
namespace {

/// What a reading may take.
struct ReadingLimits {
  double cpu_time = 0;  ///< [s]
  rlim_t memory = 0;    ///< beyond what the program has [bytes]
};

/// Usual files need 0.1 s for each 10 MB, and four times their size. Those of a mechanism at rest
/// are compressed to a thousandth of that, at best.
ReadingLimits limits_for(std::uintmax_t bytes) {
  return {.cpu_time = 0.5 + 1e-6 * static_cast<double>(bytes),
          .memory = (rlim_t{1} << 31) + 1000 * static_cast<rlim_t>(bytes)};
}

/// Of all that the process has mapped [bytes].
rlim_t memory_now() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void set_limit(__rlimit_resource resource, rlim_t most) {
  struct rlimit limit {};
  getrlimit(resource, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  setrlimit(resource, &limit);
}

/// Ends the process by SIGPROF when it has had so much [s]; finer than RLIMIT_CPU.
void set_cpu_time(double most) {
  const double whole = std::floor(most);
  itimerval timer{};
  timer.it_value = {.tv_sec = static_cast<time_t>(whole),
                    .tv_usec = static_cast<suseconds_t>(1e6 * (most - whole))};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// In the child: it holds no lock of its parent's longer than that lives, and ends with it.
void let_go() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_range(STDERR_FILENO + 1, ~0U, 0);
}

/// In the child: what a library prints when it fails is not for the user.
void be_quiet() {
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

[[noreturn]] void read_and_exit(const ReadingLimits& limits, const std::function<void()>& read) {
  constexpr int fine = 0, no_memory = 1;
  let_go();
  be_quiet();
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF})
    std::signal(signal, SIG_DFL);
  set_limit(RLIMIT_CORE, 0);
  set_cpu_time(limits.cpu_time);
  set_limit(RLIMIT_AS, memory_now() + limits.memory);
  try {
    read();
  } catch (const std::bad_alloc&) {
    _exit(no_memory);
  } catch (const std::exception&) {  // the program comes to it by itself
  }
  _exit(fine);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

/// The file that HDF5 reads: itself, or the one in a folder. Empty: the folder holds tables alone,
/// however long these are.
std::filesystem::path hdf5_of(const std::filesystem::path& file) {
  std::error_code none;
  const auto inside = file / "results.h5";
  if (std::filesystem::exists(inside, none)) return inside;
  return std::filesystem::is_directory(file, none) ? std::filesystem::path{} : file;
}

std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

}  // namespace

void try_reading(const std::filesystem::path& file, const std::function<void()>& read) {
  const std::filesystem::path hdf5 = hdf5_of(file);
  if (hdf5.empty()) return;
  const ReadingLimits limits = limits_for(size_of(hdf5));
  const pid_t child = fork();
  if (child < 0)
    throw IoError(fmt::format("{}: cannot be read: no process can be started to try it: {}",
                              file.string(), std::generic_category().message(errno)));
  if (child == 0) read_and_exit(limits, read);
  const int status = wait_for(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const char* const why = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF
                              ? "does not come to an end of it"
                          : WIFEXITED(status) ? "finds no memory for what it claims to hold"
                                              : "crashes on it";
  throw InputError(fmt::format("{}: is damaged: the HDF5 library {}", file.string(), why));
}

Results read_run_after_trial(const std::filesystem::path& run) {
  try_reading(run, [&] { read_run(run); });
  return read_run(run);
}

FclibProblem read_fclib_after_trial(const std::filesystem::path& file) {
  try_reading(file, [&] { read_fclib(file); });
  return read_fclib(file);
}

}  // namespace backlash::cli
