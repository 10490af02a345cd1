// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "backlash/dynamics/contact_frame.h"

namespace backlash {

/// How far the impact is with which a contact began. It is over when its bodies are apart, or when,
/// having sprung back, they stop to move apart, or hardly move on: from then on the contact
/// carries.
enum class ImpactPhase : std::int32_t { approach, rebound, over };

/// What the compliant method remembers of a contact: ContactRecord::own.
struct ContactMemory {
  double entry_rate = 0;     ///< δ̇⁻ that its law knows [m/s]; 0: it is not in force
  double onset_rate = 0;     ///< at which the bodies met [m/s]
  std::int32_t clamped = 0;  ///< 1: its law would pull, and it has no force
  ImpactPhase phase = ImpactPhase::approach;
  double friction_state = 0;  ///< [m]
  // Since the bodies met:
  double normal_impulse = 0;      ///< [N s]
  double tangential_impulse = 0;  ///< of the first tangent [N s]
  double loss = 0;                ///< energy dissipated [J]
  double t_onset = 0;             ///< when that was [s]
};

/// Where its phase leads at t, after a step that ends with a velocity apart of `gamma` [m/s] and
/// had a mean acceleration apart. With strong damping bodies do not spring back, but creep on: the
/// impact is over when the acceleration is small beside what stopped them.
inline ImpactPhase next_phase(const ContactMemory& own, double t, double gamma,
                              double acceleration) {
  constexpr double slow = 0.1;  // of the speed at which they met
  const bool creeps =
      -gamma < slow * own.onset_rate && acceleration * (t - own.t_onset) < slow * own.onset_rate;
  if (own.phase == ImpactPhase::approach && gamma > 0) return ImpactPhase::rebound;
  if (own.phase == ImpactPhase::approach && creeps) return ImpactPhase::over;
  if (own.phase == ImpactPhase::rebound && gamma <= 0) return ImpactPhase::over;
  return own.phase;
}

inline ContactMemory memory_of(const ContactRecord& record) {
  return std::bit_cast<ContactMemory>(record.own);
}
inline void remember(const ContactMemory& memory, ContactRecord& record) {
  record.own = std::bit_cast<std::array<double, 8>>(memory);
}

}  // namespace backlash
