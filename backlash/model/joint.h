// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/base/source_location.h"
#include "backlash/base/types.h"
#include "backlash/model/joint_info.h"
#include "backlash/model/rod.h"

/// What holds two bodies A and B together. P is a point of A and Q of B; coordinates are those of B
/// relative to A. In the plane z, the axis of all rotations, points at the reader: angles count
/// counter-clockwise.
namespace backlash {

/// P and Q coincide, and the two axes. Coordinate: angle of B against A [rad].
struct Revolute {
  Vec3 p_AP = Vec3::Zero();     ///< [m]
  Vec3 p_BQ = Vec3::Zero();     ///< [m]
  Vec3 axis_A = Vec3::UnitZ();  ///< unit, in A
  Vec3 axis_B = Vec3::UnitZ();  ///< unit, in B

  static JointInfo info() {
    return {.name = "revolute",
            .coordinates = {CoordinateType::rotation},
            .holds = {Hold::points, Hold::axes},
            .symbol = JointSymbol::pin};
  }
};

/// Q moves on the line through P along the axis, and B does not turn against A. Coordinate:
/// distance from P to Q along the axis [m].
struct Prismatic {
  Vec3 p_AP = Vec3::Zero();      ///< [m]
  Vec3 p_BQ = Vec3::Zero();      ///< [m]
  Vec3 axis_A = Vec3::UnitX();   ///< unit, in A
  Vec3 rotation = Vec3::Zero();  ///< of B against A, kept: axis × angle [rad]

  static JointInfo info() {
    return {.name = "prismatic",
            .coordinates = {CoordinateType::translation},
            .holds = {Hold::line, Hold::rotation},
            .symbol = JointSymbol::slide};
  }
};

/// P and Q coincide, and B does not turn against A. No coordinate.
struct Fixed {
  Vec3 p_AP = Vec3::Zero();      ///< [m]
  Vec3 p_BQ = Vec3::Zero();      ///< [m]
  Vec3 rotation = Vec3::Zero();  ///< of B against A, kept: axis × angle [rad]

  static JointInfo info() {
    return {.name = "fixed", .holds = {Hold::points, Hold::rotation}, .symbol = JointSymbol::weld};
  }
};

/// Q moves in the plane through P along A's x and y, and B rotates about z; in the plane nothing is
/// held. Coordinates: from P to Q along A's axes [m], then the angle of B against A [rad].
struct Planar {
  Vec3 p_AP = Vec3::Zero();  ///< [m]
  Vec3 p_BQ = Vec3::Zero();  ///< [m]

  static JointInfo info() {
    return {.name = "planar",
            .coordinates = {CoordinateType::translation, CoordinateType::translation,
                            CoordinateType::rotation},
            .holds = {Hold::height, Hold::axes}};
  }
};

/// P and Q coincide, B may rotate about all axes. In space only. At the start: rotation vector of B
/// against A [rad] and angular velocity [rad/s], in A's axes.
struct Spherical {
  Vec3 p_AP = Vec3::Zero();  ///< [m]
  Vec3 p_BQ = Vec3::Zero();  ///< [m]

  static JointInfo info() {
    return {.name = "spherical",
            .coordinates = {CoordinateType::rotation, CoordinateType::rotation,
                            CoordinateType::rotation},
            .holds = {Hold::points},
            .symbol = JointSymbol::pin,
            .in_space_only = true};
  }
};

/// Q moves on the line through P along the axis, and B may turn. Coordinates: distance from P to Q
/// along the axis [m], then the angle of B against A [rad].
struct PointOnLine {
  Vec3 p_AP = Vec3::Zero();     ///< [m]
  Vec3 p_BQ = Vec3::Zero();     ///< [m]
  Vec3 axis_A = Vec3::UnitX();  ///< unit, in A

  static JointInfo info() {
    return {.name = "point_on_line",
            .coordinates = {CoordinateType::translation, CoordinateType::rotation},
            .holds = {Hold::line},
            .symbol = JointSymbol::slide_and_pin};
  }
};

/// Couples two revolute joints: q_second = ratio q_first + constant, the constant from the start.
/// Outer gears of r1 and r2 on one carrier have the ratio −r1/r2.
struct Gear {
  std::string first{};   ///< name of a revolute joint
  std::string second{};  ///< name of a revolute joint
  double ratio = 1;

  static JointInfo info() {
    return {.name = "gear", .holds = {Hold::ratio}, .symbol = JointSymbol::coupling};
  }
};

/// Couples a revolute and a prismatic joint: s = radius φ + constant, the constant from the start.
struct Rack {
  std::string pinion{};  ///< name of a revolute joint
  std::string rack{};    ///< name of a prismatic joint
  double radius = 0;     ///< of the pinion's pitch circle; negative: s falls as φ grows [m]

