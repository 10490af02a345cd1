// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/energy.h"

namespace backlash {

/// Watches what the method itself makes or loses beside the energy at hand: the largest kinetic
/// energy so far, the largest change of the potential, and what contacts have taken; at least what
/// a motion by 1e-4 of the model's size in a second has.
class EnergyWatch {
 public:
  /// `limit`: of the energy at hand, that may be made or lost.
  EnergyWatch(const System& system, const State& start, double limit);

  /// After each step; looks now and then. False if too much was made or lost, or an energy is not
  /// finite.
  bool accepts(const State& state);

  /// Looks at once.
  bool accepts(const EnergyLedger& now);

  double at_hand() const;  ///< [J]

 private:
  const System& system_;
  EnergyLedger start_;
  double limit_;
  double least_;                                    ///< of what is called at hand [J]
  double kinetic_ = 0, potential_ = 0, taken_ = 0;  ///< the largest [J]
  long steps_ = 0;
};

}  // namespace backlash
