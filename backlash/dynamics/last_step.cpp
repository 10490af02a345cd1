// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/last_step.h"

namespace backlash {

LastStep last_step(const System& system, const State& before, const State& now) {
  const Memory memory(system.info());
  LastStep last{.step = now.t - before.t,
                .middle = configuration(system, now),
                .velocity = 0.5 * (before.u + now.u),
                .acceleration = Vector::Zero(now.u.size()),
                .row_forces = Vector::Zero(memory.impulses_size())};
  if (!(last.step > 0) || memory.last_step(now.z) == 0) {
    last.step = 0;
    return last;
  }
  last.middle.t = before.t + 0.5 * last.step;
  system.advance(before.q, before.u, 0.5 * last.step, last.middle.q);
  if (last.middle.switches.size() > 0) last.middle.switches = memory.last_switches(now.z);
  system.configure(last.middle);
  last.acceleration = (now.u - before.u) / last.step;
  last.row_forces = memory.impulses(now.z) / last.step;
  return last;
}

}  // namespace backlash
