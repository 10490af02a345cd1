// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/model/model.h"
#include "backlash/scene/scene.h"

/// What build_scene() adds, kind by kind.
namespace backlash::scene_items {

/// The ground, for a name that is no body's.
int index_of(const Scene& scene, const std::string& body);

void add_joints(const Model& model, Scene& scene);
void add_forces(const Model& model, Scene& scene);

}  // namespace backlash::scene_items
