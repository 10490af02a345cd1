// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/systems/space_body.h"

#include <cmath>

#include <Eigen/Geometry>

namespace backlash::test {
namespace {

SystemInfo space_body_info(const SpaceBodyData& data) {
  SystemInfo info{.name = "space-body", .positions = 7, .velocities = 6, .cache = 9, .space = 3};
  if (data.radius > 0) info.contacts = {{"floor", data.law, 2}};
  return info;
}

Eigen::Quaterniond quaternion(const Vector& q) { return {q[3], q[4], q[5], q[6]}; }

/// exp of half the rotation vector.
Eigen::Quaterniond exponential(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm(), half = 0.5 * angle;
  const double sine_over_angle = angle < 1e-8 ? 0.5 : std::sin(half) / angle;
  const Vec3 v = sine_over_angle * rotation_vector;
  return {std::cos(half), v.x(), v.y(), v.z()};
}

Eigen::Map<const Mat3> cached_rotation(const Configuration& c) {
  return Eigen::Map<const Mat3>(c.cache.data());
}

}  // namespace

SpaceBody::SpaceBody(const SpaceBodyData& data) : System(space_body_info(data)), data_(data) {}

void SpaceBody::configure(Configuration& c) const {
  Eigen::Map<Mat3>(c.cache.data()) = quaternion(c.q).toRotationMatrix();
}

void SpaceBody::position_rate(const Configuration& c, const Vector& u, VectorRef rate) const {
  const Eigen::Quaterniond p = quaternion(c.q);
  const Eigen::Quaterniond spin(0, u[3], u[4], u[5]);
  const Eigen::Quaterniond rotated = p * spin;
  rate.head<3>() = u.head<3>();
  rate.tail<4>() = 0.5 * Eigen::Vector4d(rotated.w(), rotated.x(), rotated.y(), rotated.z());
}

void SpaceBody::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  const Eigen::Quaterniond moved =
      (quaternion(q) * exponential(dt * Vec3(u[3], u[4], u[5]))).normalized();
  for (int i = 0; i < 3; ++i) end[i] = q[i] + dt * u[i];
  end[3] = moved.w();
  end[4] = moved.x();
  end[5] = moved.y();
  end[6] = moved.z();
}

void SpaceBody::mass(const Configuration&, MatrixRef M) const {
  M.setZero();
  M.diagonal().head<3>().setConstant(data_.mass);
  M.diagonal().tail<3>() = data_.inertia;
}

void SpaceBody::force(const Configuration&, const Vector& u, VectorRef h) const {
  const Vec3 spin = u.tail<3>(), momentum = data_.inertia.cwiseProduct(spin);
  h.head<3>() = data_.mass * data_.gravity;
  h.tail<3>() = -spin.cross(momentum);
}

void SpaceBody::gaps(const Configuration& c, VectorRef g) const {
  if (g.size() > 0) g[0] = c.q[2] - data_.radius;
}

void SpaceBody::contact_rows(const Configuration& c, int, MatrixRef W, VectorRef w) const {
  const auto R = cached_rotation(c);
  const Vec3 arm(0, 0, -data_.radius);
  const Vec3 directions[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (int i = 0; i < 3; ++i) {
    W.col(i).head<3>() = directions[i];
    W.col(i).tail<3>() = R.transpose() * arm.cross(directions[i]);
  }
  w.setZero();
}

double SpaceBody::potential_energy(const Configuration& c) const {
  return -data_.mass * data_.gravity.dot(c.q.head<3>());
}

Mat3 rotation(const Vector& q) { return quaternion(q).toRotationMatrix(); }

State space_body_start(const SpaceBody& body, const Vec3& p_WB, const Vec3& v_W, const Vec3& w_B) {
  Vector q(7), u(6);
  q << p_WB, 1, 0, 0, 0;
  u << v_W, w_B;
  return initial_state(body, 0, q, u);
}

}  // namespace backlash::test
