// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Forces of given strength in a step (theory 4.9).
namespace backlash {
namespace {

using Index = Eigen::Index;

/// What a row may do in a step: an impulse besides, and what the solver may choose around it, by
/// the law of friction with a shifted velocity.
struct Range {
  double impulse = 0;  ///< [N s]
  double limit = 0;    ///< [N s]
  double shift = 0;    ///< [m/s]
};

/// One half is given, the other by the law of friction: together 0 … a.
Range clutch(double most) { return {.impulse = 0.5 * most, .limit = 0.5 * most}; }

/// A preload of the impulse `most` at the displacement x, with the velocity γ at the start and the
/// mobility G of its row.
Range preload(double most, double x, double gamma, double mobility, double step) {
  const double kick = mobility * most;  // most that the preload changes γ by
  const double reach = 0.5 * step * std::abs(gamma);
  if (std::abs(gamma) > 3 * kick)  // too fast to be held: what it does on the way, in the mean
    return {.impulse = -most * std::clamp(x / reach, -1.0, 1.0)};
  if (std::abs(x) > step * (std::abs(gamma) + kick)) return {.impulse = -std::copysign(most, x)};
  return {.limit = most, .shift = x / step};
}

}  // namespace

void add_last_relays(Moreau::Workspace& work, const State& state) {
  const double last = work.memory.last_step(state.z);
  if (work.relays == 0 || last == 0) return;
  const auto impulses = work.memory.impulses(state.z);
  for (const RowGroup& group : work.set.groups)
    if (group.kind == RowGroup::Kind::relay)
      add_effect(work, work.set, group, 0, impulses[work.bilaterals + group.number] / last,
                 work.acceleration);
}

void limit_relay_impulses(Moreau::Workspace& work, const Island& island, double step,
                          ContactProblem& problem) {
  if (island.relays == 0) return;
  Arena::Frame frame(work.scratch);
  VectorMap given = frame.vector(island.rows), change = frame.vector(island.rows);
  given.setZero();
  for (int i = 0; i < island.relays; ++i) {
    const RowGroup& group = work.set.groups[island.first_group + at(island.bilaterals + i)];
    const RelayLaw law = work.system.info().relays[at(group.number)].law;
    const Index row = group.first_row - island.first_row;
    const double most = step * work.relay_strength[group.number];
    Range range{.limit = most};
    if (law == RelayLaw::clutch) range = clutch(most);
    if (law == RelayLaw::preload)
      range = preload(most, work.relay_displacement[group.number],
                      work.gamma_before[group.first_row], work.mobility[group.first_row], step);
    work.relay_impulse[group.number] = given[row] = range.impulse;
    work.relay_limit[group.number] = range.limit / step;
    problem.blocks[at(island.bilaterals + i)].law = Relay{.limit = range.limit};
    work.gamma_free[group.first_row] += range.shift;
    problem.free_velocity[row] += range.shift;
  }
  apply(problem.delassus, given, work.scratch, change);
  problem.free_velocity += change;
  work.gamma_free.segment(island.first_row, island.rows) += change;
}

}  // namespace backlash
