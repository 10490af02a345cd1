// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/archive.h"
#include "backlash/dynamics/energy.h"

namespace backlash {

/// Where the method had made hardly anything yet.
struct CalmState {
  double t = 0;  ///< [s]
  Vector q{}, u{}, switches{};

  void archive(Archive& a) { a(t, q, u, switches); }
};

/// Watches what the method itself makes or loses beside the energy at hand (theory 4.21): the
/// largest kinetic energy so far, the largest change of the potential, and the work that went
/// through contacts, drives, dampers and dry friction; at least ten times what the forces do on the
/// way that contacts may be deep, and a bounded multiple of what landings in the first steps make.
/// It never becomes less.
///
/// Works are added up in every step. Energies, which cost a good part of a step, are looked at
/// wherever the motion has changed enough to change them, however long or short the steps are.
class EnergyWatch {
 public:
  /// `limit`: of the energy at hand, that may be made or lost.
  EnergyWatch(const System& system, const State& start, double limit);

  /// After each step. False if too much was made or lost, or if an energy is not finite.
  bool accepts(const State& state);

  /// Looks at once.
  bool accepts_now(const State& state);

  double at_hand() const;  ///< [J]

  /// The last look before the method made much: what follows may be an explosion.
  const CalmState& calm() const { return calm_; }

  /// What it has seen since the start.
  void archive(Archive& a) {
    a(u_seen_, work_, steps_, moving_, begun_, least_, landings_, t_, way_, fastest_, kinetic_,
      potential_, flow_, received_, calm_);
  }

 private:
  bool has_changed(const State& state);
  void add_flow(const State& state);

  const System& system_;
  Memory memory_;
  Configuration c_;  ///< of the last look
  Vector scale_;     ///< what velocities are multiplied with to be lengths of the model's size
  Vector u_seen_;    ///< at the last look
  Vector work_;      ///< of each kind, after the last step [J]
  CalmState calm_;
  EnergyLedger start_;
  double limit_;
  long steps_ = 0, moving_ = 0;         ///< all, and since the last motion began
  double begun_ = 0;                    ///< at hand there, but for what the method made [J]
  double least_;                        ///< of what is called at hand [J]
  double fall_;                         ///< by the forces at the start, from rest [J/s²]
  double landings_ = 0;                 ///< the most that landings in the first steps count [J]
  double t_;                            ///< of the last step [s]
  double way_ = 0, fastest_ = 0;        ///< since the last look; of all [1, 1/s]
  double kinetic_ = 0, potential_ = 0;  ///< the largest [J]
  double flow_ = 0, received_ = 0;      ///< Σ|work|; Σ work [J]
};

}  // namespace backlash
