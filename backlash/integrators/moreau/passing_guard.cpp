// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/passing_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

/// Below it steps are not shortened; nor below what the time resolves.
double shortest_guarded_step(const Moreau::Workspace& work, double t) {
  constexpr double resolution = 16 * std::numeric_limits<double>::epsilon();
  const double usual = work.options.automatic_step ? work.options.max_step : work.options.step;
  return std::max(shortest_safe_part * usual, resolution * std::abs(t));
}

/// The step is given up: it may be as long as said, or fails where that is too short.
void give_up(Moreau::Workspace& work, const State& state, double safe) {
  work.result.status = StepStatus::would_pass;
  work.result.contact = work.guard.scratch.shortest;
  work.shorter_step = safe < shortest_guarded_step(work, state.t) ? INFINITY : safe;
}

/// Whether bodies were slow a few steps ago and have not become twice as fast.
bool still_slow(const Moreau::Workspace& work, const State& state, double step) {
  const MoreauMemory& memory = work.own_memory;
  return state.t < memory.slow_until(state.z) && step <= memory.slow_step(state.z) &&
         (state.u.array().abs() <= memory.slow_velocities(state.z).array()).all();
}

/// What System::passing_travel() gives. If that would be nothing in steps of four times the length
/// either, the next ones do not ask.
double travel_unless_slow(Moreau::Workspace& work, const Vector& u, double step) {
  work.guard.slow = work.system.passing_travel(work.middle, u, 4 * step) == 0;
  return work.guard.slow ? 0 : work.system.passing_travel(work.middle, u, step);
}

}  // namespace

bool passes_nothing(Moreau::Workspace& work, const State& state, double step) {
  PassingGuard& guard = work.guard;
  if (still_slow(work, state, step)) return true;
  const double travel = travel_unless_slow(work, state.u, step);
  if (travel == 0) return true;
  guard.fast = work.system.passing_travel(work.middle, state.u, 0.5 * step) > 0;
  set_configuration(work.system, work.memory, state, work.end);
  guard.scratch.know_closed(state.contacts);
  const double safe =
      safe_step(work.system, {work.end, state.u, step, travel, state.contacts}, guard.scratch);
  if (safe < step) give_up(work, state, safe);
  return safe >= step;
}

bool passes_nothing_after(Moreau::Workspace& work, const State& state, double step) {
  PassingGuard& guard = work.guard;
  const double half = 0.5 * step;
  const double travel = work.system.passing_travel(work.middle, work.u_end, half);
  if (travel == 0) return true;
  work.end.t = work.middle.t;
  work.end.q = work.middle.q;
  work.end.switches = work.middle.switches;
  work.system.configure(work.end);
  guard.scratch.known.clear();
  for (const ContactFrame& frame : work.frames) guard.scratch.known.push_back(frame.key);
  const double safe =
      safe_step(work.system, {work.end, work.u_end, half, travel, state.contacts}, guard.scratch);
  if (safe < half) give_up(work, state, half);
  return safe >= half;
}

void remember_slow_bodies(const Moreau::Workspace& work, State& state, double step) {
  constexpr double steps = 16.5;  // in which levers do not change by much more than parts are thick
  const MoreauMemory& memory = work.own_memory;
  memory.slow_until(state.z) = state.t + steps * step;
  memory.slow_step(state.z) = step;
  memory.slow_velocities(state.z) = 2 * state.u.cwiseAbs();
}

}  // namespace backlash
