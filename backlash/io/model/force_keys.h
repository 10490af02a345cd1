// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/model/keys.h"

namespace backlash::reading {

/// A force element while it is read.
struct ForceDraft {
  Force force{};
  std::pair<std::string, std::string> bodies{};
  std::pair<Pose, Pose> points{};
  std::optional<JointCoordinate> joint{};
  CoordinateType coordinate_type =
      CoordinateType::rotation;  ///< of the coordinate, or of what lies between the bodies
  Signal over{};                 ///< of a table
  Interpolation interpolation = Interpolation::linear;
  Extension extension = Extension::hold;
};

using ForceKey = Key<ForceDraft>;
using ForceKeys = Keys<ForceDraft>;

/// Both, one after the other.
ForceKeys joined(ForceKeys a, const ForceKeys& b);

/// The keys of each kind of force element, but for those that all have.
ForceKeys spring_keys();
ForceKeys damper_keys();
ForceKeys torsion_spring_keys();
ForceKeys joint_spring_keys();
ForceKeys bushing_keys();
ForceKeys point_force_keys();
ForceKeys torque_keys();
ForceKeys joint_force_keys();
ForceKeys motor_keys();
ForceKeys table_keys();
ForceKeys clutch_keys();
ForceKeys preloaded_spring_keys();

}  // namespace backlash::reading
