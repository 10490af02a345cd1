// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/interval_reactions.h"
#include "backlash/dynamics/state.h"

namespace backlash {

/// What a contact did to the bodies in the last step.
struct ContactForce {
  ContactKey key{};
  std::array<double, 3> force{};  ///< [N]: normal, tangents
};

/// The step that led to a state, in the mean: M u̇ = h + W λ at its middle, with its impulses over
/// its length as forces. Outputs are computed from it.
struct LastStep {
  Memory memory{};         ///< whose rows `row_forces` has
  double step = 0;         ///< [s]; 0: there was none, and all forces are zero
  Configuration middle{};  ///< where its forces acted
  Vector velocity{};       ///< mean [m/s, rad/s]
  Vector acceleration{};   ///< mean [m/s², rad/s²]
  Vector row_forces{};     ///< of the rows that always stand, as Memory::impulses() [N, N m]
  std::vector<ContactForce> contacts{};  ///< that pushed, in ascending order of their keys
  std::vector<ContactRecord> remembered{};  ///< by which they have their names, in the same order

  /// Of a contact; null: it did not push.
  const ContactForce* find_force(const ContactKey& key) const;

  LastStep() = default;

  /// None yet.
  explicit LastStep(const SystemInfo& info);

  /// The step from `before`, of which only t, q and u matter, to `now`.
  void set(const System& system, const State& before, const State& now);
};

/// The state that outputs are computed for, the step that led to it, and what joints did since the
/// row before.
struct OutputContext {
  const Configuration& c;
  const Vector& u;
  const LastStep& last;
  const IntervalReactions& reactions;
};

}  // namespace backlash
