// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/last_step.h"

namespace backlash {

LastStep::LastStep(const SystemInfo& info)
    : memory(info),
      middle{.q = Vector::Zero(info.positions),
             .switches = Vector::Zero(static_cast<Eigen::Index>(info.switches.size())),
             .cache = Vector::Zero(info.cache)},
      velocity(Vector::Zero(info.velocities)),
      acceleration(velocity),
      row_forces(Vector::Zero(memory.impulses_size())) {}

void LastStep::set(const System& system, const State& before, const State& now) {
  step = now.t - before.t;
  velocity = 0.5 * (before.u + now.u);
  if (!(step > 0) || memory.last_step(now.z) == 0) {
    step = 0;
    acceleration.setZero();
    row_forces.setZero();
    set_configuration(system, memory, now, middle);
    return;
  }
  acceleration = (now.u - before.u) / step;
  row_forces = memory.impulses(now.z) / step;
  middle.t = before.t + 0.5 * step;
  middle.switches = memory.last_switches(now.z);
  system.advance(before.q, before.u, 0.5 * step, middle.q);
  system.configure(middle);
}

}  // namespace backlash
