// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backlash/integrators/integrator.h"

namespace backlash {

/// How fast a contact closes.
struct Approach {
  double speed = 0;  ///< largest −γ_N [m/s]
  double t = 0;      ///< when [s]
};

/// The first steps of a run, as far as they show how the rest will go.
struct Trial {
  long steps = 0;
  double step = 0;                            ///< their length, or the longest [s]
  double t = 0;                               ///< reached [s]
  StepStatus status = StepStatus::done;       ///< of the last step
  std::map<ContactKey, Approach> approach{};  ///< of the contacts that were near
  std::vector<State> samples{};               ///< the start, and some states after it
};

/// At most so many steps until `until` [s], and no more iterations of the contact solver than that
/// could need.
Trial try_steps(Integrator& integrator, const State& start, double until, long steps);

}  // namespace backlash
