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
  const MatrixMap mass_inverse_W = mass_inverse_W_of(work, work.islands.front());
  for (Index i = work.bilaterals; i < work.bilaterals + work.relays; ++i)
    for (Index k = 0; k < work.acceleration.size(); ++k)
      work.acceleration[k] += mass_inverse_W(k, i) * (impulses[i] / last);
}

void limit_relay_impulses(Moreau::Workspace& work, double step) {
  ContactProblem& problem = work.problem;
  const auto& G = std::get<DenseDelassus>(problem.delassus).G;
  const Index first = work.bilaterals, rows = work.rows;
  for (Index i = 0; i < work.relays; ++i) {
    const RelayLaw law = work.system.info().relays[static_cast<std::size_t>(i)].law;
    const double most = step * work.relay_strength[i];
    Range range{.limit = most};
    if (law == RelayLaw::clutch) range = clutch(most);
    if (law == RelayLaw::preload)
      range = preload(most, work.relay_displacement[i], work.gamma_before[first + i],
                      G(first + i, first + i), step);
    work.relay_impulse[i] = range.impulse;
    work.relay_limit[i] = range.limit / step;
    problem.blocks[static_cast<std::size_t>(first + i)].law = Relay{.limit = range.limit};
    work.gamma_free[first + i] += range.shift;
    problem.free_velocity[first + i] += range.shift;
    if (range.impulse == 0) continue;
    for (Index j = 0; j < rows; ++j) {
      work.gamma_free[j] += G(j, first + i) * range.impulse;
      problem.free_velocity[j] += G(j, first + i) * range.impulse;
    }
  }
}

}  // namespace backlash
