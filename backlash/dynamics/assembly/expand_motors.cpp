// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/expand_motors.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

const Motor* motor_with_rotor(const Force& force) {
  const auto* motor = std::get_if<Motor>(&force.element);
  return motor && motor->inertia > 0 ? motor : nullptr;
}

/// Without mass, for that is part of the body that it turns on.
Body rotor_of(const Force& force, const Motor& motor) {
  Body rotor{.name = force.name + ".rotor", .where = force.where};
  rotor.inertia.zz = motor.inertia;
  return rotor;
}

void add_rotor(Force& force, Model& model) {
  Motor& motor = std::get<Motor>(force.element);
  const Joint driven = *find_joint(model, motor.on.joint);
  Revolute turning = std::get<Revolute>(driven.kind);
  turning.p_BQ = Vec3::Zero();
  const std::string shaft = force.name + ".shaft";
  model.bodies.push_back(rotor_of(force, motor));
  model.joints.push_back({.name = shaft,
                          .body_A = driven.body_A,
                          .body_B = model.bodies.back().name,
                          .kind = turning,
                          .where = force.where});
  model.joints.push_back({.name = force.name + ".gear",
                          .kind = Gear{driven.name, shaft, motor.ratio},
                          .where = force.where});
  motor.on = {.joint = shaft};
  motor.ratio = 1;
}

}  // namespace

bool has_rotors(const Model& model) { return std::ranges::any_of(model.forces, motor_with_rotor); }

Model with_rotors(const Model& model) {
  Model expanded = model;
  for (Force& force : expanded.forces) {
    if (!motor_with_rotor(force)) continue;
    if (model.simulation.coordinates == Coordinates::absolute)
      throw InputError(force.where,
                       fmt::format("force '{}': a motor with inertia needs 'coordinates: joint', "
                                   "for its rotor has no mass of its own",
                                   force.name));
    add_rotor(force, expanded);
  }
  return expanded;
}

}  // namespace backlash
