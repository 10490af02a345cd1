// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/hand_derived/cam_follower.h"

#include <cmath>
#include <numbers>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

void validate(const CamFollowerData& data) {
  require_positive(data.mass, "follower: mass", "kg");
  require_positive(data.cam_speed, "cam: speed", "rad/s");
  require_positive(data.stroke, "cam: stroke", "m");
  require_in_range(data.lobes, 1, 1000, "cam: lobes", "-");
  require_not_negative(data.stiffness, "spring: stiffness", "N/m");
  require_finite(data.gravity, "gravity");
}

/// Throws InputError, before anything is computed from wrong data.
SystemInfo cam_follower_info(const CamFollowerData& data) {
  validate(data);
  SystemInfo info{.name = "cam-follower", .positions = 1, .velocities = 1};
  info.contacts = {{"cam", data.law, 0}};
  info.position_names = {"follower.q"};
  info.velocity_names = {"follower.u"};
  info.angular = {false};
  info.bodies = {"follower"};
  info.length = data.stroke;
  return info;
}

}  // namespace

CamFollower::CamFollower(const CamFollowerData& data)
    : System(cam_follower_info(data)), data_(data) {}

double CamFollower::period() const { return 2 * std::numbers::pi / data_.lobes / data_.cam_speed; }

double CamFollower::lift(double t) const {
  const double turns = t / period(), p = turns - std::floor(turns);
  const double angle = 2 * std::numbers::pi * p;
  return data_.stroke * (p - std::sin(angle) / (2 * std::numbers::pi));  // eq. (57)
}

double CamFollower::lift_rate(double t) const {
  const double turns = t / period(), p = turns - std::floor(turns);
  return data_.stroke / period() * (1 - std::cos(2 * std::numbers::pi * p));
}

void CamFollower::mass(const Configuration&, MatrixRef M) const { M(0, 0) = data_.mass; }

void CamFollower::force(const Configuration& c, const Vector&, VectorRef h) const {
  h[0] = -data_.mass * data_.gravity - data_.stiffness * c.q[0];
}

void CamFollower::force_velocity_jacobian(const Configuration&, const Vector&,
                                          MatrixRef dh_du) const {
  dh_du.setZero();
}

void CamFollower::force_position_jacobian(const Configuration&, const Vector&,
                                          MatrixRef dh_dq) const {
  dh_dq(0, 0) = -data_.stiffness;
}

void CamFollower::force_time_derivative(const Configuration&, const Vector&,
                                        VectorRef dh_dt) const {
  dh_dt.setZero();
}

void CamFollower::mass_position_jacobian(const Configuration&, const Vector&,
                                         MatrixRef dMa_dq) const {
  dMa_dq.setZero();
}

void CamFollower::add_contact_jacobian(const Configuration&, const ContactFrame&,
                                       const ContactVelocity&, MatrixRef) const {}

void CamFollower::gaps(const Configuration& c, VectorRef g) const { g[0] = c.q[0] - lift(c.t); }

void CamFollower::contact_rows(const Configuration& c, int, MatrixRef W, VectorRef w) const {
  W(0, 0) = 1;
  w[0] = -lift_rate(c.t);
}

void CamFollower::write_contact_biases(const Configuration& c, const Vector&,
                                       std::span<const ContactFrame> frames,
                                       std::span<ContactVelocity> biases) const {
  const double turn = 2 * std::numbers::pi / period();
  const double angle = turn * std::fmod(c.t, period());
  for (std::size_t i = 0; i < frames.size(); ++i)
    biases[i] = {-data_.stroke / period() * turn * std::sin(angle)};
}

ContactPoint CamFollower::contact_point(const Configuration& c, int) const {
  return {Vec3(0, lift(c.t), 0), Vec3(0, 1, 0)};
}

double CamFollower::potential_energy(const Configuration& c) const {
  return data_.mass * data_.gravity * c.q[0] + 0.5 * data_.stiffness * c.q[0] * c.q[0];
}

BodyMotion CamFollower::body_motion(const Configuration& c, const Vector& u, int) const {
  BodyMotion motion;
  motion.p_W = Vec3(0, c.q[0], 0);
  motion.v_W = Vec3(0, u[0], 0);
  return motion;
}

State cam_follower_start(const System& system) {
  return initial_state(system, 0, Vector::Constant(1, 0.017), Vector::Zero(1));
}

}  // namespace backlash
