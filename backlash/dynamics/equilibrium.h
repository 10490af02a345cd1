// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

/// Where a mechanism rests: forces, contacts and constraints in balance, all rates zero
/// (theory 6.16 to 6.18).
namespace backlash {

/// What a contact carries at rest.
struct ContactLoad {
  ContactKey key{};
  double gap = 0;           ///< [m] or [rad]; below zero: how much a compliant contact yields
  ContactVelocity force{};  ///< normal, tangents [N]
};

/// What becomes of an equilibrium after the least push, contacts and friction holding as they do.
enum class Stability {
  held,         ///< nothing can move: joints, contacts and friction hold it
  stable,       ///< it comes back
  indifferent,  ///< it stays where it is pushed, in some direction
  unstable      ///< it leaves
};
std::string_view name(Stability stability);

struct EquilibriumOptions {
  double tolerance = 1e-12;   ///< on the last change: of the scales of coordinates (theory 6.23)
  double max_change = 0.02;   ///< in one iteration: likewise
  int max_iterations = 2000;  ///< of them; of those with small changes twenty times as many
};

struct Equilibrium {
  enum class Status {
    found,
    iteration_limit,      ///< it still moves: there is no equilibrium on its way
    contacts_not_solved,  ///< the loads of rigid contacts could not be determined
    not_finite,           ///< a force, or a gap, is not a number
    unbounded             ///< it came to a place where a force grows without bound
  };
  Status status = Status::iteration_limit;
  Vector q{};
  std::vector<ContactLoad> loads{};  ///< of the contacts that carry, in ascending order of keys
  int iterations = 0;
  double change = 0;    ///< of the last iteration: of the scales of coordinates
  int coordinate = -1;  ///< velocity coordinate that it moved along most
  Stability stability = Stability::stable;
  bool friction_at_limit = false;  ///< of a contact or joint: the least more sets it in motion
  std::optional<int> escape;       ///< of an unstable one: it leaves along this velocity coordinate
};

std::string_view name(Equilibrium::Status status);

/// Follows a mechanism from a state to where it rests, so slowly that inertia does not matter, with
/// what is switched on there and at its time. Compliant contacts push by their laws at rest, which
/// is without friction; set-valued ones hold gaps open or closed, and stick where their friction
/// and that of joints lets them. Directions in which nothing pulls are left as they are. Throws
/// InputError for a state that does not fit the system, and options that make no sense.
Equilibrium find_equilibrium(const System& system, const State& start,
                             const EquilibriumOptions& options = {});

}  // namespace backlash
