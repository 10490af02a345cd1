// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "backlash/dynamics/kernel/rigid_inertia.h"
#include "backlash/dynamics/kernel/twist.h"
#include "backlash/geometry/pose2.h"
#include "backlash/geometry/quaternion.h"

namespace backlash {

struct ArticulatedInertia3;

/// Space, as what moves in it is computed.
struct Space {
  static constexpr int dimension = 3;
  static constexpr int rotations = 3;
  static constexpr int dof = 6;
  static constexpr int tangents = 2;
  static constexpr int ball_positions = 4;

  using Vec = Vec3;
  using Angular = Vec3;
  using Rotation = Quaternion;
  using Pose = Pose3;
  using Inertia = Mat3;  ///< symmetric, about the centre of mass [kg m²]
  using ArticulatedInertia = ArticulatedInertia3;

  static Vec3 no_rotation() { return Vec3::Zero(); }
  static Mat3 no_inertia() { return Mat3::Zero(); }
  static Vec3 axis(int k) { return Vec3::Unit(k); }
  static Vec3 unit(int k) { return Vec3::Unit(k); }

  static double dot(const Vec3& a, const Vec3& b) { return a.dot(b); }
  static Vec3 cross(const Vec3& a, const Vec3& b) { return a.cross(b); }

  static Vec3 centrifugal(const Vec3& omega, const Vec3& r) { return omega.cross(r.cross(omega)); }
  static Vec3 angular_bias(const Vec3& alpha, const Vec3& omega, const Vec3& own) {
    return alpha + omega.cross(own);
  }

  static Mat3 square(const Vec3& r) { return mixed_square(r, r); }
  static Mat3 mixed_square(const Vec3& r, const Vec3& s) {
    const Mat3 product = r * s.transpose();
    return r.dot(s) * Mat3::Identity() - 0.5 * (product + product.transpose());
  }

  static Quaternion composed(const Quaternion& first, const Quaternion& second) {
    return first * second;
  }
  static Quaternion about(const Vec3& axis, double angle) {
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * axis.x(), s * axis.y(), s * axis.z()};
  }
  static Pose3 pose(const Quaternion& rotation) { return {rotation_matrix(rotation)}; }
  static const Vec3& origin(const Pose3& X) { return X.p; }
  static void set_origin(const Vec3& p, Pose3& X) { X.p = p; }
  static Mat3 turned(const Pose3& X, const Mat3& inertia_B) {
    return X.R * inertia_B * X.R.transpose();
  }
  static Vec3 direction(const Pose3& X, const Vec3& axis) { return X.R * axis; }
  static Vec3 local_direction(const Pose3& X, const Vec3& axis) { return X.local_direction(axis); }

  static const Vec3& vec(const Vec3& v) { return v; }
  static const Vec3& angular(const Vec3& v) { return v; }
  static Quaternion rotation(const Vec3& v) { return quaternion(v); }

  /// Unit quaternions w, x, y, z; the velocity is that in the axes in which the rotation is given.
  static Quaternion read_ball(const double* q) { return {q[0], q[1], q[2], q[3]}; }
  static void write_ball(const Quaternion& rotation, double* q) {
    q[0] = rotation.w;
    q[1] = rotation.x;
    q[2] = rotation.y;
    q[3] = rotation.z;
  }
  /// By the exponential map, of length 1 (theory 6.3).
  static void advance_ball(const double* q, const double* u, double dt, double* end) {
    const Quaternion turn = quaternion(dt * Vec3(u[0], u[1], u[2]));
    write_ball(normalized(turn * read_ball(q)), end);
  }
  /// ½ ω q (theory 6.3).
  static void ball_rate(const double* q, const double* u, double* rate) {
    write_ball(Quaternion{0, 0.5 * u[0], 0.5 * u[1], 0.5 * u[2]} * read_ball(q), rate);
  }
};

/// The inertia of an articulated body: symmetric, over (angular, linear).
struct ArticulatedInertia3 {
  using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;
  Mat6 m = Mat6::Zero();

  ArticulatedInertia3() = default;
  ArticulatedInertia3(const RigidInertia<Space>& I);

  double angular_trace() const { return m(0, 0) + m(1, 1) + m(2, 2); }
  double linear_trace() const { return m(3, 3) + m(4, 4) + m(5, 5); }
};

Wrench<Space> operator*(const ArticulatedInertia3& I, const Twist<Space>& V);
Twist<Space> operator*(const ArticulatedInertia3& K, const Wrench<Space>& F);
void subtract_product(double f, const Wrench<Space>& U, const Wrench<Space>& V,
                      ArticulatedInertia3& I);
void subtract_square(double f, const Wrench<Space>& U, ArticulatedInertia3& I);
void add_shifted(const ArticulatedInertia3& I, const Vec3& r, ArticulatedInertia3& sum);
bool invert(const ArticulatedInertia3& A, ArticulatedInertia3& K);

}  // namespace backlash
