// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

namespace backlash {

/// The contacts between shapes that the model names.
void add_contacts(MechanismBuilder<Plane>& builder);
void add_contacts(MechanismBuilder<Space>& builder);  ///< there are none yet: InputError

}  // namespace backlash
