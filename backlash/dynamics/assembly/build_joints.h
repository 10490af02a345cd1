// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

/// What the joints of a model become: constraints, contacts and dry friction.
namespace backlash::planar {

/// All joints: loops, drives, limits, friction, clearances, gears.
void add_joints(MechanismBuilder& builder);

/// The contacts of a joint with clearance.
void add_clearance(MechanismBuilder& builder, const Joint& joint);

/// What the results report of the joints.
void add_joint_outputs(MechanismBuilder& builder);

}  // namespace backlash::planar
