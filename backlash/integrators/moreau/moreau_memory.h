// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace backlash {

/// What Moreau's steps remember in State::z behind what all remember.
struct MoreauMemory {
  Eigen::Index first = 0, bilaterals = 0, velocities = 0, relays = 0;

  template <class Z>
  auto bilateral_start(
      Z& z) const {  ///< γ − ½Δt b at the start of the last step, per bilateral row
    return z.segment(first, bilaterals);
  }
  /// Of steps of equal length: the time from which they are counted [s], and how many there were.
  template <class Z>
  auto& step_origin(Z& z) const {
    return z[first + bilaterals];
  }
  template <class Z>
  auto& step_count(Z& z) const {
    return z[first + bilaterals + 1];
  }
  /// Of automatic steps: the length of those in which nothing happens [s], 0: not known yet; how
  /// many have been judged, and how many of them, in a row up to the last, could have been twice
  /// and four times as long; the length of the next step [s]; and of the last one, if it was
  /// smooth, length [s] and mean acceleration.
  template <class Z>
  auto& regular_step(Z& z) const {
    return z[first + bilaterals + 2];
  }
  template <class Z>
  auto& judged_steps(Z& z) const {
    return z[first + bilaterals + 3];
  }
  template <class Z>
  auto& calm_steps(Z& z) const {
    return z[first + bilaterals + 4];
  }
  template <class Z>
  auto& calmer_steps(Z& z) const {
    return z[first + bilaterals + 5];
  }
  template <class Z>
  auto& next_length(Z& z) const {
    return z[first + bilaterals + 6];
  }
  template <class Z>
  auto& smooth_step(Z& z) const {
    return z[first + bilaterals + 7];
  }
  template <class Z>
  auto smooth_acceleration(Z& z) const {
    return z.segment(first + bilaterals + 8, velocities);
  }
  template <class Z>
  auto mobility(Z& z) const {  ///< the largest so far, per bilateral row [1/kg]
    return z.segment(first + bilaterals + 8 + velocities, bilaterals);
  }
  /// Bodies that are so slow that none can pass another (theory 4.20) are not asked in every step:
  /// until when [s], in steps of what length [s], and with what velocities that holds.
  template <class Z>
  auto& slow_until(Z& z) const {
    return z[slow()];
  }
  template <class Z>
  auto& slow_step(Z& z) const {
    return z[slow() + 1];
  }
  template <class Z>
  auto slow_velocities(Z& z) const {
    return z.segment(slow() + 2, velocities);
  }
  /// How many bilateral rows are independent where loops are not singular; 0: not known yet.
  template <class Z>
  auto& rank(Z& z) const {
    return z[slow() + 2 + velocities];
  }
  /// What the joints of relays with a coefficient carried, as System::relay_loads() has it; and
  /// which relays stick, 1, or slide, −1; 0: not known.
  template <class Z>
  auto relay_load(Z& z) const {
    return z.segment(slow() + 3 + velocities, relays);
  }
  template <class Z>
  auto relay_held(Z& z) const {
    return z.segment(slow() + 3 + velocities + relays, relays);
  }
  Eigen::Index slow() const { return first + 2 * bilaterals + 8 + velocities; }
  Eigen::Index size() const { return 2 * (bilaterals + velocities + relays) + 11; }
};

}  // namespace backlash
