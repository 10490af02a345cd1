// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "backlash/base/types.h"

namespace backlash {

/// A point of a body.
struct Attachment {
  std::string body{};
  Vec3 p_B = Vec3::Zero();  ///< in the body's frame [m]
};

/// A coordinate of a joint.
struct JointCoordinate {
  std::string joint{};
  int coordinate = 0;  ///< from 0
};

/// The angle of B against A about an axis of A, in the plane counter-clockwise [rad].
struct BodyAngle {
  std::string body_A{};
  std::string body_B{};
  Vec3 axis_A = Vec3::UnitZ();  ///< unit
};

/// What a torsional element acts on.
using AngleTarget = std::variant<JointCoordinate, BodyAngle>;

/// How a force on a coordinate is drawn.
enum class ForceSymbol { push, spring };

/// What a kind of force says of itself; its data say the rest: what it acts `on`, and the numbers
/// of numbers().
struct ForceInfo {
  std::string_view name;  ///< in the file
  ForceSymbol symbol = ForceSymbol::push;
};

}  // namespace backlash
