// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backlash/geometry/closest_points.h"

/// What a designer asks of a cam and its follower while they stay in contact (theory 7.25).
namespace backlash {

/// A shape that turns about the origin, counter-clockwise, and one that is guided along a line.
struct CamPair {
  Shape cam{};
  Shape follower{};                ///< in its own frame, which does not turn
  Vec2 direction = Vec2::UnitY();  ///< unit: in which the follower rises
  Vec2 guide = Vec2::Zero();       ///< where the follower's origin is at the position 0 [m]
};

/// What presses the follower on the cam: preload + stiffness · lift, against its direction.
struct FollowerLoad {
  double mass = 0;       ///< [kg]
  double stiffness = 0;  ///< of the spring [N/m]
  double preload = 0;    ///< of the spring at the lowest position, and weight [N]
};

/// For Hertz' pressure of two cylinders.
struct HertzLine {
  double modulus = 0;  ///< E*: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ [Pa]
  double width = 0;    ///< of the contact [m]
};

/// At one angle of the cam.
struct CamDesignPoint {
  double angle = 0;           ///< of the cam [rad]
  double position = 0;        ///< of the follower along its direction [m]
  double lift = 0;            ///< above its lowest position [m]
  double slope = 0;           ///< ds/dθ [m/rad]
  double bend = 0;            ///< d²s/dθ² [m/rad²]
  double pressure_angle = 0;  ///< between the contact's normal and the direction [rad]
  double cam_radius = 0;      ///< of the cam's curvature there: > 0 bulges, < 0 is hollow [m]
  double force = 0;           ///< of the contact, at the speed; < 0: it would open [N]
  double pressure = 0;        ///< Hertz' [Pa]; 0 where the force is negative, or without a width
};

struct CamDesign {
  std::vector<CamDesignPoint> points{};  ///< over one turn, at equal distances
  double lift = 0;                       ///< the whole of it [m]
  double largest_pressure_angle = 0;     ///< [rad]
  double smallest_radius = 0;            ///< of the cam where it bulges [m]
  double largest_pressure = 0;           ///< [Pa]
  double lift_off_speed = 0;             ///< at which the force first vanishes somewhere [rad/s]
  double lift_off_angle = 0;             ///< where that is [rad]
};

/// Follows one turn of the cam at this speed [rad/s]. Throws InputError for shapes that cannot
/// touch, numbers that make no sense, and where the follower loses the cam.
CamDesign design_cam(const CamPair& pair, const FollowerLoad& load, double speed,
                     const HertzLine& hertz = {}, int points = 720);

/// Of the line contact of two cylinders with the radii of curvature a and b, pressed by a force
/// (theory 7.26) [Pa].
double hertz_pressure(const HertzLine& line, double a, double b, double force);

}  // namespace backlash
