// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/surface_contacts.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// A rigid body in space; its frame has its origin at the centre of mass and the principal axes.
struct SpaceBody {
  std::string name{};
  double mass = 1;              ///< [kg]
  Vec3 inertia = Vec3::Ones();  ///< principal moments [kg m²]
  Pose3 X_WB{};                 ///< at the start
  Vec3 v_W = Vec3::Zero();      ///< at the start [m/s]
  Vec3 w_W = Vec3::Zero();      ///< at the start [rad/s]
};

/// A surface of one body against a surface, ball or half-space of another, with its law.
struct SurfaceContact {
  std::string name{};
  SurfacePair shapes{};
  ContactLaw law{};
  std::optional<CompliantLaw> compliant{};  ///< present: the contact is a force
};

struct SurfaceBodiesData {
  std::vector<SpaceBody> bodies{};
  std::vector<SurfaceContact> contacts{};
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
};

/// Free rigid bodies in space that touch each other and the ground with surfaces of any form. For
/// each body q = (p_WB, unit quaternion w x y z) and u = (v_W, ω in the body's axes).
class SurfaceBodies : public System {
 public:
  /// Throws InputError naming the body or contact that makes no sense.
  explicit SurfaceBodies(SurfaceBodiesData data);

  void configure(Configuration& c) const override;
  void position_rate(const Configuration& c, const Vector& u, VectorRef rate) const override;
  void advance(const Vector& q, const Vector& u, double dt, Vector& end) const override;
  void mass(const Configuration& c, MatrixRef M) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void find_contacts(const Configuration& c, double reach,
                     std::span<const ContactRecord> remembered,
                     std::vector<ContactFrame>& frames) const override;
  bool find_contact(const Configuration& c, const ContactKey& key,
                    ContactFrame& frame) const override;
  void write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                          VectorRef w) const override;
  void write_contact_biases(const Configuration& c, const Vector& u,
                            std::span<const ContactFrame> frames,
                            std::span<ContactVelocity> biases) const override;
  double passing_travel(const Configuration& c, const Vector& u, double step) const override;
  double passing_reach(const Configuration& c, double travel) const override;
  void write_passing_limits(const Configuration& c, const Vector& u,
                            std::span<const ContactFrame> frames,
                            std::span<PassingLimit> limits) const override;
  double potential_energy(const Configuration& c) const override;
  BodyMotion body_motion(const Configuration& c, const Vector& u, int body) const override;

  /// As the bodies are at the start.
  State start() const;

 private:
  SurfaceBodiesData data_;
  SurfaceContacts contacts_;
};

}  // namespace backlash
