// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "backlash/base/source_location.h"
#include "backlash/base/table.h"
#include "backlash/model/body.h"
#include "backlash/model/force_info.h"
#include "backlash/model/signal.h"
#include "backlash/model/torque_limiter.h"

/// What pushes, pulls and turns, besides gravity and contact. "L" is the distance of two points.
namespace backlash {

/// In which directions a spring or damper acts between its points.
enum class TensionSides {
  both,
  pulling,  ///< a rope: no force where it would push
  pushing   ///< a bump stop: no force where it would pull
};

/// Pulls two points together by preload + k x + c L̇, where x = L − length, less the dead band. One
/// that is one-sided does so where preload + k x has its sign, and as far as the sum has.
struct Spring {
  Attachment from{};
  Attachment to{};
  double stiffness = 0;  ///< k [N/m]
  double length = 0;     ///< free length, or the length at which `preload` acts [m]
  double preload = 0;    ///< tension at x = 0 [N]; negative: the spring pushes
  double damping = 0;    ///< c [N s/m]
  double dead_band = 0;  ///< |L − length| below this gives no elastic force [m]
  TensionSides acts = TensionSides::both;

  static ForceInfo info() { return {.name = "spring", .symbol = ForceSymbol::spring}; }
};

/// Pulls two points together by c L̇; one that is one-sided as far as that has its sign.
struct Damper {
  Attachment from{};
  Attachment to{};
  double damping = 0;  ///< c [N s/m]
  TensionSides acts = TensionSides::both;

  static ForceInfo info() { return {.name = "damper"}; }
};

/// Pulls two points together by a formula, which may use their distance and its rate.
struct Tension {
  Attachment from{};
  Attachment to{};
  SignalExpression tension{};  ///< [N]; negative: it pushes

  static ForceInfo info() { return {.name = "tension", .symbol = ForceSymbol::spring}; }
};

/// Turns back by k x + c φ̇ − preload, where x = φ − angle, less the dead band; the preload turns B
/// counter-clockwise. Also serves prismatic joints (N/m, N s/m, N, m).
struct TorsionSpring {
  AngleTarget on{};
  double stiffness = 0;  ///< k [N m/rad]
  double angle = 0;      ///< free angle [rad]
  double preload = 0;    ///< [N m]
  double damping = 0;    ///< c [N m s/rad]
  double dead_band = 0;  ///< |φ − angle| below this gives no elastic torque [rad]

  static ForceInfo info() { return {.name = "torsion_spring", .symbol = ForceSymbol::spring}; }
};

/// Holds a frame G of B elastically at a frame F of A, along and about F's axes.
struct Bushing {
  std::string body_A{};
  std::string body_B{};
  Pose X_AF{};
  Pose X_BG{};
  Vec3 stiffness = Vec3::Zero();          ///< along x, y, z [N/m]
  Vec3 damping = Vec3::Zero();            ///< [N s/m]
  Vec3 angular_stiffness = Vec3::Zero();  ///< about x, y, z; in the plane z alone [N m/rad]
  Vec3 angular_damping = Vec3::Zero();    ///< [N m s/rad]

  static ForceInfo info() { return {.name = "bushing"}; }
};

/// In whose axes a force is given.
enum class ForceAxes { world, body };

struct PointForce {
  Attachment at{};
  SignalExpression x{};  ///< [N]
  SignalExpression y{};  ///< [N]
  SignalExpression z{};  ///< [N]; in space
  ForceAxes axes = ForceAxes::world;

  static ForceInfo info() { return {.name = "force"}; }
};

/// On one body, with the opposite on another (the ground, unless named).
struct Torque {
  std::string body{};
  std::string reaction{ground_name};
  SignalExpression torque{};    ///< in the plane counter-clockwise [N m]
  Vec3 axis_A = Vec3::UnitZ();  ///< unit, about which it turns, of the body of the reaction

  static ForceInfo info() { return {.name = "torque"}; }
};

/// Along a coordinate of a joint, on B with the opposite on A.
struct JointForce {
  JointCoordinate on{};
  SignalExpression force{};  ///< [N] or [N m]

  static ForceInfo info() { return {.name = "joint_force"}; }
};

/// Torque on a straight line of speed: command · stall_torque (1 − ω / no_load_speed), on a rotor
/// that turns `ratio` times as fast as the joint.
struct Motor {
  JointCoordinate on{};
  double stall_torque = 0;     ///< of the rotor [N m] or [N]
  double no_load_speed = 0;    ///< of the rotor, > 0 [rad/s] or [m/s]
  SignalExpression command{};  ///< 1: full power; scales the torque, not the speed
  double ratio = 1;            ///< speed of the rotor over that of the joint
  double inertia = 0;          ///< of the rotor, on revolute joints [kg m²]

  static ForceInfo info() { return {.name = "motor"}; }
};

/// A force along a joint's coordinate, by points over a signal.
struct TableForce {
  JointCoordinate on{};
  Signal over{};  ///< what the table's x is
  Table table{};  ///< y: [N] or [N m]

  static ForceInfo info() { return {.name = "table"}; }
};

/// Lets B turn against A in one direction only: 0 ≤ direction · φ̇ ⊥ torque ≥ 0.
struct OneWayClutch {
  AngleTarget on{};
  int direction = 1;  ///< +1: free counter-clockwise; −1: free clockwise
  double capacity = std::numeric_limits<double>::infinity();  ///< slips above this [N m]

  static ForceInfo info() { return {.name = "one_way_clutch"}; }
};

/// A spring clamped between stops, set-valued: with x = φ − rest, it resists by
/// ±(preload + k (|x| − dead_band)) beyond the dead band, by anything between 0 and ±preload at its
/// edge, and not at all inside. Without dead band it holds x = 0 until ±preload is exceeded.
struct PreloadedSpring {
  std::variant<JointCoordinate, BodyAngle, std::array<Attachment, 2>> on{};
  double stiffness = 0;  ///< k [N/m] or [N m/rad]
  double preload = 0;    ///< ≥ 0 [N] or [N m]
  double rest = 0;       ///< [m] or [rad]
  double dead_band = 0;  ///< to each side [m] or [rad]
  double damping = 0;    ///< beyond the dead band [N s/m] or [N m s/rad]

  static ForceInfo info() { return {.name = "preloaded_spring", .symbol = ForceSymbol::spring}; }
};

/// All force elements.
using ForceElement =
    std::variant<Spring, Damper, Tension, TorsionSpring, Bushing, PointForce, Torque, JointForce,
                 Motor, TableForce, OneWayClutch, PreloadedSpring, TorqueLimiter>;

struct Force {
  std::string name{};
  ForceElement element{};
  bool active = true;  ///< at the start; events switch it
  SourceLocation where{};
};

/// Throw InputError unless the numbers make sense.
void validate(const Force& force);

/// "spring", "one_way_clutch", …
std::string_view kind_name(const ForceElement& element);

}  // namespace backlash
