// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/pace.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

constexpr long window = 2000;  ///< steps
constexpr long trial = 500;    ///< steps of backward differences, at most
constexpr double many = 2e5;   ///< steps left from which on it is worth a trial
constexpr double worth = 0.5;  ///< of the evaluations, that the other method may need
constexpr int windows_between = 20;

}  // namespace

void Pace::begin_window(double t, long evaluations) {
  t_ = t;
  evaluations_ = evaluations;
  steps_ = 0;
}

bool Pace::must_change(double t, long evaluations, double until) {
  if (std::isnan(t_) || t < t_) {
    begin_window(t, evaluations);
    return false;
  }
  ++steps_;
  const double passed = t - t_;
  if (kind_ == Kind::tried ? steps_ < trial && passed < duration_ : steps_ < window) return false;
  const double cost = static_cast<double>(evaluations - evaluations_) / passed;
  const double steps_left = (until - t) / passed * static_cast<double>(steps_);
  begin_window(t, evaluations);
  if (kind_ == Kind::tried) {
    const bool better = cost < worth * cost_;
    kind_ = better ? Kind::stiff : Kind::usual;
    wait_ = windows_between;
    if (!better) method_ = OdeMethod::adams;
    return !better;
  }
  if (kind_ == Kind::stiff || method_ != OdeMethod::adams) return false;
  if (wait_ > 0) --wait_;
  if (wait_ > 0 || !(steps_left > std::min(many, max_steps_))) return false;
  cost_ = cost;
  duration_ = passed;
  kind_ = Kind::tried;
  method_ = OdeMethod::bdf;
  return true;
}

}  // namespace backlash
