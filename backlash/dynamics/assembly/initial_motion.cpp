// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/initial_motion.h"

#include "backlash/base/plane.h"

namespace backlash::planar {

Start start_of(const Joint& joint) {
  Start start;
  for (std::size_t i = 0; i < 3; ++i) {
    const InitialCoordinate& initial = joint.initial[i];
    start.q_given[i] = initial.position.has_value();
    start.u_given[i] = initial.speed.has_value();
    start.q[i] = initial.position.value_or(0);
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
  if (const auto* j = std::get_if<Revolute>(&kind)) return {j->p_AP, j->p_BQ};
  if (const auto* j = std::get_if<Prismatic>(&kind)) return {j->p_AP, j->p_BQ, j->axis_A, j->angle};
  if (const auto* j = std::get_if<Fixed>(&kind)) return {j->p_AP, j->p_BQ, Vec2::UnitX(), j->angle};
  if (const auto* j = std::get_if<Planar>(&kind)) return {j->p_AP, j->p_BQ};
  if (const auto* j = std::get_if<PointOnLine>(&kind)) return {j->p_AP, j->p_BQ, j->axis_A};
  return {};
}

Offset offset_of(const Joint& joint) {
  const Start s = start_of(joint);
  const Frames f = frames_of(joint.kind);
  if (std::holds_alternative<Revolute>(joint.kind)) return {.angle = s.q[0], .omega = s.u[0]};
  if (std::holds_alternative<Prismatic>(joint.kind))
    return {s.q[0] * f.axis_A, s.u[0] * f.axis_A, f.angle, 0};
  if (std::holds_alternative<PointOnLine>(joint.kind))
    return {s.q[0] * f.axis_A, s.u[0] * f.axis_A, s.q[1], s.u[1]};
  if (std::holds_alternative<Planar>(joint.kind))
    return {Vec2(s.q[0], s.q[1]), Vec2(s.u[0], s.u[1]), s.q[2], s.u[2]};
  return {.angle = f.angle};
}

Motion0 motion_of_B(const Joint& joint, const Motion0& A) {
  const Frames f = frames_of(joint.kind);
  const Offset o = offset_of(joint);
  Motion0 B;
  B.X_WB.angle = A.X_WB.angle + o.angle;
  B.omega = A.omega + o.omega;
  const Vec2 d = rotated(A.X_WB.angle, f.p_AP + o.d_A), q = rotated(B.X_WB.angle, f.p_BQ);
  B.X_WB.p = A.X_WB.p + d - q;
  B.v = A.v + cross(A.omega, d) + rotated(A.X_WB.angle, o.rate_A) - cross(B.omega, q);
  return B;
}

Motion0 motion_of_A(const Joint& joint, const Motion0& B) {
  const Frames f = frames_of(joint.kind);
  const Offset o = offset_of(joint);
  Motion0 A;
  A.X_WB.angle = B.X_WB.angle - o.angle;
  A.omega = B.omega - o.omega;
  const Vec2 d = rotated(A.X_WB.angle, f.p_AP + o.d_A), q = rotated(B.X_WB.angle, f.p_BQ);
  A.X_WB.p = B.X_WB.p + q - d;
  A.v = B.v + cross(B.omega, q) - cross(A.omega, d) - rotated(A.X_WB.angle, o.rate_A);
  return A;
}

}  // namespace backlash::planar
