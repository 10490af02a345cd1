// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <csignal>

namespace backlash::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void catch_signal(int signal) {
  caught = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, catch_signal);
  std::signal(SIGTERM, catch_signal);
}

bool interrupted() { return caught != 0; }

}  // namespace backlash::cli
