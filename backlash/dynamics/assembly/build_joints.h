// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

/// What the joints of a model become: constraints, contacts and dry friction.
namespace backlash {

/// All joints: loops, drives, limits, friction, clearances, gears.
template <class S>
void add_joints(MechanismBuilder<S>& builder);

/// Rows of the pins and guides with clearance, as if they were ideal; none of teeth, which start in
/// the middle of their play wherever that is.
template <class S>
void close_clearances(MechanismBuilder<S>& builder);

/// Rows that hold coordinates where the user guesses them.
template <class S>
void hold_guesses(MechanismBuilder<S>& builder);

/// The contacts of a joint with clearance; in space only teeth have one, else InputError.
void add_clearance(MechanismBuilder<Plane>& builder, const Joint& joint);
void add_clearance(MechanismBuilder<Space>& builder, const Joint& joint);

/// What the results report of the joints.
template <class S>
void add_joint_outputs(MechanismBuilder<S>& builder);

}  // namespace backlash
