// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/model/keys.h"

namespace backlash::reading {

/// Two coefficients: while it sticks, and while it slides.
struct FrictionPair {
  double static_friction = 0, friction = 0;
};

/// A number, or both coefficients.
FrictionPair read_friction_pair(const Value& value);
ValueType friction_pair_type();
DefinitionInfo friction_pair_definition();

/// The friction of a compliant law that is neither.
FrictionForce read_friction(const Value& value);
DefinitionInfo friction_definition();

/// The friction of a joint, by keys that depend on its kind.
Keys<JointFriction> joint_friction_keys(const JointKind& kind);
void read_joint_friction(const Value& value, Joint& joint);

}  // namespace backlash::reading
