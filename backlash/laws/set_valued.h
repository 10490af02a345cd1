// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <variant>

#include "backlash/base/types.h"

/// The set-valued laws between an impulse Λ and the velocity ξ of the same rows (theory 3).
/// A law is a convex set that Λ must lie in (for friction: a set that depends on Λ_N), with ξ in
/// the normal cone of −Λ: Λ = project(law, Λ − r ξ) for any r > 0.
namespace backlash {

/// Rows that neither open nor slip: ξ = 0, Λ free (theory 3.1).
struct Bilateral {
  int rows = 1;
};

/// One row that can only push: 0 ≤ Λ ⊥ ξ ≥ 0 (theory 3.2).
struct Unilateral {};

/// Unilateral in the normal row, and Coulomb in the tangent rows below it (theory 3.3):
/// ‖Λ_T‖ ≤ μ (Λ_N + Λ_0), and ‖Λ_T‖ = μ (Λ_N + Λ_0) against the slip whenever ξ_T ≠ 0.
struct Coulomb {
  double friction = 0;  ///< μ, ≥ 0
  int tangents = 1;     ///< 1 in the plane, 2 in space
  double preload = 0;   ///< Λ_0 ≥ 0 [N s]: normal impulse that acts besides Λ_N (Poisson's law)
};

/// Dry friction of given strength: ‖Λ‖ ≤ a, and ‖Λ‖ = a against ξ whenever ξ ≠ 0 (theory 3.4).
struct Relay {
  double limit = 0;  ///< a ≥ 0 [N s]
  int rows = 1;      ///< 1, or 2 for a disk
};

/// All set-valued laws. A new one is added here and in the functions below.
using Law = std::variant<Bilateral, Unilateral, Coulomb, Relay>;

/// How many rows the law takes.
int rows(const Law& law);

/// The point of the disk (of the interval, for one row) of that radius nearest to `trial`, in
/// place.
inline void project_to_disk(double radius, VectorRef trial) {
  if (trial.size() == 1) {
    trial[0] = std::max(-radius, std::min(radius, trial[0]));
    return;
  }
  const double length = std::sqrt(trial[0] * trial[0] + trial[1] * trial[1]);
  if (length > radius) trial *= radius / length;
}

/// The admissible impulse nearest to `trial`, in place. Friction's disk has the radius that the
/// projected normal impulse gives.
inline void project(const Bilateral&, VectorRef) {}
inline void project(const Unilateral&, VectorRef trial) { trial[0] = std::max(0.0, trial[0]); }
inline void project(const Coulomb& law, VectorRef trial) {
  trial[0] = std::max(0.0, trial[0]);
  project_to_disk(law.friction * (trial[0] + law.preload), trial.tail(law.tangents));
}
inline void project(const Relay& law, VectorRef trial) { project_to_disk(law.limit, trial); }
void project(const Law& law, VectorRef trial);

/// Throw InputError unless the law's numbers make sense; `item` names the contact in the message.
void validate(const Law& law, std::string_view item);

}  // namespace backlash
