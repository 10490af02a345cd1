// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace backlash::cli {

/// Tells, often enough and at no cost worth speaking of, that some time has passed.
class Ticker {
 public:
  using Clock = std::chrono::steady_clock;

  /// True about ten times a second of the many times that it is asked.
  bool due();

  /// Since the ticker was made [s].
  double elapsed() const;

 private:
  Clock::time_point start_ = Clock::now(), last_ = start_;
  long calls_ = 0, look_after_ = 1;  ///< calls until the clock is looked at
};

/// How far a run has come, on one line of standard error that is written over and over. Nothing is
/// shown where standard error is no terminal.
class Progress {
 public:
  enum class Wanted { no, yes };
  explicit Progress(Wanted wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  struct Figures {
    double t_start, t, until;  ///< [s]
    long steps;
    double elapsed;  ///< [s] of wall time
  };
  void show(const Figures& figures);

  /// Remove the line.
  void clear();

 private:
  bool active_;
  bool shown_ = false;
};

}  // namespace backlash::cli
