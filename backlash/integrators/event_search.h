// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"

namespace backlash {

/// Whether a step is to end where the event happens: its condition is one of the time, positions
/// and velocities. Those of forces of the last step are known when it is over (theory 4.39).
inline bool is_looked_for(const EventInfo& event) {
  return !event.time && !event.measured && event.after < 0;
}

/// Finds where in a step the first event with a condition happens, by steps of other lengths from
/// the same start: between one in which none happens and one in which some does, by regula falsi
/// and bisection (theory 4.8, 4.43).
class EventSearch {
 public:
  explicit EventSearch(const SystemInfo& info);

  /// Whether the model has events that are looked for.
  bool any() const { return any_; }

  /// Before a step of that length is tried, with Memory::switching() as it starts.
  void begin(const Vector& switching, double t, double step);

  /// After a step of that length was tried: the length of the next one, from its conditions. The
  /// same: it is the one to take.
  double next_length(const Vector& conditions, double tried);

  /// The length of the step to take: up to the event, as far as it is known, but no part of the
  /// step is very short.
  double choose();

  /// Whether some event happened in the step that was tried first.
  bool found() const { return upper_ > 0; }

  /// When an event happened in the step that was taken [s after its start].
  double time_of(std::size_t event) const;

 private:
  bool happens(std::size_t event, double condition) const;
  double estimate() const;

  const SystemInfo& info_;
  bool any_ = false;
  std::vector<char> awaited_;     ///< by this step
  Vector before_, after_;         ///< conditions at the ends of the bracket
  double lower_ = 0, upper_ = 0;  ///< its ends [s]
  double step_ = 0, tolerance_ = 0, width_ = 0;
  bool bisect_ = false, chosen_ = false;
};

}  // namespace backlash
