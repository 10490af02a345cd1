// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/work_watch.h"

#include <algorithm>
#include <cmath>

namespace backlash {

WorkWatch::WorkWatch(const System& system, const State& start, Velocities velocities)
    : system_(system),
      velocities_(velocities),
      memory_(system.info()),
      c_(configuration(system, start)) {
  if (start.z.size() > 0) last_ = {start.t, start.q, start.u, start.z};
}

double WorkWatch::power(const End& end, const Vector& u, const Vector& along) {
  state_.t = end.t;
  state_.q = end.q;
  state_.z = end.z;
  set_configuration(system_, memory_, state_, c_);
  return system_.applied_power(c_, u, along);
}

/// (theory 4.32)
void WorkWatch::look(const End& from, const End& to) {
  constexpr double part = 0.4;
  const double h = to.t - from.t;
  double mean;
  if (velocities_ == Velocities::of_each_end) {
    mean = 0.5 * h * (power(from, from.u, from.u) + power(to, to.u, to.u));
  } else {
    const Vector along = 0.5 * (from.u + to.u);
    mean = 0.5 * h * (power(from, to.u, along) + power(to, to.u, along));
  }
  const double apart = std::abs(to.work - mean);
  if (!(apart > part * std::max(std::abs(to.work), std::abs(mean)))) return;
  unresolved_ += apart;
  if (std::isnan(t_first_)) t_first_ = from.t;
}

void WorkWatch::add(const State& state, double beside_mean, double at_hand) {
  constexpr double noticed = 1e-3;  // of the energy at hand
  const bool has_last = last_.z.size() > 0;
  const double work =
      has_last ? memory_.applied_work(state.z) - memory_.applied_work(last_.z) - beside_mean : 0;
  const bool large = std::abs(work) > noticed * at_hand;
  if (large && !looked_ && before_.z.size() > 0) look(before_, last_);
  std::swap(before_, last_);
  last_.t = state.t;
  last_.q = state.q;
  last_.u = state.u;
  last_.z = state.z;
  last_.work = work;
  if (large) look(before_, last_);
  looked_ = large || !has_last;
}

}  // namespace backlash
