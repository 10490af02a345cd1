// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"
#include "backlash/model/model.h"
#include "backlash/scene/scene.h"

namespace backlash {

/// The scene of a model; `info` is that of the System that was assembled from it. Throws InputError
/// if the system lacks a body that the model has.
Scene build_scene(const Model& model, const SystemInfo& info);

}  // namespace backlash
