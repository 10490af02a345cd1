// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/dynamics/system.h"

namespace backlash {

/// Steps of equal length: step k ends at origin + k·step, rounded once, so that a million steps add
/// up to the time that they should.
struct EqualSteps {
  double step = 0;    ///< [s]
  double origin = 0;  ///< [s]
  double count = 0;   ///< of steps since then; and a part more while one is taken in parts

  /// As they go on from t, which is a new origin unless it is where the last step ended.
  static EqualSteps from(double t, double step, double origin, double count);

  double whole() const { return std::floor(count); }
  /// The count after one part more of the next step: half of what is left to the next integer.
  double in_part() const;
  /// Of the next step, that have been taken; not more than are counted.
  int parts() const;
};

/// A step that is to be taken.
struct PlannedStep {
  double length = 0;  ///< [s]
  double t_end = 0;   ///< [s]
};

/// The next step: shorter before the end of the run, and before the time of an event, which is met
/// exactly (theory 4.8).
PlannedStep next_step(const SystemInfo& info, const EqualSteps& steps, double t, double until);

}  // namespace backlash
