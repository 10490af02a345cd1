// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "backlash/model/body.h"
#include "backlash/model/joint.h"

/// Where a joint's initial values put the bodies that it connects, in the plane or in space.
namespace backlash {

/// A joint's start with what is not given as zero.
struct Start {
  std::array<double, 6> q{}, u{};
  std::array<bool, 6> q_given{}, u_given{};
};
Start start_of(const Joint& joint);

/// Points, axis and rotation of a joint, whatever its kind.
struct Frames {
  Vec3 p_AP = Vec3::Zero(), p_BQ = Vec3::Zero(), axis_A = Vec3::UnitX();
  Vec3 turning_A = Vec3::UnitZ(), turning_B = Vec3::UnitZ();  ///< axes of a rotation, in A and B
  Vec3 rotation = Vec3::Zero();  ///< of B against A where the coordinates are zero: axis × angle
  double distance = 0;           ///< of Q from P there, along A's x [m]
};
Frames frames_of(const JointKind& kind);

/// Where the joint's start puts B, in A's axes: Q from P, and B's rotation.
struct Offset {
  Vec3 d_A = Vec3::Zero(), rate_A = Vec3::Zero();        ///< [m], [m/s]
  Vec3 rotation = Vec3::Zero(), omega_A = Vec3::Zero();  ///< [rad], [rad/s]
};
Offset offset_of(const Joint& joint);

/// Motion of B when A's is known, or of A when B's is.
InitialMotion motion_of_B(const Joint& joint, const InitialMotion& A);
InitialMotion motion_of_A(const Joint& joint, const InitialMotion& B);

}  // namespace backlash
