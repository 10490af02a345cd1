// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/loop_mobility.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The first is none; the others move all coordinates, by about a radian or the model's length.
void write_displacement(const SystemInfo& info, int number, Vector& displacement) {
  for (Index i = 0; i < displacement.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool turns = k < info.angular.size() && info.angular[k];
    const double part =
        number == 0 ? 0 : std::sin(static_cast<double>(number) + 2.0 * static_cast<double>(i));
    displacement[i] = part * (turns ? 1 : info.length);
  }
}

}  // namespace

MobilityScratch::MobilityScratch(const SystemInfo& info) {
  const auto rows = static_cast<Index>(info.bilaterals.size());
  near.q.setZero(info.positions);
  near.cache.setZero(info.cache);
  near.switches.setZero(static_cast<Index>(info.switches.size()));
  displacement.setZero(info.velocities);
  column.setZero(info.velocities);
  W.setZero(info.velocities, rows);
  w.setZero(rows);
}

void write_loop_mobility(const System& system, const Configuration& c, MobilityScratch& scratch,
                         VectorRef mobility) {
  constexpr int configurations = 4;
  mobility.setZero();
  scratch.near.t = c.t;
  scratch.near.switches = c.switches;
  for (int k = 0; k < configurations; ++k) {
    write_displacement(system.info(), k, scratch.displacement);
    system.advance(c.q, scratch.displacement, 1, scratch.near.q);
    system.configure(scratch.near);
    if (!system.factor_mass(scratch.near, scratch.M)) continue;
    system.bilateral_rows(scratch.near, scratch.W, scratch.w);
    for (Index i = 0; i < mobility.size(); ++i) {
      scratch.column = scratch.W.col(i);
      system.solve_mass(scratch.near, scratch.M, scratch.column);
      mobility[i] = std::max(mobility[i], scratch.W.col(i).dot(scratch.column));
    }
  }
}

}  // namespace backlash
