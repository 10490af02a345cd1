// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// Data of paper 000, table 1, in the reading that gives its motion.
struct CamFollowerData {
  double mass = 1;           ///< [kg]
  double cam_speed = 20.94;  ///< ω [rad/s]
  double stroke = 0.017;     ///< [m]
  int lobes = 6;
  double stiffness = 2.4e5;  ///< of the spring, without preload at y = 0 [N/m]
  double gravity = 9.81;     ///< along −y [m/s²]
  ContactLaw law{.restitution = 0.4};
};

/// Follower pressed on a turning cam by a spring [paper 000, eqs (57)–(64)]. The coordinate y is
/// the lift above the base circle; the cam's lift s(t) rises by the cycloidal law over each lobe
/// and then drops at once: a rheonomic gap g = y − s(t).
class CamFollower : public System {
 public:
  explicit CamFollower(const CamFollowerData& data = {});

  void mass(const Configuration& c, MatrixRef M) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void force_velocity_jacobian(const Configuration& c, const Vector& u,
                               MatrixRef dh_du) const override;
  void force_position_jacobian(const Configuration& c, const Vector& u,
                               MatrixRef dh_dq) const override;
  void force_time_derivative(const Configuration& c, const Vector& u,
                             VectorRef dh_dt) const override;
  void mass_position_jacobian(const Configuration& c, const Vector& a,
                              MatrixRef dMa_dq) const override;
  void add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                            const ContactVelocity& lambda, MatrixRef J) const override;
  void gaps(const Configuration& c, VectorRef g) const override;
  void contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const override;
  void write_contact_biases(const Configuration& c, const Vector& u,
                            std::span<const ContactFrame> frames,
                            std::span<ContactVelocity> biases) const override;
  ContactPoint contact_point(const Configuration& c, int contact) const override;
  double potential_energy(const Configuration& c) const override;
  BodyMotion body_motion(const Configuration& c, const Vector& u, int body) const override;

  double lift(double t) const;       ///< s [m]
  double lift_rate(double t) const;  ///< ṡ between the drops [m/s]
  double period() const;             ///< of one lobe [s]

 private:
  CamFollowerData data_;
};

/// At the upper dead point, at rest, just as the cam drops.
State cam_follower_start(const System& system);

}  // namespace backlash
