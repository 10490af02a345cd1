// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/dynamics/last_step.h"

namespace backlash {

/// The loads of joints whose friction grows with them, and on which they depend in turn: found by
/// iteration (theory 4.30).
class FrictionLoads {
 public:
  explicit FrictionLoads(const System& system);

  /// Whether there are such joints.
  bool any() const { return !relays_.empty(); }
  /// Their numbers among the relays.
  const std::vector<int>& relays() const { return relays_; }

  /// The iteration begins at `load`.
  void begin() { begun_ = false; }
  /// What `forces` make of the loads, into found().
  void evaluate();
  const Vector& found() const { return found_; }
  /// `load` becomes a better guess, from what was found with it and with the one before.
  void improve();

  LastStep forces;  ///< that act with the friction of `load`
  Vector load;      ///< of all relays, as their friction counts with it [N, N m]

  static constexpr int most_rounds = 200;

 private:
  const System& system_;
  std::vector<int> relays_;
  Vector found_, excess_, move_;  ///< the latter: found − load, and how far load went, in the round
                                  ///< before
  bool begun_ = false;
};

}  // namespace backlash
