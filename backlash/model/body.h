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
  Pose X_BF{};
  SourceLocation where{};
};

/// An outline of a body; "body.shape" elsewhere.
struct BodyShape {
  std::string name{};
  Shape shape{};
  Pose X_BS{};                        ///< of the shape's frame in the body's
  std::vector<std::string> groups{};  ///< by which contacts may name many shapes
  SourceLocation where{};
};

/// Pose and velocity of a body's frame at the start, in the world.
struct InitialMotion {
  Pose X_WB{};
  Vec3 velocity = Vec3::Zero();          ///< of the frame's origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in the plane z alone, counter-clockwise [rad/s]
};

/// A symmetric tensor of inertia; in the plane zz alone.
struct InertiaTensor {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  ///< [kg m²]; xy is −∫ x y dm
};

/// A rigid body.
struct Body {
  std::string name{};
  double mass = 0;          ///< [kg]
  double density = 0;       ///< that mass and inertia follow from; 0: they are given [kg/m³]
  InertiaTensor inertia{};  ///< about the centre of mass, in the body's axes
  Vec3 com = Vec3::Zero();  ///< centre of mass, in the body's frame [m]
  std::vector<BodyShape> shapes{};
  std::vector<Frame> frames{};
  std::optional<InitialMotion> initial{};  ///< of a body that no joint places; a guess for others
  SourceLocation where{};
};

/// Throw InputError unless mass and inertia are zero or positive and finite, and shapes, frames and
/// initial motion are right. The ground has neither mass nor inertia.
void validate(const Body& body);

/// Mass, centre of mass and inertia about it, of a body in the plane.
struct MassProperties {
  double mass = 0;          ///< [kg]
  Vec2 com = Vec2::Zero();  ///< in the body's frame [m]
  double inertia = 0;       ///< [kg m²]
};

/// Of the body's shapes that are plates, with that mass per area [kg/m²]. Throws InputError if
/// there is none. Shapes that overlap count twice.
MassProperties plate_properties(const Body& body, double area_density);

}  // namespace backlash
