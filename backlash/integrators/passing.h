// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "backlash/dynamics/system.h"

namespace backlash {

/// A step that has been tried, as its dense output has it.
struct TriedMotion {
  std::function<void(double)> go_to;   ///< takes c and u of the step so far from its start [s]
  std::array<double, 5> times{};       ///< from its start, ascending, the last at its end [s]
  std::array<Vector, 5> velocities{};  ///< there
};

/// A step that is to be taken from c at the velocity u, or that has been tried.
struct PassingStep {
  Configuration& c;  ///< left where safe_step() looked last
  const Vector& u;
  double length;                              ///< [s]
  double travel;                              ///< what System::passing_travel() gave for it [m]
  std::span<const ContactRecord> remembered;  ///< by the state
  const TriedMotion* tried = nullptr;         ///< null: at a constant velocity
};

/// Of points of two bodies against each other in the rest of a step, at most.
struct PassingRates {
  double speed = 0;         ///< [m/s]
  double acceleration = 0;  ///< by forces [m/s²]
};

/// Memory of safe_step(), and what it is given.
struct PassingScratch {
  std::vector<ContactKey> known{};  ///< contacts that the step sees anyhow, in ascending order
  std::vector<ContactFrame> frames{};
  std::vector<ContactVelocity> rates{};
  std::vector<PassingLimit> limits{}, limits_later{};
  std::vector<PassingRates> ahead{};
  Vector gained{};        ///< velocity
  Vector q{};             ///< at the start
  ContactKey shortest{};  ///< the contact that safe_step() is shortest for, if it shortens the step

  void reserve(std::size_t contacts, Eigen::Index positions) {
    q.resize(positions);
    known.reserve(contacts);
    frames.reserve(contacts);
    rates.reserve(contacts);
    limits.reserve(contacts);
    limits_later.reserve(contacts);
    ahead.reserve(contacts);
  }

  /// Those that were closed in the last step.
  void know_closed(std::span<const ContactRecord> remembered) {
    known.clear();
    for (const ContactRecord& record : remembered)
      if (record.state != ContactState::open) known.push_back(record.key);
  }
};

/// Steps are shortened to this part of their usual length at most: where bodies might pass through
/// each other in one that is even shorter, it fails.
inline constexpr double shortest_safe_part = 1e-7;

/// How long the step may be, at most its length, so that every contact that closes in it is seen
/// while its bodies can still be pushed back the way they came (theory 4.20).
double safe_step(const System& system, const PassingStep& step, PassingScratch& scratch);

/// The contacts whose bodies a step at a constant velocity takes into each other by more than half
/// of what they are still pushed back from, as far as its start tells (theory 12.15).
void find_passed(const System& system, const PassingStep& step, PassingScratch& scratch,
                 std::vector<ContactKey>& passed);

}  // namespace backlash
