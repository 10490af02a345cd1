// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/passing.h"

namespace backlash {

/// Whether bodies may pass through each other in the step that is tried (theory 4.20).
struct PassingGuard {
  bool slow = false;  ///< bodies are so slow that the next steps need not ask
  bool fast = false;  ///< and so fast that they go as far in a step as the thinnest is thick
  PassingScratch scratch;
};

/// Whether no body passes through another in the step, seen from its start (theory 4.20); else
/// work.shorter_step says how long it may be. Needs `middle`.
bool passes_nothing(Moreau::Workspace& work, const State& state, double step);

/// The same of its second half, after an impact in its middle. Needs u_end.
bool passes_nothing_after(Moreau::Workspace& work, const State& state, double step);

/// For the next steps, where bodies were found to be slow at the start of this one, that is
/// committed.
void remember_slow_bodies(const Moreau::Workspace& work, State& state, double step);

}  // namespace backlash
