// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

/// A disk fixed in the body (radius 0: a corner) that may touch a half-plane of the world.
struct PlanarTouch {
  std::string name = "ground";
  Vec2 p_BC{0, 0};    ///< the disk's centre, in the body [m]
  double radius = 0;  ///< [m]
  Vec2 n_W{0, 1};     ///< unit normal of the half-plane, into the free side
  double offset = 0;  ///< the half-plane is n · x ≤ offset [m]
  ContactLaw law{};
  int tangents = 1;  ///< 0: frictionless, without a tangent row
};

struct PlanarBodyData {
  double mass = 1;          ///< [kg]
  double inertia = 1;       ///< about the centre of mass, which is the body's origin [kg m²]
  Vec2 gravity{0, -9.81};   ///< [m/s²]
  Vec2 applied{0, 0};       ///< a constant force without potential, at the origin [N]
  double damping = 0;       ///< force −c (ẋ, ẏ) [N s/m]
  double dry_friction = 0;  ///< strength of a relay row against ẋ [N]; 0: no such row
  std::vector<PlanarTouch> touches{};
};

/// A rigid body in the plane, q = (x, y, θ), touching half-planes. With one disk it is a wheel,
/// with corners a block, a rod or a ladder. γ_T is measured along t = n turned by −90° (for a
/// floor: +x).
class PlanarBody : public System {
 public:
  explicit PlanarBody(const PlanarBodyData& data);

  void mass(const Configuration& c, MatrixRef M) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void gaps(const Configuration& c, VectorRef g) const override;
  void contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const override;
  void relay_rows(const Configuration& c, MatrixRef W, VectorRef w, VectorRef limit) const override;
  double potential_energy(const Configuration& c) const override;
  double applied_power(const Configuration& c, const Vector& u, const Vector& along) const override;

  const PlanarBodyData& data() const { return data_; }

 private:
  PlanarBodyData data_;
};

/// A wheel on the floor y ≤ 0, J = k² m r².
PlanarBodyData wheel(double mass, double radius, double k_squared, const ContactLaw& law);

/// A point on the floor y ≤ 0; gravity of strength g is tilted by `slope` towards +x.
PlanarBodyData block_on_incline(double mass, double slope, const ContactLaw& law, double g = 9.81);

}  // namespace backlash::test
