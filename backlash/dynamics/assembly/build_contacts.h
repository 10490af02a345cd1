// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

namespace backlash::planar {

/// The contacts between shapes that the model names.
void add_contacts(MechanismBuilder& builder);

}  // namespace backlash::planar
