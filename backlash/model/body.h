// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backlash/base/source_location.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/shape.h"

namespace backlash {

/// The name of the world as a body.
inline constexpr std::string_view ground_name = "ground";

/// A place and direction on a body that other items may refer to as "body.frame".
struct Frame {
  std::string name{};
  PlanarPose X_BF{};
  SourceLocation where{};
};

/// An outline of a body; "body.shape" elsewhere.
struct BodyShape {
  std::string name{};
  Shape shape{};
  PlanarPose X_BS{};                  ///< of the shape's frame in the body's
  std::vector<std::string> groups{};  ///< by which contacts may name many shapes
  SourceLocation where{};
};

/// Pose and velocity of a body's frame at the start, in the world.
struct InitialMotion {
  PlanarPose X_WB{};
  Vec2 velocity = Vec2::Zero();  ///< of the frame's origin [m/s]
  double speed = 0;              ///< counter-clockwise [rad/s]
};

/// A rigid body in the plane.
struct Body {
  std::string name{};
  double mass = 0;          ///< [kg]
  double inertia = 0;       ///< about the centre of mass [kg m²]
  Vec2 com = Vec2::Zero();  ///< centre of mass, in the body's frame [m]
  std::vector<BodyShape> shapes{};
  std::vector<Frame> frames{};
  std::optional<InitialMotion> initial{};  ///< of a body that no joint places; a guess for others
  SourceLocation where{};
};

/// Throw InputError unless mass and inertia are zero or positive and finite, and the shapes are
/// right. The ground has neither.
void validate(const Body& body);

/// Mass, centre of mass and inertia about it.
struct MassProperties {
  double mass = 0;          ///< [kg]
  Vec2 com = Vec2::Zero();  ///< in the body's frame [m]
  double inertia = 0;       ///< [kg m²]
};

/// Of the body's circles and polygons as plates of that mass per area [kg/m²]. Throws InputError if
/// there is none. Shapes that overlap count twice.
MassProperties plate_properties(const Body& body, double area_density);

}  // namespace backlash
