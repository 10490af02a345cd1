// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backlash/dynamics/gap_unit.h"
#include "backlash/model/model.h"

/// What a designer asks of a cam and its follower while they stay in contact (theory 7.25).
namespace backlash {

/// For Hertz' pressure of two cylinders.
struct HertzLine {
  double modulus = 0;  ///< E*: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ [Pa]
  double width = 0;    ///< of the contact [m]; 0: no pressure is asked for
};

/// What is asked of a model.
struct CamQuestion {
  std::string contact{};          ///< of cam and follower, by its name; empty: the only one
  std::optional<double> speed{};  ///< of the cam [rad/s]; absent: at the start
  HertzLine hertz{};
  int points = 720;  ///< of one turn
};

/// At one angle of the cam. Lengths along the follower's coordinate are in m, of one that rocks in
/// rad; it rises where it moves away from the cam.
struct CamDesignPoint {
  double angle = 0;            ///< coordinate of the cam's joint [rad]
  double position = 0;         ///< coordinate of the follower's joint
  double lift = 0;             ///< above its lowest position
  double slope = 0;            ///< ds/dθ of the lift [1/rad]
  double bend = 0;             ///< d²s/dθ² [1/rad²]
  double pressure_angle = 0;   ///< between the contact's normal and the follower's motion [rad]
  double cam_radius = 0;       ///< of curvature there: > 0 bulges, < 0 is hollow [m]
  double follower_radius = 0;  ///< likewise [m]
  double force = 0;            ///< of the contact, at the speed; < 0: it would open [N]
  double pressure = 0;         ///< Hertz' [Pa]; 0 where the force is negative, or without a width
};

struct CamDesign {
  std::string cam{}, follower{}, contact{};  ///< names of the joints, and of the contact
  GapUnit unit = GapUnit::metre;             ///< of the follower's coordinate
  double speed = 0;                          ///< [rad/s]
  std::vector<CamDesignPoint> points{};      ///< over one turn, at equal distances
  double lift = 0;                           ///< the whole of it
  double largest_pressure_angle = 0;         ///< [rad]
  double smallest_radius = 0;                ///< of the cam where it bulges [m]
  double smallest_force = 0;                 ///< [N]
  double largest_force = 0;                  ///< [N]
  double largest_pressure = 0;               ///< [Pa]
  /// Into the direction of `speed`, at which the force first vanishes somewhere [rad/s]; infinite:
  /// at none.
  double lift_off_speed = 0;
  double lift_off_angle = 0;  ///< where that is [rad]
  /// Where the slope jumps, so that the follower is hit or thrown off at any speed [rad].
  std::optional<double> corner_angle{};
};

/// Turns a cam of a model once, with its follower on it, without friction. Cam and follower are
/// bodies on ideal joints of their own to the ground: the cam on a revolute one, the follower on a
/// prismatic or a revolute one. Everything else stays where it is at the start. Throws InputError
/// for models that are not so, numbers that make no sense, and where the follower loses the cam.
CamDesign design_cam(const Model& model, const CamQuestion& question = {});

/// Of the line contact of two cylinders with the radii of curvature a and b, pressed by a force
/// (theory 7.26) [Pa].
double hertz_pressure(const HertzLine& line, double a, double b, double force);

}  // namespace backlash
