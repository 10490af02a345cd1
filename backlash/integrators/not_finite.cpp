// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/not_finite.h"

namespace backlash {

std::optional<Origin> find_not_finite_in_step(const System& system, const Memory& memory,
                                              const State& state, double step) {
  Configuration c = configuration(system, state);
  set_configuration(system, memory, state, c);
  for (const double part : {0.0, 0.5, 1.0}) {
    c.t = state.t + part * step;
    system.advance(state.q, state.u, part * step, c.q);
    if (!c.q.allFinite()) break;
    system.configure(c);
    if (std::optional<Origin> source = system.find_not_finite(c, state.u)) return source;
  }
  return std::nullopt;
}

}  // namespace backlash
