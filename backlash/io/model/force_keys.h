// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/units.h"
#include "backlash/io/model/keys.h"
#include "backlash/model/member.h"

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
ForceKeys tension_keys();
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

/// What a torsional element acts on: a joint, or two bodies.
ForceKeys angle_target();

/// A number whose dimension is one along a translation, another about a rotation.
struct DimensionPair {
  Dimension translation, rotation;
};

inline Dimension pick(const DimensionPair& pair, CoordinateType f) {
  return f == CoordinateType::rotation ? pair.rotation : pair.translation;
}
ValueType pair_type(const DimensionPair& pair);

/// The keys of an element that says its own numbers, and acts on an angle.
template <class Element>
ForceKeys keys_of() {
  ForceKeys keys = angle_target();
  for (const NumberField<Element>& field : Element::numbers()) {
    const Dimension angular = read_unit(field.unit).dimension;
    const Dimension linear =
        field.linear_unit.empty() ? angular : read_unit(field.linear_unit).dimension;
    const DimensionPair dims{linear, angular};
    keys.push_back(
        required(ForceKey{{std::string(field.key), pair_type(dims), std::string(field.meaning)},
                          [=](const Value& v, ForceDraft& d) {
                            std::get<Element>(d.force.element).*field.value =
                                v.number(pick(dims, d.coordinate_type), field.range);
                          }}));
  }
  return keys;
}

}  // namespace backlash::reading