  static JointInfo info() {
    return {.name = "rack", .holds = {Hold::ratio}, .symbol = JointSymbol::coupling};
  }
};

/// Couples two coordinates of any joints: q_second = ratio q_first + constant, the constant from
/// the start. With a carrier both are the angles of the joints' bodies B against that body.
struct Coupling {
  std::string first{};                              ///< name of a joint
  std::string second{};                             ///< name of a joint
  int first_coordinate = 0, second_coordinate = 0;  ///< of the joints, from 0
  double ratio = 1;                                 ///< SI, of the second over the first
  std::string carrier{};                            ///< name of a body; empty: none

  static JointInfo info() {
    return {.name = "coupling", .holds = {Hold::ratio}, .symbol = JointSymbol::coupling};
  }
};

/// All joints.
using JointKind = std::variant<Revolute, Prismatic, Fixed, Planar, PointOnLine, Gear, Rack,
                               Spherical, Rod, Coupling>;

/// What the kind says of itself.
JointInfo joint_info(const JointKind& kind);

/// Whether it holds something in this way.
bool holds(const JointKind& kind, Hold hold);

/// The coordinates of a joint, in their order; none for Gear, Rack and Coupling, which couple
/// others.
std::vector<CoordinateType> coordinate_types(const JointKind& kind);

/// The axis of A along which Q moves; null for joints whose first coordinate is none such.
const Vec3* sliding_axis(const JointKind& kind);

/// "revolute", "point_on_line", …
std::string_view kind_name(const JointKind& kind);

/// Of one coordinate at the start; what is not given is 0 in a tree and found by assembly in a
/// loop.
struct InitialCoordinate {
  std::optional<double> position{};  ///< [m] or [rad]
  std::optional<double> speed{};     ///< [m/s] or [rad/s]
  std::optional<double> guess{};     ///< where the search in a loop begins [m] or [rad]
};

/// A journal on B in a bearing on A: Q may leave P by the gap.
struct RevoluteClearance {
  double gap = 0;             ///< radial: bearing radius − journal radius [m]
  double journal_radius = 0;  ///< [m]; where friction acts, and for Hertz' stiffness
  std::string law{};
};

/// A rectangular slider on B, its middle at Q, between the two sides of a straight guide on A. The
/// contacts are the slider's corners (and the guide's, if it has ends).
struct PrismaticClearance {
  double gap = 0;                 ///< on each side: (guide width − slider width)/2 [m]
  double length = 0;              ///< of the slider along the axis [m]
  double width = 0;               ///< of the slider across the axis [m]
  double guide_from = -INFINITY;  ///< where the guide begins, from P along the axis [m]
  double guide_to = INFINITY;     ///< where it ends [m]
  double corner_radius = 0;       ///< for Hertz' stiffness alone: corners touch as if sharp [m]
  double max_misalignment = INFINITY;  ///< of B against A, besides what the corners allow [rad]
  std::string law{};
};

/// Play between the teeth of a gear or rack.
struct ToothClearance {
  double gap = 0;  ///< on each side, in the coordinate of the second joint [rad], of the rack [m]
  std::string law{};
};

using Clearance = std::variant<RevoluteClearance, PrismaticClearance, ToothClearance>;

/// Stops on the first coordinate.
struct Limits {
  double lower = -INFINITY;  ///< [m] or [rad]
  double upper = INFINITY;   ///< [m] or [rad]
  std::string law{};
};

/// Dry friction on the first coordinate: of given strength, and in proportion to what the joint
/// carries (theory 6.19).
struct JointFriction {
  double strength = 0;         ///< [N] or [N m]
  double friction = 0;         ///< μ of what it carries
  double static_friction = 0;  ///< the same while it sticks, if larger
  double radius = 0;           ///< of the pin, of a revolute joint: where friction acts [m]
  double length = 0;           ///< of the guide, of a prismatic joint [m]
};

/// The first coordinate follows a function of time.
struct Drive {
  Expression position{};  ///< [m] or [rad]; variable 0 is t [s]
};

struct Joint {
  std::string name{};
  std::string body_A{};  ///< empty for those that couple others
  std::string body_B{};  ///< empty for those that couple others
  JointKind kind{};
  std::array<InitialCoordinate, 6> initial{};  ///< in the order of coordinate_types()
  std::optional<Clearance> clearance{};        ///< absent: ideal
  std::optional<Limits> limits{};
  std::optional<JointFriction> friction{};
  std::optional<Drive> drive{};
  SourceLocation where{};
};

/// Throw InputError unless the numbers make sense and the attributes fit the kind.
void validate(const Joint& joint);

}  // namespace backlash
