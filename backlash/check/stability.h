// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/energy.h"
#include "backlash/model/model.h"

/// How fast the free motion is around a state, and whether the steps of a method let it grow.
namespace backlash {

/// The eigenvalues of more velocities take longer than a check may.
inline constexpr Eigen::Index most_velocities_of_modes = 150;

/// The fastest mode of the free motion around a state (theory 8.3).
struct FastestMode {
  double rate = 0;             ///< |λ| [1/s]
  double damping = 0;          ///< −Re λ/|λ|: 0 oscillates, 1 decays
  Eigen::Index velocity = -1;  ///< that takes the largest part, by kinetic energy
  double t = 0;                ///< [s]
  Vector q{}, u{}, switches{};
};

/// Of rate 0 if it is not known.
FastestMode fastest_mode(const System& system, const Configuration& c, const Vector& u);

/// The largest |λ| Δt of a mode with which steps do not let it grow (theory 8.4); infinity: none
/// does.
double stability_limit(const FastestMode& mode, const SimulationOptions& simulation);

/// The force without which the mode is slowest, if that makes a difference.
const Force* find_culprit(const Model& model, const FastestMode& mode);

/// "the step 0.001 s is beyond the stability limit 0.0002 s of force 's'"; empty: it is not beyond.
std::string describe_unstable_step(const FastestMode& mode, double step,
                                   const SimulationOptions& simulation, const Force* culprit);

/// Whether what the method made until a state, if that remembers it, is less than a third of the
/// energy at hand there: one behind an explosion says nothing about the mechanism.
bool is_calm(const System& system, const EnergyLedger& start, const State& state);

}  // namespace backlash
