// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/reaction_sums.h"

namespace backlash {

ReactionSums::ReactionSums(const System& system)
    : system_(system), held_(system.info()), interval_(no_reactions(system.info())) {
  reaction_ = regular_ = percussion_ = at_start_ = at_end_ = at_rest_ = impulse_ = interval_.mean;
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

/// As if each took a second: what joints do with the jump of the velocity as acceleration and with
/// its impulses as forces, beyond what they do without.
void ReactionSums::set_percussions(std::span<const Percussion> percussions, double t_end) {
  at_start_.setZero();
  at_end_.setZero();
  for (const Percussion& percussion : percussions) {
    held_.step = 1;
    held_.middle.t = percussion.t;
    held_.middle.q = percussion.q;
    held_.middle.switches = percussion.switches;
    system_.configure(held_.middle);
    held_.acceleration.setZero();
    held_.row_forces.setZero();
    system_.reactions(held_, at_rest_);
    held_.acceleration = percussion.velocity_jump;
    held_.row_forces = percussion.row_impulses;
    Vector& sum = percussion.t < t_end ? at_start_ : at_end_;
    sum -= at_rest_;
    system_.reactions(held_, at_rest_);
    sum += at_rest_;
  }
}

void ReactionSums::add(const StepPart& part) {
  if (part.has_start) interval_.impact += at_start_;
  if (part.has_end) interval_.impact += at_end_;
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
