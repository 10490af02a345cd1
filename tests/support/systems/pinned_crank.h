// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

/// The crank of paper 001, in absolute coordinates.
struct PinnedCrankData {
  double length = 0.153;       ///< [m]; the centre of mass at half of it
  double mass = 0.038;         ///< [kg]
  double inertia = 7.4e-5;     ///< about the centre of mass [kg m²]
  double gravity = 0;          ///< along −y [m/s²]
  int copies = 1;              ///< how often the pin's two rows are written down
  double drive_speed = 0;      ///< Ω [rad/s] of a drive θ = Ωt + a (1 − cos νt); 0: no drive
  double drive_swing = 0;      ///< a [rad]
  double drive_frequency = 0;  ///< ν [rad/s]
  double floor = -std::numeric_limits<double>::infinity();  ///< the tip stays above it [m]
  ContactLaw law{};                                         ///< of the tip on the floor
};

/// A bar, q = (x, y, θ) of its centre of mass, whose end is pinned to the origin by bilateral rows,
/// whose angle a rheonomic row may drive, and whose tip may touch a floor.
class PinnedCrank : public System {
 public:
  explicit PinnedCrank(const PinnedCrankData& data = {});

  void configure(Configuration& c) const override;
  void mass(const Configuration& c, MatrixRef M) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void bilateral_errors(const Configuration& c, VectorRef g) const override;
  void bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const override;
  void bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const override;
  void gaps(const Configuration& c, VectorRef g) const override;
  void contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const override;
  double potential_energy(const Configuration& c) const override;

  double drive_angle(double t) const;  ///< [rad]
  double drive_rate(double t) const;   ///< [rad/s]
  double drive_acceleration(double t) const;

  /// The pin holds, the angle and its rate are given.
  State start(double angle, double rate) const;

  /// W_Bᵀu + w at a state: how much the rows are violated [m/s, rad/s].
  Vector constraint_velocity(const State& state) const;

 private:
  bool driven() const { return data_.drive_speed != 0 || data_.drive_swing != 0; }
  PinnedCrankData data_;
};

}  // namespace backlash::test
