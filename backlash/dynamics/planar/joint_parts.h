// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/planar/draft.h"

/// What the joints of a model become: constraints, contacts and dry friction.
namespace backlash::planar {

/// All joints: loops, drives, limits, friction, clearances, gears.
void add_joints(Draft& draft);

/// The contacts of a joint with clearance.
void add_clearance(Draft& draft, const Joint& joint);

/// What is told of the joints.
void add_joint_outputs(Draft& draft);

}  // namespace backlash::planar
