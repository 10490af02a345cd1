// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/reaction_sums.h"

namespace backlash {

ReactionSums::ReactionSums(const System& system)
    : system_(system), interval_(no_reactions(system.info())) {
  reaction_ = regular_ = percussion_ = impulse_ = interval_.mean;
}

void ReactionSums::set_step(const LastStep& step, double length, const Exceptions& exceptions) {
  system_.reactions(step, reaction_);
  percussion_.setZero();
  if (exceptions.bodies_met)
    percussion_ = length * (reaction_ - regular_);
  else
    regular_ = reaction_;
  t_ = exceptions.bodies_met || exceptions.uneven ? NAN : step.middle.t;
}

void ReactionSums::add(const StepPart& part) {
  if (part.has_middle) interval_.impact += percussion_;
  if (!std::isnan(t_)) raise_peaks(system_.info(), reaction_, t_, interval_);
  impulse_ += part.length * regular_;
  elapsed_ += part.length;
  if (elapsed_ > 0) interval_.mean = impulse_ / elapsed_;
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
