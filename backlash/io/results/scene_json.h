// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/scene/scene.h"

namespace backlash {

/// A scene as results.h5 holds it (docs/reference/results.md).
std::string scene_json(const Scene& scene);

/// Throws InputError for what is no scene, or one of a version that this program does not know.
Scene parse_scene(const std::string& text);

}  // namespace backlash
