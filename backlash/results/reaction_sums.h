// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>

#include "backlash/base/archive.h"
#include "backlash/dynamics/last_step.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// What lies between two rows, or the start or end, of a step.
struct StepPart {
  double share = 1;   ///< of the step
  double length = 0;  ///< [s]
  bool has_start = true, has_middle = true, has_end = true;
};

/// Sums up what joints do from row to row: their mean reactions with the peaks beside them, and
/// apart from them the impulses that impacts give.
class ReactionSums {
 public:
  explicit ReactionSums(const System& system);

  /// Whether there is anything to sum up.
  bool empty() const { return reaction_.size() == 0; }

  /// Why what joints do in a step is no peak.
  struct Exceptions {
    /// In an impact, which takes no time. What a joint does in such a step beyond what it did in
    /// the last one without is the impact's (theory 6.15).
    bool bodies_met = false;
    bool uneven = false;  ///< as StepResult
  };

  /// A step, of the given length [s], whose parts follow.
  void set_step(const LastStep& step, double length, const Exceptions& exceptions);

  /// Then what joints did at once at its start and its end (theory 4.31).
  void set_percussions(std::span<const Percussion> percussions, double t_end);
  void add(const StepPart& part);

  /// The forces at the end of the interval are known.
  void set_end(const LastStep& end);

  const IntervalReactions& interval() const { return interval_; }

  /// The next interval.
  void clear();

  void archive(Archive& a) {
    a(reaction_, regular_, impulse_, elapsed_, interval_.mean, interval_.peak, interval_.t_peak,
      interval_.impact);
  }

 private:
  const System& system_;
  Vector reaction_;           ///< of the step
  Vector regular_;            ///< of the last one without an impact
  Vector percussion_;         ///< of the impact in the step [N s, N m s]
  Vector at_start_, at_end_;  ///< of joints that events held [N s, N m s]
  LastStep held_;             ///< room for one of those
  Vector at_rest_;            ///< reactions without it
  double t_ = NAN;            ///< of the step's middle, if what joints do in it may be a peak [s]
  Vector impulse_;            ///< in the interval, without impacts [N s, N m s]
  double elapsed_ = 0;
  IntervalReactions interval_;
};

}  // namespace backlash
