// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/model/keys.h"

namespace backlash::reading {

/// The friction of a compliant law that is more than a number.
FrictionForce read_friction(const Value& value);
DefinitionInfo friction_definition();

}  // namespace backlash::reading
