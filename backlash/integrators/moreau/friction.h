// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/moreau/moreau.h"

/// Friction that depends on the step that it acts in: on the loads of joints, and on what sticks
/// (theory 4.30).
namespace backlash {

struct ActiveContact;

/// Which of its two coefficients a friction has in a step.
enum class FrictionMode : char {
  unknown,     ///< that of sliding: nothing is known of the step before
  sticks,      ///< that of sticking
  slides,      ///< that of sliding, as in the step before
  torn_loose,  ///< that of sliding: that of sticking does not hold it in this step
};

/// With the rows: what joints carried in the step before, and where they are.
void assume_last_loads(Moreau::Workspace& work, const State& state, double step);

/// Before impulses are asked for: what sticks, as the step before left it.
void begin_friction(Moreau::Workspace& work, const State& state);

/// Whether u_end, as it was found, asks for another friction than it was found with; then that is
/// what the next impulses are found with.
bool friction_changes(Moreau::Workspace& work, const State& state, double step);

/// For the next step: loads of joints, and which of them stick. Needs gamma_after.
void commit_friction(const Moreau::Workspace& work, State& state);

/// Whether a contact that pushes slides. Needs gamma_after.
bool slides(const Moreau::Workspace& work, const ActiveContact& contact);

/// Velocities that round-off makes: in the gaps, which contacts close (theory 4.12), and in what
/// the solver leaves [m/s].
double speed_of_round_off(const Moreau::Workspace& work);

}  // namespace backlash
