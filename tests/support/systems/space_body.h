// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

struct SpaceBodyData {
  double mass = 1;            ///< [kg]
  Vec3 inertia{1, 1, 1};      ///< principal, about the centre of mass, in the body [kg m²]
  Vec3 gravity{0, 0, -9.81};  ///< in the world [m/s²]
  double radius = 0;          ///< of a sphere about the centre of mass [m]; 0: touches nothing
  ContactLaw law{};           ///< of the sphere on the floor z ≤ 0
};

/// A rigid body in space: q = (p_WB, unit quaternion w x y z), u = (v_WB in the world, ω in the
/// body). N(q) is not the identity; positions advance by the exponential map, which keeps the
/// quaternion's length.
class SpaceBody : public System {
 public:
  explicit SpaceBody(const SpaceBodyData& data);

  void configure(Configuration& c) const override;
  void position_rate(const Configuration& c, const Vector& u, VectorRef rate) const override;
  void advance(const Vector& q, const Vector& u, double dt, Vector& end) const override;
  void mass(const Configuration& c, MatrixRef M) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void gaps(const Configuration& c, VectorRef g) const override;
  void contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const override;
  double potential_energy(const Configuration& c) const override;

 private:
  SpaceBodyData data_;
};

/// R_WB of a position of a SpaceBody.
Mat3 rotation(const Vector& q);

/// A state of a SpaceBody with R_WB = 1.
State space_body_start(const SpaceBody& body, const Vec3& p_WB, const Vec3& v_W, const Vec3& w_B);

}  // namespace backlash::test
