// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/run/run.h"

namespace backlash {

/// A run that failed, and what it was like before.
struct FailedRun {
  const RunSetup& setup;
  const EnergyWatch& watch;
  const State& state;  ///< the last that was reached
  double step = 0;     ///< of the equal ones; else of the one that failed, or the last [s]
  double made = 0;     ///< by the method [J]
};

/// Why its numbers have exploded: a step beyond the limit of stability (theory 8.4), or longer
/// than impacts on contacts that are forces, or a motion that has grown without bounds. Empty: they
/// have not, as far as can be seen.
std::string describe_explosion(const FailedRun& run);

}  // namespace backlash
