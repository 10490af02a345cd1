// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/initial_motion.h"

#include <numbers>

#include <Eigen/Geometry>

namespace backlash {
namespace {

/// First `second`, then `first`.
Vec3 composed(const Vec3& first, const Vec3& second) {
  return (Pose{.rotation = first} * Pose{.rotation = second}).rotation;
}

/// The least rotation that takes one unit vector to another.
Vec3 rotation_between(const Vec3& from, const Vec3& to) {
  const Vec3 axis = from.cross(to);
  const double sine = axis.norm(), cosine = from.dot(to);
  if (sine > 1e-12) return std::atan2(sine, cosine) / sine * axis;
  return cosine > 0 ? Vec3(Vec3::Zero()) : Vec3(std::numbers::pi * from.unitOrthogonal());
}

}  // namespace

Start start_of(const Joint& joint) {
  Start start;
  for (std::size_t i = 0; i < joint.initial.size(); ++i) {
    const InitialCoordinate& initial = joint.initial[i];
    start.q_given[i] = initial.position.has_value();
    start.u_given[i] = initial.speed.has_value();
    start.q[i] = initial.position.value_or(initial.guess.value_or(0));
    start.u[i] = initial.speed.value_or(0);
  }
  if (joint.drive) {
    const Jet driven = joint.drive->position.jet(0);
    start.q[0] = driven.value;
    start.u[0] = driven.first;
    start.q_given[0] = start.u_given[0] = true;
  }
  return start;
}

Frames frames_of(const JointKind& kind) {
  Frames f;
  std::visit(
      [&](const auto& j) {
        if constexpr (requires { j.p_AP; }) {
          f.p_AP = j.p_AP;
          f.p_BQ = j.p_BQ;
        }
        if constexpr (requires { j.axis_A; }) f.axis_A = j.axis_A;
        if constexpr (requires { j.rotation; }) f.rotation = j.rotation;
        if constexpr (requires { j.axis_B; }) {
          f.turning_A = j.axis_A;
          f.turning_B = j.axis_B;
          f.rotation = rotation_between(j.axis_B, j.axis_A);
        }
        if constexpr (requires { j.length; }) f.distance = j.length;
      },
      kind);
  return f;
}

Offset offset_of(const Joint& joint) {
  const Start s = start_of(joint);
  const Frames f = frames_of(joint.kind);
  const Vec3 z = Vec3::UnitZ();
  if (std::holds_alternative<Revolute>(joint.kind))
    return {.rotation = composed(s.q[0] * f.axis_A, f.rotation), .omega_A = s.u[0] * f.axis_A};
  if (std::holds_alternative<Prismatic>(joint.kind))
    return {s.q[0] * f.axis_A, s.u[0] * f.axis_A, f.rotation};
  if (std::holds_alternative<PointOnLine>(joint.kind))
    return {s.q[0] * f.axis_A, s.u[0] * f.axis_A, s.q[1] * z, s.u[1] * z};
  if (std::holds_alternative<Planar>(joint.kind))
    return {Vec3(s.q[0], s.q[1], 0), Vec3(s.u[0], s.u[1], 0), s.q[2] * z, s.u[2] * z};
  if (std::holds_alternative<Spherical>(joint.kind))
    return {.rotation = Vec3(s.q[0], s.q[1], s.q[2]), .omega_A = Vec3(s.u[0], s.u[1], s.u[2])};
  return {.d_A = f.distance * Vec3::UnitX(), .rotation = f.rotation};
}

InitialMotion motion_of_B(const Joint& joint, const InitialMotion& A) {
  const Frames f = frames_of(joint.kind);
  const Offset o = offset_of(joint);
  const Vec3& R_WA = A.X_WB.rotation;
  InitialMotion B;
  B.X_WB.rotation = composed(R_WA, o.rotation);
  B.angular_velocity = A.angular_velocity + rotated(R_WA, o.omega_A);
  const Vec3 d = rotated(R_WA, f.p_AP + o.d_A), q = rotated(B.X_WB.rotation, f.p_BQ);
  B.X_WB.p = A.X_WB.p + d - q;
  B.velocity = A.velocity + A.angular_velocity.cross(d) + rotated(R_WA, o.rate_A) -
               B.angular_velocity.cross(q);
  return B;
}

InitialMotion motion_of_A(const Joint& joint, const InitialMotion& B) {
  const Frames f = frames_of(joint.kind);
  const Offset o = offset_of(joint);
  InitialMotion A;
  A.X_WB.rotation = composed(B.X_WB.rotation, -o.rotation);
  const Vec3& R_WA = A.X_WB.rotation;
  A.angular_velocity = B.angular_velocity - rotated(R_WA, o.omega_A);
  const Vec3 d = rotated(R_WA, f.p_AP + o.d_A), q = rotated(B.X_WB.rotation, f.p_BQ);
  A.X_WB.p = B.X_WB.p + q - d;
  A.velocity = B.velocity + B.angular_velocity.cross(q) - A.angular_velocity.cross(d) -
               rotated(R_WA, o.rate_A);
  return A;
}

}  // namespace backlash
