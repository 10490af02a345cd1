// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"

/// How far the rows of loops may be moved, to judge whether they vanish where they are.
namespace backlash {

/// What the search for it needs; nothing is carried over from one to the next.
struct MobilityScratch {
  explicit MobilityScratch(const SystemInfo& info);

  Configuration near;
  Vector displacement;
  Matrix M, W;
  Vector w, column;
};

/// The largest diagonal entry of W_Bᵀ M⁻¹ W_B of each bilateral row, in some configurations around
/// c, on the loops or not: where the mechanism is now, a row may just vanish [1/kg] (theory 4.14).
void write_loop_mobility(const System& system, const Configuration& c, MobilityScratch& scratch,
                         VectorRef mobility);

}  // namespace backlash
