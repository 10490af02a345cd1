// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

namespace backlash {

/// All force elements of the model.
template <class S>
void add_forces(MechanismBuilder<S>& builder);

}  // namespace backlash
