// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/reaction_sums.h"

namespace backlash {

ReactionSums::ReactionSums(const System& system)
    : system_(system), interval_(no_reactions(system.info())) {
  reaction_ = regular_ = impulse_ = interval_.mean;
}

void ReactionSums::add(const LastStep& step, double length, const Exceptions& exceptions) {
  system_.reactions(step, reaction_);
  if (exceptions.bodies_met) {
    interval_.impact += length * (reaction_ - regular_);
  } else {
    regular_ = reaction_;
    if (!exceptions.uneven) raise_peaks(system_.info(), reaction_, step.middle.t, interval_);
  }
  impulse_ += length * regular_;
  elapsed_ += length;
  interval_.mean = impulse_ / elapsed_;
}

void ReactionSums::set_end(const LastStep& end) {
  system_.reactions(end, interval_.mean);
  raise_peaks(system_.info(), interval_.mean, end.middle.t, interval_);
}

void ReactionSums::clear() {
  impulse_.setZero();
  interval_.peak.setZero();
  interval_.impact.setZero();
  elapsed_ = 0;
}

}  // namespace backlash
