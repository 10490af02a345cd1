// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace backlash::cli {
namespace {

constexpr double interval = 0.1;  ///< [s]

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string bar(double fraction, std::size_t width) {
  const auto full = static_cast<std::size_t>(fraction * static_cast<double>(width));
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, '.'));
}

}  // namespace

bool Ticker::due() {
  if (++calls_ < look_after_) return false;
  calls_ = 0;
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - last_).count();
  if (passed < 0.1 * interval)
    look_after_ = std::min(2 * look_after_, 1L << 20);
  else if (passed > interval)
    look_after_ = std::max(look_after_ / 2, 1L);
  if (passed < interval) return false;
  last_ = now;
  return true;
}

double Ticker::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

Progress::Progress(Wanted wanted) : active_(wanted == Wanted::yes && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::show(const Figures& f) {
  if (!active_) return;
  const double fraction = std::clamp((f.t - f.t_start) / (f.until - f.t_start), 1e-9, 1.0);
  const std::string text = fmt::format(
      " {:3.0f} %  t = {:.4g} of {:.4g} s, {:.3g} steps/s, {} left", 100 * fraction, f.t, f.until,
      static_cast<double>(f.steps) / f.elapsed, duration(f.elapsed * (1 / fraction - 1)));
  const std::size_t width = terminal_width();
  const std::size_t room = width > text.size() + 4 ? width - text.size() - 4 : 0;
  const std::string line =
      fmt::format("\r\033[K{}{}", room >= 5 ? bar(fraction, std::min<std::size_t>(room, 30)) : "",
                  text.substr(0, width - 1));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace backlash::cli
