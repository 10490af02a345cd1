// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/equal_steps.h"

#include <cmath>

namespace backlash {
namespace {

constexpr int most_counted = 20;  // parts of a step

}  // namespace

double EqualSteps::in_part() const {
  return parts() < most_counted ? count + 0.5 * (whole() + 1 - count) : count;
}

int EqualSteps::parts() const {
  return static_cast<int>(std::lround(-std::log2(whole() + 1 - count)));
}

EqualSteps EqualSteps::from(double t, double step, double origin, double count) {
  if (std::fma(count, step, origin) == t) return {step, origin, count};
  const EqualSteps begun{step, origin, count};
  const double done = t - std::fma(begun.whole(), step, origin);
  if (count > begun.whole() && done > 0 && done < step) return begun;
  return {step, t, 0};
}

PlannedStep next_step(const SystemInfo& info, const EqualSteps& steps, double t, double until) {
  const double step = steps.step, left = until - t;
  PlannedStep next{step, std::fma(steps.whole() + 1, step, steps.origin)};
  if (steps.count > steps.whole()) next.length = next.t_end - t;
  if (left < next.length * (1 + 1e-6)) next = {left, until};
  for (const EventInfo& event : info.events) {
    if (!event.time) continue;
    const double ahead = *event.time - t;
    if (ahead <= 1e-6 * step || ahead >= 2 * next.length) continue;
    if (ahead < next.length * (1 - 1e-6))
      next = {ahead, *event.time};
    else if (ahead > next.length * (1 + 1e-6))
      next = {0.5 * ahead, t + 0.5 * ahead};  // two steps instead of a long and a short one
  }
  return next;
}

}  // namespace backlash
