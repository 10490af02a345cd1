// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// Data of paper 001, table 1.
struct SliderCrankData {
  double crank_length = 0.153;                   ///< l1 [m]
  double rod_length = 0.306;                     ///< l2 [m]
  double half_length = 0.05;                     ///< a of the slider [m]
  double half_width = 0.025;                     ///< b of the slider [m]
  double clearance = 0.001;                      ///< c, on each side [m]
  double mass[3] = {0.038, 0.038, 0.076};        ///< crank, rod, slider [kg]
  double inertia[3] = {7.4e-5, 5.9e-4, 2.7e-6};  ///< about their centres of mass [kg m²]
  double gravity = 9.81;                         ///< along −y [m/s²]
  ContactLaw law{.restitution = 0.4, .friction = 0.01};
  int corner_order[4] = {1, 2, 3, 4};  ///< the paper's corner that each contact is
};

/// Slider-crank whose slider has play in its guide [paper 001, eqs (89)–(114)]. Coordinates: the
/// absolute angles of crank, rod and slider. Contacts: the slider's four corners, 1 and 2 on the
/// upper guide, 3 and 4 on the lower, 1 and 3 at the end towards the crank.
class SliderCrank : public System {
 public:
  explicit SliderCrank(const SliderCrankData& data = {});

  void configure(Configuration& c) const override;
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

 private:
  SliderCrankData data_;
  double m11_, m12_, m22_, m33_;  ///< M without its cosine [kg m²]
  double weight1_, weight2_;      ///< gravity's moments at angle 0 [N m]
};

/// All angles 0, crank at 150 rad/s, rod at −75 rad/s, slider at `slider_speed` [rad/s].
State slider_crank_start(const System& system, double slider_speed = 0);

}  // namespace backlash
