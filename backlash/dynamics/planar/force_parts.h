// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/planar/draft.h"

namespace backlash::planar {

/// All force elements of the model.
void add_forces(Draft& draft);

}  // namespace backlash::planar
