// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "backlash/dynamics/contact_frame.h"

namespace backlash {

/// What the compliant method remembers of a contact: ContactRecord::own.
struct ContactMemory {
  double entry_rate = 0;      ///< δ̇⁻ that its law knows [m/s]; 0: it is not in force
  double onset_rate = 0;      ///< at which the bodies met [m/s]
  double clamped = 0;         ///< 1: its law would pull, and it has no force
  double friction_state = 0;  ///< [m]
  // Since the bodies met:
  double normal_impulse = 0;      ///< [N s]
  double tangential_impulse = 0;  ///< of the first tangent [N s]
  double loss = 0;                ///< energy dissipated [J]
  double unused = 0;
};

inline ContactMemory memory_of(const ContactRecord& record) {
  return std::bit_cast<ContactMemory>(record.own);
}
inline void remember(const ContactMemory& memory, ContactRecord& record) {
  record.own = std::bit_cast<std::array<double, 8>>(memory);
}

}  // namespace backlash
