// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/dynamics/system.h"

namespace backlash {

/// Memory of safe_step().
struct PassingScratch {
  std::vector<ContactFrame> frames{};
  std::vector<ContactVelocity> rates{}, biases{};

  void reserve(std::size_t contacts) {
    frames.reserve(contacts);
    rates.reserve(contacts);
    biases.reserve(contacts);
  }
};

/// How long a step from c at the velocity u may be, at most `step`, so that every contact that
/// closes in it is seen while its bodies can still be pushed back the way they came (theory 4.19).
/// `risk` is what System::passing_risk() gave for that step. Contacts among `known`, by their keys
/// in ascending order, are seen already.
double safe_step(const System& system, const Configuration& c, const Vector& u, double step,
                 const PassingRisk& risk, std::span<const ContactKey> known,
                 PassingScratch& scratch);

}  // namespace backlash
