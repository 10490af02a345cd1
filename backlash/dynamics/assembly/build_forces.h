// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

namespace backlash::planar {

/// All force elements of the model.
void add_forces(MechanismBuilder& builder);

}  // namespace backlash::planar
