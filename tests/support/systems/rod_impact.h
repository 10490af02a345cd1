// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "support/runs.h"
#include "support/systems/planar_body.h"

namespace backlash::test {

/// A slanted rod that hits the floor with its lower end in the middle of a step, without gravity.
struct RodImpact {
  double mass = 1.2, half = 0.5, angle = 0.9, approach = 2, slip = 0;
  ContactLaw law;

  // G of the lower end, J = m l²/3.
  double G_NN() const { return (1 + 3 * std::pow(std::cos(angle), 2)) / mass; }
  double G_TT() const { return (1 + 3 * std::pow(std::sin(angle), 2)) / mass; }
  double G_NT() const { return -3 * std::sin(angle) * std::cos(angle) / mass; }

  OneStep step(const MoreauOptions& options) const {
    PlanarBodyData data{.mass = mass, .inertia = mass * half * half / 3, .gravity = {0, 0}};
    data.touches = {{.p_BC = {-half, 0}, .law = law}};
    const PlanarBody rod(data);
    const double height = half * std::sin(angle);
    return one_step(rod, initial_state(rod, 0, Vec3(0, height, angle), Vec3(slip, -approach, 0)),
                    1e-6, options);
  }
};

}  // namespace backlash::test
