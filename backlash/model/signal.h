// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/base/expression.h"

namespace backlash {

/// Quantities of a moving mechanism that formulas of forces and events may use.
enum class SignalKind {
  time,            ///< t [s]
  joint_position,  ///< <joint>.q, or .q1, .q2, … [m, rad]
  joint_velocity,  ///< <joint>.u, or .u1, .u2, … [m/s, rad/s]
  body_x,          ///< <body>.x: origin of the body's frame, in the world [m]
  body_y,          ///< <body>.y [m]
  body_angle,      ///< <body>.angle [rad]
  body_vx,         ///< <body>.vx [m/s]
  body_vy,         ///< <body>.vy [m/s]
  body_omega,      ///< <body>.omega [rad/s]
  state,           ///< a state variable, by its name
  parameter,       ///< one that events set, by its name
  own_length,      ///< length: of a force between two points, their distance [m]
  own_rate,        ///< rate: how fast it grows [m/s]
  // In conditions of events alone, of the last step:
  contact_gap,    ///< <contact>.gap: the least [m]
  contact_force,  ///< <contact>.force: normal forces in sum [N]
  joint_force,    ///< <joint>.force: magnitude of the reaction [N]
  joint_torque,   ///< <joint>.torque: magnitude of its torque about Q [N m]
  joint_load      ///< <joint>.load: what its lock or drive carries, its magnitude [N, N m]
};

struct Signal {
  SignalKind kind = SignalKind::time;
  std::string item{};  ///< name of the joint, body or state; empty for time
  int coordinate = 0;  ///< of the joint, from 0
  bool operator==(const Signal&) const = default;
};

/// A formula of signals: variable i of the expression is signals[i].
struct SignalExpression {
  Expression expression{};
  std::vector<Signal> signals{};
};

/// As it is written in a formula: "t", "crank.q", "rod.omega".
std::string to_string(const Signal& signal);

}  // namespace backlash
