// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/results/results_file.h"
#include "backlash/scene/scene_state.h"

namespace backlash {

/// Where the bodies of a result's scene are at a time, between two rows in proportion, with the
/// contacts of the row nearest to it. Throws InputError for a time outside of the run, a result
/// without rows, and one that lacks the motion of a body.
SceneState scene_at(const Results& results, double t);

}  // namespace backlash
