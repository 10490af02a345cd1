// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/archive.h"
#include "backlash/integrators/simulate.h"
#include "backlash/run/activation_watch.h"
#include "backlash/run/energy_watch.h"
#include "backlash/run/overlap_watch.h"
#include "backlash/run/reach_watch.h"
#include "backlash/run/work_watch.h"

namespace backlash {

/// An event that waits for a force and happened in a step with an impact, whose force is of the
/// step's length.
struct TrippingImpact {
  double t = NAN;    ///< end of that step; NAN: there was none [s]
  double step = 0;   ///< its length [s]
  int event = 0;     ///< index into SystemInfo::events
  ContactKey key{};  ///< of the impact

  void archive(Archive& a) { a(t, step, event, key); }
};

/// How far a run has come: all that it remembers. Saved after a step and restored, it goes on to
/// the same bits, wherever its State does.
struct RunProgress {
  State state{};
  RunSummary summary{};
  EnergyWatch watch;
  WorkWatch works;
  OverlapWatch overlaps;
  ReachWatch reach;
  ActivationWatch activations;
  double t_singular = NAN;  ///< of the first step near a singular position [s]
  TrippingImpact tripped{};

  void archive(Archive& a);
};

/// The progress as bytes, and back into a run of the same mechanism. Restoring throws InputError
/// for bytes of another one.
std::string save(const RunProgress& progress);
void restore(const std::string& bytes, const SystemInfo& info, RunProgress& progress);

}  // namespace backlash
