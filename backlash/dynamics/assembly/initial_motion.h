// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/pose.h"
#include "backlash/model/joint.h"

/// Where a joint's initial values put the bodies that it connects.
namespace backlash::planar {

/// Pose and velocity of a body's frame, in the world.
struct Motion0 {
  PlanarPose X_WB{};
  Vec2 v = Vec2::Zero();  ///< [m/s]
  double omega = 0;       ///< [rad/s]
};

/// A joint's start with what is not given as zero.
struct Start {
  double q[3] = {0, 0, 0}, u[3] = {0, 0, 0};
  bool q_given[3] = {}, u_given[3] = {};
};
Start start_of(const Joint& joint);

/// Points, axis and kept angle of a joint, whatever its kind.
struct Frames {
  Vec2 p_AP = Vec2::Zero(), p_BQ = Vec2::Zero(), axis_A = Vec2::UnitX();
  double angle = 0;
};
Frames frames_of(const JointKind& kind);

/// Where the joint's start puts Q: along A's axes from P, and B's angle against A.
struct Offset {
  Vec2 d_A = Vec2::Zero(), rate_A = Vec2::Zero();
  double angle = 0, omega = 0;
};
Offset offset_of(const Joint& joint);

/// Motion of B when A's is known, or of A when B's is.
Motion0 motion_of_B(const Joint& joint, const Motion0& A);
Motion0 motion_of_A(const Joint& joint, const Motion0& B);

}  // namespace backlash::planar
