// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/equilibrium.h"
#include "support/models.h"

namespace backlash::test::equilibrium {

constexpr double g = 9.81;  ///< [m/s²]

inline Assembly at_rest(const std::string& text) {
  return assembled("gravity: [0, -9.81]\ninitial: equilibrium\n" + text);
}

/// The normal force of the contact of that name [N]; 0: it does not carry.
inline double load(const Assembly& assembly, const std::string& name) {
  for (const ContactLoad& carried : assembly.report.rest->equilibrium.loads)
    if (assembly.system->contact_name(carried.key) == name) return carried.force[0];
  return 0;
}

}  // namespace backlash::test::equilibrium
