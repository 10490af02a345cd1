// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/system.h"

namespace backlash {

/// Positions and speeds that the user gave are kept as long as the others can give way.
struct Given {
  std::vector<bool> position{}, speed{};
};

/// Moves q until all bilateral rows hold, and u until their rates vanish: by the least changes, of
/// what was not given first, of everything if that is not enough (theory 6.9). False, with q where
/// they are nearest to being closed, if there is no such q.
bool close_loops(const System& mechanism, const Given& given, Vector& q, Vector& u);

/// The constraint rows that follow from those before them.
std::vector<BilateralInfo> redundant_rows(const System& mechanism, const Vector& q);

}  // namespace backlash
