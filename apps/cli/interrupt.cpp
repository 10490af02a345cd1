// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace backlash::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void catch_signal(int signal) {
  caught = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, catch_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup
  // A file at its limit is an error of writing, as a full disk is, and so is a reader that is gone.
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
}

bool interrupted() { return caught != 0; }

}  // namespace backlash::cli
