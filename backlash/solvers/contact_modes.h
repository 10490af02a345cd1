// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/reduction.h"

/// Problems by the states of their contacts: once each contact is known to be open, to stick, or to
/// slip in a known direction, the impulses follow from linear equations (theory 5.2).
namespace backlash {

/// The state of one contact. Frictionless contacts are open or `pushes`, dry friction has no
/// normal row and never `pushes`.
struct Mode {
  bool pushes = false;      ///< ξ_N = 0; otherwise Λ_N = 0
  bool sticks = false;      ///< ξ_T = 0
  double slip[2] = {0, 0};  ///< unit direction d of ξ_T, Λ_T = −limit d; zero where it sticks

  bool operator==(const Mode&) const = default;
};

/// The modes that this contact can be in. A disk may slip in any direction; of these, as many as
/// `facets` says are listed, evenly spread.
std::span<const Mode> possible_modes(const Contact& contact, int facets, Arena::Frame& frame);

/// The impulses in these modes. False if the equations are singular.
bool solve_in_modes(const ReducedProblem& problem, std::span<const Mode> modes, Arena& scratch,
                    VectorRef impulse);

/// The modes that the natural map reads off an impulse and the velocity that goes with it: they
/// are the modes of the solution once both belong to it (theory 5.3).
void read_modes(const ReducedProblem& problem, const VectorView& impulse, const VectorView& xi,
                std::span<Mode> modes);

}  // namespace backlash
