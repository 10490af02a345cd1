// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/scene/scene_state.h"

namespace backlash {

/// The same with play that looks `factor` times as large: in every revolute and prismatic joint
/// with clearance the displacement from the middle of the play is multiplied, and the bodies are
/// moved as little as possible so that all other joints stay together. Contacts of clearances move
/// with their bodies; gaps between shapes are not changed. In the plane.
SceneState exaggerated(const Scene& scene, const SceneState& state, double factor);

}  // namespace backlash
