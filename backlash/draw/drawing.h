// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/draw/view.h"
#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/model/model.h"
#include "backlash/scene/scene_state.h"

namespace backlash {

/// How much of a mechanism a picture says.
enum class DrawingDetail {
  labelled,  ///< names, centres of mass, forces, candidates for contact
  plain      ///< for small pictures: the mechanism, and contacts that are closed
};

/// All of a mechanism that is to be seen at that time, in the x-y plane.
drawing::Box scene_extent(const Scene& scene, const SceneState& state);

/// Draws a mechanism into a part of a picture.
void draw_scene(const Scene& scene, const SceneState& state, DrawingDetail detail,
                const drawing::View& view, Svg& svg);

/// A picture (SVG) of a mechanism: shapes of the bodies, joints, springs and other forces, where
/// contacts touch or would, points of the output, and axes with their unit.
std::string mechanism_drawing(const Scene& scene, const SceneState& state);

/// The same of a state; `system` was assembled from `model`. Play is drawn `exaggeration` times as
/// large as it is.
std::string mechanism_drawing(const Model& model, const System& system, const State& state,
                              double exaggeration = 1);

}  // namespace backlash
