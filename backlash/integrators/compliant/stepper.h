// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "backlash/integrators/compliant/multistep.h"
#include "backlash/integrators/compliant/runge_kutta.h"

namespace backlash {

/// What advances the smooth motion step by step. A new one is added here, and has the functions
/// that these have.
using Stepper = std::variant<Multistep, RungeKutta>;

/// y inside of the last step.
inline void interpolate(Stepper& stepper, double t, Vector& y) {
  std::visit([&](auto& s) { s.interpolate(t, y); }, stepper);
}

}  // namespace backlash
